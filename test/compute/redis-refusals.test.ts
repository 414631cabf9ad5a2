/** A queue that is there and of no use: full, not ours to write to, silent, or with others' things under our keys. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Redis as Connection } from "ioredis";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { keys, prefix } from "../../src/compute/node/redis/protocol.ts";
import { queueStatus } from "../../src/compute/node/redis/queue-status.ts";
import { startQueueWorker } from "../../src/compute/node/redis/queue-worker.ts";
import { redis } from "../../src/compute/node/redis/redis.ts";
import { PlaceError } from "../../src/compute/place-error.ts";
import { InputError } from "../../src/errors.ts";
import { version } from "../../src/version.ts";
import { build, root, Workplace } from "../cli/odentify.ts";
import { decayFiles, decayStudy } from "../cli/tiny-study.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";
import { updateKernel } from "./update-kernel.ts";

let server: RedisServer;
let child: ChildProcess | undefined;
let mute: Server | undefined;
const kernel = updateKernel();

/** The command as a process that does not keep a server of this one waiting. */
async function odentify(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
	child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args]);
	const texts = { out: "", err: "" };
	child.stdout!.on("data", (part) => (texts.out += part));
	child.stderr!.on("data", (part) => (texts.err += part));
	const [code] = await once(child, "close");
	return { code, ...texts };
}
async function onServer(...commands: (readonly [string, ...(string | number)[]])[]): Promise<void> {
	const connection = new Connection(server.url);
	try {
		for (const [name, ...args] of commands) await connection.call(name, ...args);
	} finally {
		connection.disconnect();
	}
}
async function begin(...args: string[]): Promise<void> {
	server = new RedisServer(args);
	await server.start();
}

beforeAll(build, 300_000);
afterEach(async () => {
	child?.kill("SIGKILL");
	mute?.close();
	await server?.clean();
});

const refusal = /refuses \((OOM|NOPERM) .*\)\n\s+Has it enough memory, and may we write\?/;

describe.runIf(hasRedis)("a Redis that refuses", () => {
	test.each([
		["is full", ["--maxmemory", "1"], ""],
		[
			"is only to be read",
			["--user", "reader", "on", ">word", "~*", "+@read", "+@connection", "+info"],
			"reader:word@",
		],
	])(
		"because it %s: run, worker and queue say so",
		async (_, args, who) => {
			await begin(...args);
			const url = server.url.replace("://", `://${who}`);
			const here = await redis(url, { smallest: 0 });
			try {
				const launch = { batch: 8, buffers: { x: new Float64Array(8) }, scalars: { rounds: 3 } };
				const failed = here.run(kernel, launch);
				await expect(failed).rejects.toThrow(InputError);
				await expect(failed).rejects.toThrow(refusal);
				const ended = await odentify("worker", "--queue", url, "--threads", "1");
				expect(ended.err).toMatch(refusal);
				expect(ended.code).toBe(2);
				// It may be that it only reads, and that is allowed.
				const { code, err } = await odentify("queue", url);
				if (code !== 0) expect(err).toMatch(refusal);
				expect([0, 2]).toContain(code);
			} finally {
				await here.close();
			}
		},
		60_000,
	);

	test("in the middle of a run: how to go on", async () => {
		await begin();
		await server.worker("--threads", "1");
		const here = await redis(server.url, { smallest: 0, perJob: 4e8 });
		try {
			// More than is done before the server is full, however fast the machine is.
			const batch = 50_000;
			const x = new Float64Array(batch);
			const running = here.run(kernel, { batch, buffers: { x }, scalars: { rounds: 6_000_000 } });
			running.catch(() => {});
			while (((await queueStatus(server.url, "test")).workers[0]?.done ?? 0) === 0);
			await onServer(["CONFIG", "SET", "maxmemory", "1"]);
			await expect(running).rejects.toThrow(/^redis:\S+: refuses \(OOM .*\n.*may we write\?$/);
			await expect(running).rejects.toThrow(PlaceError);
		} finally {
			await here.close();
		}
	}, 60_000);

	test("a run that has kept a checkpoint: where it goes on", async () => {
		// Batches that are worth sending.
		const model = `param k ~ normal(-0.4, 0.2), a ~ normal(0, 1), b ~ normal(0, 1)
state x ~ normal(2, 0.1), z ~ normal(0, 1)
x' = -exp(k)*x + a*sin(z)*0.01
z' = -b*z + tanh(a)*x
measure y ~ normal(x, 0.02)
`;
		const place = new Workplace({
			...decayFiles,
			"decay.ode": model,
			"study.yaml": `${decayStudy}method: bayes\nbayes: { particles: 30000 }\n`,
		});
		await begin();
		await server.worker("--threads", "1");
		try {
			const out = join(place.path, "cut");
			const study = join(place.path, "study.yaml");
			const asked = ["--out", out, "--compute", server.url, "--checkpoint", "0.01"];
			const running = odentify("run", study, ...asked);
			while (!place.has("cut/checkpoint") && child!.exitCode === null)
				await new Promise((next) => setTimeout(next, 5));
			await onServer(["CONFIG", "SET", "maxmemory", "1"]);
			const { code, err } = await running;
			expect(err).toMatch(refusal);
			expect(err).toContain(`\n  Then go on, there or elsewhere:  odentify resume ${out}\n`);
			expect(code).toBe(2);
		} finally {
			place.clean();
		}
	}, 60_000);
});

describe.runIf(hasRedis)("things of others under our keys", () => {
	const sound = {
		id: "w2",
		host: "node\u001b2",
		pid: 7,
		version: `${version}\nfake`,
		threads: 3,
		since: Date.now(),
		done: 1,
		failed: 0,
		dropped: 0,
		active: 0,
		operationsPerSecond: 0,
		jobsPerSecond: 0,
	};
	const put = (id: string, text: string) =>
		[
			["SET", keys.worker(id), text],
			["SADD", keys.workers, id],
		] as [string, string, string][];

	test("records that are none are left out, and what would break a line is shown", async () => {
		await begin();
		await onServer(
			...put("w1", `{"threads":1,"version":"${version}"}`),
			...put("w3", JSON.stringify({ ...sound, id: "w3", host: {} })),
			...put("w4", JSON.stringify({ ...sound, id: "w4", threads: 1.5 })),
			...put("w5", "null"),
			...put("w6", "{"),
			...put("w2", JSON.stringify(sound)),
		);
		const { code, out } = await odentify("queue", server.url);
		expect(code).toBe(0);
		expect(out.trimEnd().split("\n")).toHaveLength(5);
		expect(out).toContain(`node\\u001b2  7        ${version}\\u000afake`);
		expect(out).toContain(`1 worker of version ${version}\\u000afake is there`);
	}, 60_000);

	test.each([
		["the workers", ["SET", keys.workers, "x"]],
		["the jobs that wait", ["SET", `${prefix}:batches:wait`, "x"]],
		["the jobs at work", ["SET", `${prefix}:batches:active`, "x"]],
		[
			"a job at work",
			["LPUSH", `${prefix}:batches:active`, "1"],
			["HSET", `${prefix}:batches:1`, "data", "{x"],
		],
	] as [string, ...[string, ...string[]][]][])(
		"%s: queue says so",
		async (_, ...commands) => {
			await begin();
			await onServer(...commands);
			await expect(queueStatus(server.url, "queue")).rejects.toThrow(
				/^redis:\S+: has something (of another kind under our keys \(WRONGTYPE|under our keys that cannot be read).*\n.*odentify-2/,
			);
		},
		60_000,
	);

	test("the workers: run and worker say so", async () => {
		await begin();
		await onServer(["SET", keys.workers, "x"]);
		const here = await redis(server.url, { smallest: 0 });
		try {
			const launch = { batch: 8, buffers: { x: new Float64Array(8) }, scalars: { rounds: 3 } };
			await expect(here.run(kernel, launch)).rejects.toThrow(/has something of another kind under our keys/);
		} finally {
			await here.close();
		}
		await expect(startQueueWorker(server.url, { threads: 1 })).rejects.toThrow(
			/has something of another kind under our keys/,
		);
	}, 60_000);
});

test("a server that takes what is said and never answers", async () => {
	mute = createServer(() => {}).listen(0, "127.0.0.1");
	await once(mute, "listening");
	const url = `redis://127.0.0.1:${(mute.address() as { port: number }).port}`;
	const since = performance.now();
	const { code, err } = await odentify("queue", url);
	expect(err).toMatch(/does not answer \(nothing came back in 5 s\)/);
	expect(code).toBe(2);
	await Promise.all([
		expect(redis(url)).rejects.toThrow(/does not answer/),
		expect(startQueueWorker(url)).rejects.toThrow(/does not answer/),
	]);
	expect(performance.now() - since).toBeLessThan(25_000);
}, 60_000);
