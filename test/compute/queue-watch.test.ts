/** `odentify queue --watch` outlives its server, and gives programs one document a line. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { build, root } from "../cli/odentify.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";

describe.runIf(hasRedis)("odentify queue --watch", () => {
	let server: RedisServer;
	let child: ChildProcess;
	let texts: { out: string; err: string };
	beforeAll(build, 300_000);
	afterEach(async () => {
		child?.kill("SIGKILL");
		await server?.clean();
	});

	async function watch(...args: string[]): Promise<void> {
		server = new RedisServer();
		await server.start();
		child = spawn(
			process.execPath,
			[join(root, "dist/cli/main.js"), "queue", server.url, "--watch", ...args],
			{ stdio: ["ignore", "pipe", "pipe"] },
		);
		const seen = { out: "", err: "" };
		texts = seen;
		child.stdout!.on("data", (part) => (seen.out += part));
		child.stderr!.on("data", (part) => (seen.err += part));
	}
	async function until(holds: () => boolean): Promise<void> {
		while (!holds()) {
			if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${texts.err}`);
			await new Promise((next) => setTimeout(next, 20));
		}
	}
	const shown = (): number => texts.out.split("no worker is there").length - 1;

	test("waits for a server that went away, says so once, goes on, and ends by Ctrl-C", async () => {
		await watch();
		await until(() => shown() >= 1);
		await server.stop("SIGKILL");
		await until(() => texts.out.includes("; waiting"));
		// Two more rounds without it.
		await new Promise((next) => setTimeout(next, 4500));
		expect(texts.out.match(/redis:\/\/127\.0\.0\.1:\d+ does not answer; waiting\n/g)).toHaveLength(1);
		expect(texts.err).toBe("");
		const before = shown();
		await server.start();
		await until(() => shown() >= before + 2);
		const ended = once(child, "exit");
		child.kill("SIGINT");
		expect(await ended).toEqual([null, "SIGINT"]);
	}, 60_000);

	test("--json: one document a line, the words for people elsewhere", async () => {
		await watch("--json");
		const documents = (): string[] => texts.out.split("\n").slice(0, -1);
		await until(() => documents().length >= 2);
		await server.stop("SIGKILL");
		await until(() => texts.err.includes("; waiting"));
		for (const line of documents())
			expect(JSON.parse(line)).toMatchObject({ queue: server.url, workers: [], jobs: { waiting: 0 } });
	}, 60_000);

	test("an address that never answered is an error all the same", async () => {
		await watch();
		child.kill("SIGKILL");
		await server.stop("SIGKILL");
		child = spawn(process.execPath, [join(root, "dist/cli/main.js"), "queue", server.url, "--watch"]);
		expect((await once(child, "exit"))[0]).toBe(2);
	}, 60_000);
});
