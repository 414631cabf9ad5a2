/**
 * Runs commands one after the other in one process: what a command loads is loaded once, which is most of the time of a short
 * one. Asked and answered by lines of JSON through two pipes; it ends with who started it.
 */
import { createReadStream, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [program, asked, answers] = process.argv.slice(2);
const home = process.cwd();
let said;
for (const [name, stream] of [
	["out", process.stdout],
	["err", process.stderr],
])
	stream.write = (text, encoding, done) => {
		said[name] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
		const told = typeof encoding === "function" ? encoding : done;
		if (told) setImmediate(told);
		return true;
	};
const signalsOf = (target) => new Set(target.eventNames());
const ownSignals = signalsOf(process);

// A read that waits for a pipe would hold up an orderly exit.
process.stdin.on("end", () => process.kill(process.pid, "SIGKILL")).resume();

/** The program runs where it is loaded: another address is another time. */
let times = 0;
for await (const line of createInterface({ input: createReadStream(asked, { flags: "r+" }) })) {
	const { args, cwd, env } = JSON.parse(line);
	said = { out: "", err: "" };
	for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
	Object.assign(process.env, env);
	process.chdir(cwd);
	process.argv.splice(1, process.argv.length, program, ...args);
	process.exitCode = undefined;
	await import(`${program}?${times++}`);
	const code = process.exitCode ?? 0;
	for (const name of process.eventNames()) if (!ownSignals.has(name)) process.removeAllListeners(name);
	process.stdout.removeAllListeners("error");
	process.stderr.removeAllListeners("error");
	process.chdir(home);
	process.exitCode = 0;
	writeFileSync(answers, `${JSON.stringify({ code, ...said })}\n`);
}
