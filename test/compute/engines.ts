/** The same study on several versions of Node: every file of the run folder, with a clock that stands still. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type Workplace } from "../cli/odentify.ts";

export interface Engine {
	readonly name: string;
	readonly command: string;
}

/** Where scripts/engines.mjs keeps them. */
const folder = join(root, ".build/engines/node_modules");

/** This Node, then the others that are here. */
export const engines: readonly Engine[] = [
	{ name: process.version, command: process.execPath },
	...(existsSync(folder) ? readdirSync(folder) : [])
		.sort()
		.map((name) => join(folder, name, process.platform === "win32" ? "bin/node.exe" : "bin/node"))
		.filter((command) => existsSync(command))
		.map((command) => ({
			name: spawnSync(command, ["--version"], { encoding: "utf8" }).stdout.trim(),
			command,
		}))
		.filter(({ name }) => name !== process.version),
];
if (engines.length === 1)
	console.info("No other Node is here: bits are not compared between engines.  node scripts/engines.mjs");

const standingClock = `data:text/javascript,${encodeURIComponent(
	`performance.now = () => 0;
	const Real = Date;
	globalThis.Date = class extends Real {
		constructor(...args) { super(...(args.length > 0 ? args : [0])); }
		static now() { return 0; }
	};`,
)}`;

export interface EngineRun {
	readonly code: number | null;
	readonly err: string;
	/** Contents by name, without the log. */
	readonly files: ReadonlyMap<string, Buffer>;
}

/** Does `study.yaml` of a workplace on an engine. */
export function runOn(engine: Engine, place: Workplace, ...args: readonly string[]): EngineRun {
	const out = `run-${engine.name}`;
	const { status, stderr } = spawnSync(
		engine.command,
		[
			...["--import", standingClock, join(root, "dist/cli/main.js")],
			...["run", "study.yaml", "--out", out, "--compute", "inline", "--quiet", ...args],
		],
		{ cwd: place.path, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
	);
	const path = join(place.path, out);
	const names = existsSync(path) ? readdirSync(path).filter((name) => name !== "log.jsonl") : [];
	return {
		code: status,
		err: stderr.replaceAll(out, "run"),
		files: new Map(names.map((name) => [name, readFileSync(join(path, name))])),
	};
}

/** Names of the files that differ, or what else does. */
export function differing(a: EngineRun, b: EngineRun): string[] {
	const names = new Set([...a.files.keys(), ...b.files.keys()]);
	return [
		...(a.code === b.code && a.err === b.err ? [] : ["how it ended"]),
		...[...names].filter((name) => {
			const [one, other] = [a.files.get(name), b.files.get(name)];
			return !one || !other || !one.equals(other);
		}),
	];
}
