// Programs that run side by side: what each says is kept until it is its turn to be heard.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { binOf, root } from "./setup.mjs";

/** Ends when a script of this folder has; what that says is heard at once. */
export function startScript(name) {
	const child = spawn(process.execPath, [join(root, "scripts", name)], { cwd: root, stdio: "inherit" });
	return new Promise((resolve) => child.on("close", resolve));
}

/** Starts a program that a package of ours brought; `before` are words that the command begins with, `flags` are Node's own. */
export function start(name, args, before = [], flags = []) {
	const [command, ...rest] = [...before, process.execPath, ...flags, binOf(name), ...args];
	const child = spawn(command, rest, { cwd: root });
	// Nothing goes on after this process has given up.
	process.once("exit", () => child.kill());
	let said = [];
	let isHeard = false;
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (part) => (isHeard ? process.stdout.write(part) : said.push(part)));
	return {
		ended: new Promise((resolve) => child.on("close", resolve)),
		/** What it has said so far, and from now on as it comes. */
		hear() {
			isHeard = true;
			for (const part of said) process.stdout.write(part);
			said = [];
		},
		said: () => Buffer.concat(said),
	};
}

/** All of them must end well; otherwise the process ends with what they said. */
export async function mustAll(...commands) {
	const started = commands.map(([name, ...args]) => ({ name, args, ...start(name, args) }));
	for (const { name, args, ended, said } of started) {
		if ((await ended) === 0) continue;
		writeSync(1, said());
		console.error(`\n${[name, ...args].join(" ")} failed`);
		process.exit(1);
	}
}
