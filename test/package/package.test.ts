/**
 * The package as npm installs it, in an empty folder: all that it promises works from there, and nothing is in it for nothing.
 *
 * What `files` of package.json leaves out, and why:
 * - pictures of the docs (2.6 MB): the docs are read where the pictures are;
 * - `odentify.html` (3 MB): the page in one file holds all that the folder holds once more. The folder stays, since
 *   `odentify serve` needs its files apart: its policy allows no script inside a page, and the first view loads a tenth of them;
 * - the HDF5 library in the page's folder (4 MB): npm installs h5wasm anyway, and `odentify serve` finds it there;
 * - the examples' records in the page's folder (60 kB): `odentify serve` finds them in `examples`;
 * - compiled files that only the command needs: it has them joined in few files, `dist/cli/joined`;
 * - source maps, which nothing reads, and declarations that no exported type mentions (both are not even made).
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, root } from "../cli/odentify.ts";
import { buildPage } from "../workbench/page.ts";

const MB = 1e6;
const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
	version: string;
	exports: Record<string, string | { types: string }>;
	dependencies: Record<string, string>;
};
const entries = Object.keys(own.exports).filter((entry) => entry !== "./package.json");
const place = mkdtempSync(join(tmpdir(), "odentify-package-"));
const installed = join(place, "node_modules/odentify");
let packed: { size: number; files: { path: string }[] };

beforeAll(async () => {
	await build();
	await buildPage();
	node(root, join(root, "scripts/types.mjs"));
	const said = npm(root, "pack", "--ignore-scripts", "--json", "--pack-destination", place);
	[packed] = JSON.parse(said.slice(said.indexOf("[")));
	writeFileSync(join(place, "package.json"), '{ "type": "module" }');
	install(join(place, `odentify-${own.version}.tgz`));
}, 300_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Programs of a user do not see the settings of the npm that runs these tests. */
const env = Object.fromEntries(
	Object.entries({ ...process.env, NO_COLOR: "1" }).filter(([name]) => !/^(npm_|NODE_|VITE)/.test(name)),
);
function node(cwd: string, ...args: string[]): string {
	return execFileSync(process.execPath, args, {
		cwd,
		env,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
	});
}
function npm(cwd: string, ...args: string[]): string {
	const options = { cwd, env, encoding: "utf8", shell: process.platform === "win32" } as const;
	const { status, stdout, stderr } = spawnSync("npm", args, options);
	if (status !== 0) throw new Error(`npm ${args.join(" ")}: ${stderr}`);
	return stdout;
}

/** By npm; without a network by hand, with the packages that it names and those that they name. */
function install(tarball: string): void {
	const quick = ["--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0", "--fetch-timeout=20000"];
	try {
		npm(place, "install", "--omit=optional", ...quick, tarball);
		return;
	} catch {
		console.info("npm reaches no registry: the package is unpacked by hand.");
	}
	mkdirSync(installed, { recursive: true });
	execFileSync("tar", ["xzf", tarball, "-C", installed, "--strip-components=1"]);
	const todo = Object.keys(own.dependencies);
	for (const name of todo) {
		const [from, to] = [join(root, "node_modules", name), join(place, "node_modules", name)];
		if (existsSync(to)) continue;
		cpSync(from, to, { recursive: true });
		todo.push(
			...Object.keys(JSON.parse(readFileSync(join(from, "package.json"), "utf8")).dependencies ?? {}),
		);
	}
	mkdirSync(join(place, "node_modules/.bin"), { recursive: true });
	writeFileSync(
		join(place, "node_modules/.bin/odentify"),
		'#!/bin/sh\nexec node "$(dirname "$0")/../odentify/dist/cli/main.js" "$@"\n',
		{ mode: 0o755 },
	);
}

describe("the package", () => {
	it("is small", () => {
		console.info(`packed: ${(packed.size / MB).toFixed(2)} MB, ${packed.files.length} files`);
		expect(packed.size).toBeLessThan(3 * MB);
	});

	it("holds nothing that is not needed", () => {
		const paths = packed.files.map(({ path }) => path);
		expect(
			paths.filter((path) => /\.(map|tsbuildinfo|tgz|png)$|(^|\/)\.|\.test\.|^(src|test|bench)\//.test(path)),
		).toEqual([]);
		expect([...new Set(paths.map((path) => path.split("/")[0]))].sort()).toEqual(
			["LICENSE", "README.md", "dist", "docs", "examples", "package.json", "papers"].sort(),
		);
		// Scripts that have no source any more.
		const compiled = paths.filter((path) => /^dist\/(?!workbench|cli\/joined).*\.js$/.test(path));
		const sourceOf = (path: string): string =>
			path.replace(/^dist\/(papers\/)?(.*)\.js$/, (_, papers, rest) => `${papers ?? "src/"}${rest}.ts`);
		expect(compiled.filter((path) => !existsSync(join(root, sourceOf(path))))).toEqual([]);
		// Declarations that no export leads to.
		const types = new Set<string>();
		const todo = Object.values(own.exports).flatMap((entry) =>
			typeof entry === "string" ? [] : [join(installed, entry.types)],
		);
		for (const file of todo) {
			if (types.has(file)) continue;
			types.add(file);
			for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)\.[jt]s"/g))
				todo.push(join(dirname(file), `${path}.d.ts`));
		}
		const all = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
		expect(all.filter((path) => path.endsWith(".d.ts")).length).toBe(types.size);
	});

	it("imports under every name that it exports", () => {
		const names = entries.map((entry) => entry.replace(/^\./, "odentify"));
		const counts = JSON.parse(
			node(
				place,
				"--input-type=module",
				"-e",
				`const counts = {};
				for (const name of ${JSON.stringify(names)}) counts[name] = Object.keys(await import(name)).length;
				console.log(JSON.stringify(counts));`,
			),
		);
		expect(Object.keys(counts)).toEqual(names);
		for (const name of names) expect([name, counts[name] > 0]).toEqual([name, true]);
	});

	it("has types that a strict program compiles against, whatever way modules are found", () => {
		const imports = entries.map(
			(entry, i) => `import * as e${i} from "${entry.replace(/^\./, "odentify")}";`,
		);
		const program = `${imports.join("\n")}
export const all = [${entries.map((_, i) => `e${i}`).join(", ")}];
import { InputError, model, record, recordFromFile, run, type Result } from "odentify";
import { fit } from "odentify/fit";
const decay = model("param k\\nstate x = 1\\nx' = -k*x\\nmeasure y ~ normal(x, 0.02)");
const data = record({ t: [0, 1, 2], y: Float64Array.of(1, 0.6, 0.4) }, { name: "r" });
export const result: Promise<Result> = Promise.resolve(run(decay, data, { method: "fit" }));
export async function estimate(): Promise<number> {
	const { summary } = await fit(decay, data, { starts: 4 }, { seed: 2 });
	return summary.parameters.k.estimate;
}
export const read = (bytes: Uint8Array<ArrayBuffer>) => recordFromFile(bytes, "a.mat");
// @ts-expect-error a method has the options that it has
fit(decay, data, { strats: 4 });
export const isOurs = (error: unknown): string => (error instanceof InputError ? error.remedy : "");
`;
		writeFileSync(join(place, "program.ts"), program);
		const tsc = join(root, "node_modules/typescript/bin/tsc");
		for (const found of [
			["--module", "nodenext"],
			["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2023,dom"],
		])
			expect(
				node(place, tsc, "--noEmit", "--strict", "--target", "es2023", "--types", "", ...found, "program.ts"),
			).toBe("");
	});

	it("runs an example, and reads a file in a thread of its own", () => {
		const study = "node_modules/odentify/examples/demo/study.yaml";
		npm(place, "exec", "--no", "--", "odentify", "run", study, "--out", "run", "--quiet");
		expect(JSON.parse(readFileSync(join(place, "run/summary.json"), "utf8")).version).toBe(own.version);
		expect(readFileSync(join(place, "run/report.html"), "utf8")).toContain("</html>");
		cpSync(join(root, "test/data/reference/scipy.mat"), join(place, "a.mat"));
		const read = `import { readFileSync } from "node:fs";
			import { readTable } from "odentify";
			console.log((await readTable(readFileSync("a.mat"), "a.mat")).source);`;
		expect(node(place, "--input-type=module", "-e", read).trim()).toBe("a.mat");
	});

	it("serves the page whole, with the HDF5 library and the examples' records that it left where they are", async () => {
		const main = join(installed, "dist/cli/main.js");
		const server = spawn(process.execPath, [main, "serve", "--port", "0", "--no-open", "--json", "--quiet"], {
			cwd: place,
			env,
			stdio: ["ignore", "pipe", "inherit"],
		});
		try {
			const url = await new Promise<string>((resolve, reject) => {
				let said = "";
				server.stdout.on("data", (part) => {
					said += part;
					const [, found] = /"url": "([^"]+)"/.exec(said) ?? [];
					if (found) resolve(found);
				});
				server.on("exit", () => reject(new Error(`serve ended: ${said}`)));
			});
			const get = async (path: string): Promise<string> => {
				const answer = await fetch(url + path);
				expect([path, answer.status]).toEqual([path, 200]);
				return answer.text();
			};
			expect(await get("")).toContain("<title>Odentify</title>");
			expect(await get("licences.txt")).toContain("h5wasm");
			for (const example of readdirSync(join(root, "dist/workbench/examples"), {
				recursive: true,
			}) as string[])
				if (example.endsWith(".csv"))
					expect(await get(`examples/${example}`)).toBe(
						readFileSync(join(root, "dist/workbench/examples", example), "utf8"),
					);
			// All that scripts name beside themselves is there.
			const assets = join(installed, "dist/workbench/assets");
			const named = readdirSync(assets)
				.filter((file) => file.endsWith(".js"))
				.flatMap(
					(file) =>
						readFileSync(join(assets, file), "utf8").match(/(?<=["'`]\.\/)[\w./-]+\.js(?=["'`])/g) ?? [],
				);
			const library = named.filter((name) => name.includes("h5wasm"));
			expect(library.length).toBeGreaterThan(0);
			for (const name of new Set(named)) await get(`assets/${name}`);
			const inner = (await get(`assets/${library[0]}`)).match(/(?<=from ['"]\.\/)[\w.]+\.js/g) ?? [];
			for (const name of inner) await get(`assets/${dirname(library[0])}/${name}`);
			expect(inner).toContain("hdf5_util.js");
		} finally {
			server.kill("SIGTERM");
		}
	});
});
