/** Ends of jobs that someone else wrote into the queue: the bits are those of inline, and nothing becomes slow for it. */
import { Queue } from "bullmq";
import { Redis as Connection } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runInline } from "../../src/compute/inline.ts";
import { endOf } from "../../src/compute/node/redis/job-end.ts";
import { prefix, queueName } from "../../src/compute/node/redis/protocol.ts";
import { type Redis, redis } from "../../src/compute/node/redis/redis.ts";
import { InputError } from "../../src/errors.ts";
import { build } from "../cli/odentify.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";
import { updateKernel } from "./update-kernel.ts";

const server = new RedisServer();
const kernel = updateKernel();
const batch = 96;
const scalars = { rounds: 6_000_000 };
const given = (): Float64Array => Float64Array.from({ length: batch }, (_, i) => i);
const events = `${prefix}:${queueName}:events`;
const pause = (milliseconds: number): Promise<void> => new Promise((next) => setTimeout(next, milliseconds));

describe("an end of a job is what has the form of one", () => {
	test.each([
		{ kind: "done", seconds: 0.5 },
		{ kind: "missing", what: ["input"] },
		{ kind: "abandoned" },
		{ kind: "failed", failure: { kind: "internal", parts: ["why"], stack: "at" } },
		{ kind: "failed", failure: { kind: "input", parts: ["x", "is not", "Mend it."] } },
	])("%j", (end) => {
		expect(endOf(end)).toEqual(end);
		expect(endOf(JSON.stringify(end))).toEqual(end);
	});
	test.each([
		undefined,
		null,
		7,
		"{not json",
		"null",
		[],
		{ kind: "other" },
		{ kind: "done" },
		{ kind: "done", seconds: "1" },
		{ kind: "missing" },
		{ kind: "failed" },
		{ kind: "failed", failure: null },
		{ kind: "failed", failure: { kind: "internal", parts: [] } },
		{ kind: "failed", failure: { kind: "input", parts: ["x"] } },
		{ kind: "failed", failure: { kind: "input", parts: [1, { a: 2 }] } },
		{ kind: "failed", failure: { kind: "other", parts: ["x"] } },
		{ kind: "failed", failure: { kind: "internal", parts: ["x"], stack: {} } },
	])("not %j", (end) => {
		expect(endOf(end)).toBeUndefined();
	});
});

describe.runIf(hasRedis)("forged events", () => {
	let here: Redis;
	let connection: Connection;
	let queue: Queue;
	const expected = given();
	beforeAll(async () => {
		await build();
		runInline(kernel, { batch, buffers: { x: expected }, scalars });
		await server.start();
		await server.worker("--threads", "1");
		connection = new Connection(server.url);
		queue = new Queue(queueName, { prefix, connection: { host: "127.0.0.1", port: server.port } });
	}, 300_000);
	afterEach(() => here?.close());
	afterAll(async () => {
		await queue?.close();
		connection?.disconnect();
		await server.clean();
	});

	const forge = (id: string, event: string, ...fields: string[]) =>
		connection.xadd(events, "*", "event", event, "jobId", id, ...fields);

	test.each([
		["completed", '{"kind":"failed"}'],
		["completed", "null"],
		["completed", '{"kind":"done","seconds":1}'],
		["completed", '{"kind":"missing","what":["input"]}'],
		["completed", '{"kind":"failed","failure":{"kind":"input","parts":[1,{"a":2}]}}'],
		["completed", "{not json"],
		["failed", "forged"],
	])(
		"%s %s, again and again",
		async (event, value) => {
			here = await redis(server.url, { smallest: 0, perJob: 4e8 });
			const field = event === "failed" ? "failedReason" : "returnvalue";
			let forged = 0;
			// As often as it takes: a fast machine is done before much can be forged.
			while (forged <= 20) {
				const x = given();
				let isOver = false;
				const running = here.run(kernel, { batch, buffers: { x }, scalars }).finally(() => {
					isOver = true;
				});
				while (!isOver) {
					for (const { id } of await queue.getJobs(["active", "waiting"]))
						for (let i = 0; i < 5; i++, forged++) await forge(id!, event, field, value);
					await Promise.race([running, pause(100)]);
				}
				await running;
				expect(x).toEqual(expected);
			}
			// Heard of still: what is only looked for takes two seconds each time.
			await pause(500);
			const since = performance.now();
			for (let i = 0; i < 6; i++)
				await here.run(kernel, { batch: 8, buffers: { x: new Float64Array(8) }, scalars: { rounds: 3 } });
			expect(performance.now() - since).toBeLessThan(6000);
		},
		60_000,
	);

	test("jobs that are damaged are done again", async () => {
		here = await redis(server.url, { smallest: 0, perJob: 4e8 });
		const x = given();
		const running = here.run(kernel, { batch, buffers: { x }, scalars });
		let damaged = 0;
		while (damaged === 0)
			for (const { id } of await queue.getJobs(["waiting"]))
				damaged += await connection.hset(`${prefix}:${queueName}:${id}`, { returnvalue: "{x", data: "{x" });
		await running;
		expect(x).toEqual(expected);
	}, 60_000);

	test("events that cannot be read: the queue is named", async () => {
		await connection.del(events);
		await connection.set(events, "x");
		here = await redis(server.url, { smallest: 0, perJob: 4e8 });
		try {
			const failed = here.run(kernel, {
				batch,
				buffers: { x: given() },
				scalars: { rounds: 2 ** 31 - 1 },
			});
			await expect(failed).rejects.toThrow(InputError);
			await expect(failed).rejects.toThrow(/^redis:\S+: has something of another kind under our keys/);
		} finally {
			await connection.del(events);
		}
	}, 60_000);
});
