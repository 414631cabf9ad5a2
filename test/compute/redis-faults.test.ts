/** Workers that die, Redis that goes away, jobs that were never meant to be: the bits are those of an undisturbed run. */
import { Queue } from "bullmq";
import { Redis as Connection } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runInline } from "../../src/compute/inline.ts";
import { digestOf, keys, prefix, queueName } from "../../src/compute/node/redis/protocol.ts";
import { queueStatus } from "../../src/compute/node/redis/queue-status.ts";
import { type Redis, redis } from "../../src/compute/node/redis/redis.ts";
import { PlaceError } from "../../src/compute/place-error.ts";
import { kernelText } from "../../src/lower/ir.ts";
import { build } from "../cli/odentify.ts";
import { expectSameBits, workOf } from "./places.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";
import { updateKernel } from "./update-kernel.ts";

const batch = 192;
const scalars = { rounds: 6_000_000 };
const kernel = updateKernel();
const given = (): Float64Array => Float64Array.from({ length: batch }, (_, i) => i);
const expected = given();

let server: RedisServer;
let here: Redis;
/** A launch of a dozen jobs of a fraction of a second each. */
const start = (x: Float64Array): Promise<void> => here.run(kernel, { batch, buffers: { x }, scalars });
const pause = (milliseconds: number): Promise<void> => new Promise((next) => setTimeout(next, milliseconds));

async function atWork(least: number): Promise<void> {
	while ((await queueStatus(server.url, "test")).jobs.active < least) await pause(20);
}

describe.runIf(hasRedis)("the same bits when", () => {
	beforeAll(async () => {
		await build();
		runInline(kernel, { batch, buffers: { x: expected }, scalars });
	}, 300_000);
	afterEach(async () => {
		await here?.close();
		await server?.clean();
	});

	async function begin(args: string[], workers: number) {
		server = new RedisServer(args);
		await server.start();
		const processes = [];
		for (let i = 0; i < workers; i++) processes.push(await server.worker("--threads", "1", "--lease", "2"));
		here = await redis(server.url, { smallest: 0, perJob: 4e8 });
		return processes;
	}

	test.each([
		["a worker is killed in mid-batch", 2, 1],
		["two of three workers are killed", 3, 2],
		["all workers are killed", 2, 2],
	])(
		"%s",
		async (_, workers, killed) => {
			const processes = await begin([], workers);
			const x = given();
			const running = start(x);
			await atWork(workers);
			for (const worker of processes.slice(0, killed)) await server.end(worker, "SIGKILL");
			await running;
			expect(x).toEqual(expected);
		},
		120_000,
	);

	test.each([
		["with what it had", ["--appendonly", "yes", "--appendfsync", "always"]],
		["empty", []],
	])(
		"redis is restarted %s",
		async (_, args) => {
			await begin(args, 2);
			const x = given();
			const running = start(x);
			await atWork(2);
			await server.stop("SIGKILL");
			await pause(1500);
			await server.start();
			await running;
			expect(x).toEqual(expected);
			// And it still works.
			await expectSameBits(here, workOf("duffing", 40));
		},
		120_000,
	);

	test("what was sent once is gone from Redis", async () => {
		await begin([], 1);
		await expectSameBits(here, workOf("duffing", 40));
		const connection = new Connection(server.url);
		await connection.flushall();
		connection.disconnect();
		// The worker kept what it had; another one has nothing.
		await server.endAll();
		await server.worker("--threads", "1");
		await expectSameBits(here, workOf("duffing", 40));
	}, 60_000);

	test("what was sent once is damaged in Redis", async () => {
		await begin([], 1);
		await expectSameBits(here, workOf("duffing", 40));
		const connection = new Connection(server.url);
		const sent = (await connection.keys(`${prefix}*`)).filter((key) => /:(kernel|data):/.test(key));
		expect(sent.length).toBeGreaterThan(0);
		for (const key of sent) await connection.set(key, "garbage!");
		connection.disconnect();
		await server.endAll();
		await server.worker("--threads", "1");
		await expectSameBits(here, workOf("duffing", 40));
	}, 60_000);

	test("redis is away: one word is enough for a worker to leave", async () => {
		const [worker] = await begin([], 1);
		await here.close();
		await server.stop("SIGKILL");
		await pause(500);
		expect(await server.end(worker, "SIGINT")).toBe(0);
	}, 60_000);

	test("redis is there and silent: one word is enough, too", async () => {
		const [worker] = await begin([], 1);
		await here.close();
		server.freeze();
		await pause(500);
		expect(await server.end(worker, "SIGINT")).toBe(0);
	}, 60_000);

	test("redis does not come back: the user is told how to go on", async () => {
		await begin([], 1);
		await here.close();
		const notices: string[] = [];
		here = await redis(server.url, {
			smallest: 0,
			perJob: 4e8,
			patience: 7,
			notice: (text) => notices.push(text),
		});
		const running = start(given());
		running.catch(() => {});
		await atWork(1);
		await server.stop("SIGKILL");
		await expect(running).rejects.toThrow(/has not answered for \d+ s\n.*Start it again\./);
		await expect(running).rejects.toThrow(PlaceError);
		expect(notices).toContain(`${server.url} does not answer; waiting for it`);
	}, 60_000);
});

describe.runIf(hasRedis)("a worker refuses", () => {
	let queue: Queue;
	let connection: Connection;
	const client = "0123456789abcdef";
	beforeAll(async () => {
		await build();
		server = new RedisServer();
		await server.start();
		await server.worker("--threads", "1");
		connection = new Connection(server.url);
		queue = new Queue(queueName, { prefix, connection: { host: "127.0.0.1", port: server.port } });
		await connection.set(keys.client(client), "here");
	}, 300_000);
	afterAll(async () => {
		await queue?.close();
		connection?.disconnect();
		await server?.clean();
	});

	/** Puts a job on the queue by hand: what becomes of it. */
	async function endOf(data: unknown, input = new Uint8Array(8 * 8)): Promise<{ kind: string; why: string }> {
		const id = `by-hand-${Math.random()}`;
		await connection.set(keys.input(id), Buffer.from(input));
		const job = await queue.add("slice", data, { jobId: id });
		for (;;) {
			const state = await queue.getJobState(id);
			if (state === "completed") {
				const { kind, failure } = (await queue.getJob(id))!.returnvalue;
				return { kind, why: failure?.parts.join() ?? "" };
			}
			expect(state, job.id).not.toBe("failed");
			await pause(20);
		}
	}
	async function put(content: string): Promise<string> {
		const digest = digestOf(content);
		await connection.set(keys.kernel(digest), content);
		return digest;
	}
	async function good() {
		const digest = await put(kernelText(kernel));
		return { client, kernel: digest, uniforms: [], rows: [1], lanes: 8, scalars: ["3"] };
	}

	test("nothing of a sound job", async () => {
		expect(await endOf(await good())).toEqual({ kind: "done", why: "" });
	});
	test.each([
		["no job", () => "evil"],
		["a kernel by another name", (job: object) => ({ ...job, kernel: "../../etc/passwd" })],
		["lanes without end", (job: object) => ({ ...job, lanes: 1e15 })],
		["rows without end", (job: object) => ({ ...job, rows: [1e12] })],
		["a number of lanes below 1", (job: object) => ({ ...job, lanes: 0 })],
		["too few scalars", (job: object) => ({ ...job, scalars: [] })],
		["a scalar that is not whole", (job: object) => ({ ...job, scalars: ["0.5"] })],
		["a scalar that is code", (job: object) => ({ ...job, scalars: ["process.exit()"] })],
		["a buffer too many", (job: object) => ({ ...job, rows: [1, 1] })],
		["more lanes than came", (job: object) => ({ ...job, lanes: 16 })],
	])("%s", async (_, spoil) => {
		const { kind, why } = await endOf(spoil(await good()));
		expect(kind).toBe("failed");
		expect(why).toMatch(/refused/);
	});
	test("a kernel whose digest is not its own", async () => {
		const digest = digestOf("something else");
		await connection.set(keys.kernel(digest), kernelText(kernel));
		// Never run; taken away, so that its sender sends it again.
		expect(await endOf({ ...(await good()), kernel: digest })).toMatchObject({ kind: "missing" });
		expect(await connection.exists(keys.kernel(digest))).toBe(0);
	});
	test.each([
		"not JSON",
		"{}",
		'{"name":"k","buffers":[],"scalars":[],"variables":[],"body":[{"do":"evil"}]}',
	])("a kernel that is none: %s", async (text) => {
		expect(await endOf({ ...(await good()), kernel: await put(text) })).toMatchObject({ kind: "failed" });
	});
	test("and does the next sound job", async () => {
		expect(await endOf(await good())).toEqual({ kind: "done", why: "" });
	});
	test("work for one who is gone", async () => {
		expect(await endOf({ ...(await good()), client: "fedcba9876543210" })).toMatchObject({
			kind: "abandoned",
		});
	});
});
