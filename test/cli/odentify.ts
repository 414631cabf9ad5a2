/** The built command, as users have it: a child process in a folder of its own. */
import { spawn, spawnSync } from "node:child_process";
import {
	closeSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandHost, type Ended } from "./command-host.ts";

/** The checkout, from the sources or from a build folder inside it. */
export const root = ["../..", "../../.."]
	.map((up) => fileURLToPath(new URL(up, import.meta.url)))
	.find((folder) => existsSync(join(folder, "package.json")))!;
export const main = join(root, "dist/cli/main.js");
const stamp = join(root, ".build/cli-tests.stamp");
const lock = join(root, ".build/cli-tests.lock");

/** Compiles once if the sources changed since; test files that run side by side wait for one another. `npm test` has done it. */
export async function build(): Promise<void> {
	if (process.env.ODENTIFY_TEST === "built") return;
	const newest = String(Math.max(...["src", "papers"].map((folder) => newestChange(join(root, folder)))));
	const isBuilt = (): boolean =>
		existsSync(main) && existsSync(stamp) && readFileSync(stamp, "utf8") === newest;
	mkdirSync(dirname(lock), { recursive: true });
	for (let waited = 0; !isBuilt(); waited++) {
		try {
			mkdirSync(lock);
		} catch {
			if (waited > 600) throw new Error(`another build holds ${lock}`);
			await new Promise((next) => setTimeout(next, 100));
			continue;
		}
		try {
			const made = [
				"node_modules/typescript/bin/tsc",
				"scripts/papers-build.mjs",
				"scripts/cli-build.mjs",
			].map((script) => spawnSync(process.execPath, [join(root, script)], { cwd: root, encoding: "utf8" }));
			if (!existsSync(main)) throw new Error(`the command was not built:\n${made[0].stdout}`);
			writeFileSync(stamp, newest);
		} finally {
			rmSync(lock, { recursive: true, force: true });
		}
	}
}

function newestChange(folder: string): number {
	return Math.max(
		...readdirSync(folder, { withFileTypes: true }).map((entry) => {
			const path = join(folder, entry.name);
			return entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs;
		}),
	);
}

let host: CommandHost | undefined;

/** A fresh folder with these files, removed by `clean`. */
export class Workplace {
	readonly path = mkdtempSync(join(tmpdir(), "odentify-cli-"));

	constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
		for (const [name, content] of Object.entries(files)) this.put(name, content);
	}
	put(name: string, content: string | Uint8Array): void {
		mkdirSync(dirname(join(this.path, name)), { recursive: true });
		writeFileSync(join(this.path, name), content);
	}
	has(name: string): boolean {
		return existsSync(join(this.path, name));
	}
	text(name: string): string {
		return readFileSync(join(this.path, name), "utf8");
	}
	bytes(name: string): Buffer {
		return readFileSync(join(this.path, name));
	}
	json(name: string): Record<string, never> {
		return JSON.parse(this.text(name));
	}
	/** All files, sorted. */
	files(): string[] {
		return (readdirSync(this.path, { recursive: true }) as string[])
			.filter((name) => statSync(join(this.path, name)).isFile())
			.sort();
	}
	clean(): void {
		rmSync(this.path, { recursive: true, force: true });
	}

	/** In a process that ran others before: for what a command reads, writes and says, in a tenth of the time. */
	call(...args: string[]): Ended {
		if (process.platform === "win32") return this.run(...args);
		host ??= new CommandHost(join(root, "dist/cli/joined/program.js"));
		return host.run(this.path, { ...process.env, NO_COLOR: "1" }, args);
	}
	run(...args: string[]): Ended {
		return this.runWith("", ...args);
	}
	/** With this as standard input. */
	runWith(input: string, ...args: string[]): Ended {
		const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
			cwd: this.path,
			input,
			encoding: "utf8",
			env: { ...process.env, NO_COLOR: "1" },
		});
		return { code: status, out: stdout, err: stderr };
	}
	/** With standard output into a file. */
	runInto(file: string, ...args: string[]): { code: number | null; err: string } {
		const out = openSync(file, "w");
		try {
			const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
				cwd: this.path,
				encoding: "utf8",
				stdio: ["ignore", out, "pipe"],
				env: { ...process.env, NO_COLOR: "1" },
			});
			return { code: status, err: stderr };
		} finally {
			closeSync(out);
		}
	}
	start(...args: string[]): ReturnType<typeof spawn> {
		return spawn(process.execPath, [main, ...args], { cwd: this.path, stdio: ["ignore", "pipe", "pipe"] });
	}
	/** With standard input to be written to. */
	startFed(...args: string[]): ReturnType<typeof spawn> {
		return spawn(process.execPath, [main, ...args], { cwd: this.path, stdio: "pipe" });
	}
}
