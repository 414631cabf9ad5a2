/** Commands in a process that has run others before: for tests that are not about the process. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Ended {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

const patience = 100_000;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** One process, asked and waited for without going on meanwhile, as `spawnSync` does. */
export class CommandHost {
	readonly #asked: number;
	readonly #answers: number;
	readonly #child: ChildProcess;

	constructor(program: string) {
		const folder = mkdtempSync(join(tmpdir(), "odentify-host-"));
		const pipes = ["asked", "answers"].map((name) => join(folder, name));
		execFileSync("mkfifo", pipes);
		this.#asked = openSync(pipes[0], constants.O_RDWR);
		this.#answers = openSync(pipes[1], constants.O_RDWR | constants.O_NONBLOCK);
		const script = fileURLToPath(new URL("./command-host.mjs", import.meta.url));
		this.#child = spawn(process.execPath, [script, pathToFileURL(program).href, ...pipes], {
			stdio: ["pipe", "ignore", "ignore"],
		});
		// It may outlast no one who asks it, and keeps no one from ending.
		this.#child.unref();
		(this.#child.stdin as unknown as { unref(): void }).unref();
		process.once("exit", () => {
			this.#child.kill("SIGKILL");
			rmSync(folder, { recursive: true, force: true });
		});
	}

	run(cwd: string, env: NodeJS.ProcessEnv, args: readonly string[]): Ended {
		writeSync(this.#asked, `${JSON.stringify({ args, cwd, env })}\n`);
		const bytes = Buffer.alloc(65_536);
		const parts: Buffer[] = [];
		const until = Date.now() + patience;
		while (Date.now() < until) {
			try {
				const n = readSync(this.#answers, bytes);
				parts.push(Buffer.from(bytes.subarray(0, n)));
				if (bytes[n - 1] === 10) return JSON.parse(Buffer.concat(parts).toString("utf8")) as Ended;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
				Atomics.wait(pause, 0, 0, 2);
			}
		}
		throw new Error(`odentify ${args.join(" ")} did not end within ${patience / 1000} s`);
	}
}
