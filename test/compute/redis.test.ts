import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runInline } from "../../src/compute/inline.ts";
import { queueStatus } from "../../src/compute/node/redis/queue-status.ts";
import { type Redis, redis } from "../../src/compute/node/redis/redis.ts";
import { InputError } from "../../src/errors.ts";
import { KernelBuilder } from "../../src/lower/builder.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { build, root, Workplace } from "../cli/odentify.ts";
import { decayFiles } from "../cli/tiny-study.ts";
import { expectSameBits, names, smallNames, workOf } from "./places.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";
import { updateKernel } from "./update-kernel.ts";

const server = new RedisServer();
const open: Redis[] = [];
async function place(options: Parameters<typeof redis>[1] = {}): Promise<Redis> {
	const made = await redis(server.url, { smallest: 0, perJob: 1e5, ...options });
	open.push(made);
	return made;
}
function odentify(...args: string[]): { code: number | null; out: string; err: string } {
	const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
		encoding: "utf8",
		timeout: 60_000,
	});
	return { code: status, out: stdout, err: stderr };
}

describe.runIf(hasRedis)("redis", () => {
	beforeAll(async () => {
		await build();
		await server.start();
	}, 300_000);
	afterEach(async () => {
		await Promise.all(open.splice(0).map((each) => each.close()));
		await server.endAll();
	});
	afterAll(() => server.clean());

	test.each([1, 2, 4])(
		"the bits of inline, with %i workers",
		async (workers) => {
			for (let i = 0; i < workers; i++) await server.worker("--threads", "1");
			const here = await place();
			expect(here.name).toBe(server.url);
			for (const name of workers === 2 ? names : smallNames)
				for (const batch of [1, 7, 150]) await expectSameBits(here, workOf(name, batch));
			await Promise.all([40, 90, 17].map((batch) => expectSameBits(here, workOf("duffing", batch))));
		},
		120_000,
	);

	test("buffers that are read and written, and scalars that JSON does not have", async () => {
		await server.worker("--threads", "2");
		const here = await place();
		const b = new KernelBuilder();
		const x = b.buffer("x", "lane", "update");
		const s = b.scalar("s", "real");
		b.store(x, 0, b.select(b.lt(b.load(x, 0), b.constant(5)), s, b.load(x, 0)));
		for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -0, 1 / 3]) {
			const values = Float64Array.from({ length: 103 }, (_, i) => i / 10);
			const expected = values.slice();
			const scalars = { s: value };
			runInline(b.kernel("pick"), { batch: 103, buffers: { x: expected }, scalars });
			await here.run(b.kernel("pick"), { batch: 103, buffers: { x: values }, scalars });
			expect(values).toEqual(expected);
		}
	});

	test("without a worker the work is done here, and said so; one that joins late gets its share", async () => {
		const notices: string[] = [];
		const here = await place({ notice: (text) => notices.push(text), perJob: 2e9 });
		await expectSameBits(here, workOf("duffing", 33));
		expect(notices[0]).toMatch(/no worker is at redis:.*odentify worker --queue redis:/);
		// Launch after launch, until a worker that has joined meanwhile has done some of the work.
		const kernel = updateKernel();
		const x = Float64Array.from({ length: 512 }, (_, i) => i);
		const expected = x.slice();
		const launch = (values: Float64Array) => ({
			batch: 512,
			buffers: { x: values },
			scalars: { rounds: 4_000_000 },
		});
		const joining = server.worker("--threads", "1");
		let launches = 0;
		let done = 0;
		while (done === 0 && launches < 100) {
			await here.run(kernel, launch(x));
			launches++;
			done = (await queueStatus(server.url, "test")).workers[0]?.done ?? 0;
		}
		await joining;
		expect(done).toBeGreaterThan(0);
		expect(notices).toContain(`a worker is at ${server.url}`);
		for (let i = 0; i < launches; i++) runInline(kernel, launch(expected));
		expect(x).toEqual(expected);
	}, 120_000);

	test("a worker that is told to leave ends its batches first", async () => {
		const [first] = [await server.worker("--threads", "1"), await server.worker("--threads", "1")];
		const here = await place({ perJob: 1e9 });
		const kernel = updateKernel();
		const x = Float64Array.from({ length: 256 }, (_, i) => i);
		const expected = x.slice();
		const scalars = { rounds: 4_000_000 };
		const running = here.run(kernel, { batch: 256, buffers: { x }, scalars });
		await new Promise((next) => setTimeout(next, 300));
		expect(await server.end(first, "SIGTERM")).toBe(0);
		await running;
		runInline(kernel, { batch: 256, buffers: { x: expected }, scalars });
		expect(x).toEqual(expected);
		const { workers, jobs } = JSON.parse(odentify("queue", server.url, "--json").out);
		expect(workers).toHaveLength(1);
		expect(jobs).toMatchObject({ waiting: 0, active: 0, failed: 0 });
	}, 120_000);

	test("work whose client is gone is given up", async () => {
		await server.worker("--threads", "1");
		const here = await place({ perJob: 1e12 });
		const x = new Float64Array(64);
		const endless = here.run(updateKernel(), { batch: 64, buffers: { x }, scalars: { rounds: 2 ** 31 - 1 } });
		endless.catch(() => {});
		await new Promise((next) => setTimeout(next, 700));
		await here.close();
		await expect(endless).rejects.toThrow(/closed/);
		const again = await place();
		await expectSameBits(again, workOf("duffing", 64));
	}, 60_000);

	test("errors of a worker are errors here", async () => {
		await server.worker("--threads", "1");
		const here = await place();
		const b = new KernelBuilder();
		const [x, y] = [b.buffer("x", "lane"), b.buffer("y", "lane", "write")];
		b.store(y, 0, b.load(x, 0));
		const kernel = b.kernel("copy");
		const call = { do: "let", id: 99, type: "lane", op: "call", args: [0], name: "none" } as const;
		const unknown: Kernel = { ...kernel, body: [...kernel.body, call] };
		const buffers = { x: new Float64Array(64), y: new Float64Array(64) };
		await expect(here.run(unknown, { batch: 64, buffers })).rejects.toThrow(/a statement that is none/);
		await expectSameBits(here, workOf("duffing", 64));
	});

	test("workers of another version are named, and get nothing", async () => {
		// The same worker with another number: its queue is another one.
		const hook = `export async function load(url, context, next) {
			const source = 'export const version = "9.9.9";';
			return url.endsWith("/dist/version.js") ? { format: "module", shortCircuit: true, source } : next(url, context);
		}`;
		const asModule = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
		const register = `import { register } from "node:module"; register(${JSON.stringify(asModule(hook))});`;
		process.env.NODE_OPTIONS = `--import=${asModule(register)}`;
		try {
			await server.worker("--threads", "1");
		} finally {
			delete process.env.NODE_OPTIONS;
		}
		const notices: string[] = [];
		const here = await place({ notice: (text) => notices.push(text) });
		await expectSameBits(here, workOf("duffing", 33));
		expect(notices[0]).toMatch(
			/^1 worker of version 9\.9\.9 is at redis:.* and is not used: this is version 0\./,
		);
		expect(notices[1]).toMatch(/^no worker is at/);
		const alone = odentify("queue", server.url).out;
		expect(alone).toMatch(/ 0 workers, 0 threads\n/);
		expect(alone).toMatch(/1 worker of version 9\.9\.9 is there and gets no batches of this version/);
		await server.worker("--threads", "1");
		await expectSameBits(here, workOf("duffing", 90));
		const { workers } = await queueStatus(server.url, "test");
		const done = (own: boolean) => workers.find(({ version }) => (version !== "9.9.9") === own)?.done;
		expect(done(false)).toBe(0);
		expect(odentify("queue", server.url).out).toMatch(/ 1 worker, 1 thread\n/);
	}, 60_000);

	test("odentify queue counts the batches at work where they are", async () => {
		await server.worker("--threads", "1");
		await server.worker("--threads", "1");
		const here = await place({ perJob: 1e12 });
		const x = new Float64Array(64);
		const endless = here.run(updateKernel(), { batch: 64, buffers: { x }, scalars: { rounds: 2 ** 31 - 1 } });
		endless.catch(() => {});
		let status = await queueStatus(server.url, "test");
		while (status.jobs.active === 0) status = await queueStatus(server.url, "test");
		expect(status.workers.reduce((sum, { active }) => sum + active, 0)).toBe(status.jobs.active);
	}, 60_000);

	test("odentify run --compute redis://, and odentify queue", async () => {
		await server.worker("--threads", "1");
		const workplace = new Workplace(decayFiles);
		try {
			const run = (...args: string[]) => workplace.run("run", "study.yaml", "--out", ...args);
			expect(run("one", "--compute", "inline").code).toBe(0);
			expect(run("two", "--compute", server.url)).toMatchObject({ code: 0, err: "" });
			expect(workplace.text("two/trajectory.csv")).toBe(workplace.text("one/trajectory.csv"));
			expect(workplace.text("two/log.jsonl")).toContain(`"compute":"${server.url}"`);
		} finally {
			workplace.clean();
		}
		const { code, out } = odentify("queue", server.url);
		expect(code).toBe(0);
		expect(out).toMatch(/1 worker, 1 thread\n.*0 waiting, 0 at work, 0 failed/);
	}, 60_000);
});

describe("a queue that cannot be used", () => {
	beforeAll(build, 300_000);
	test.each([
		["redis://", /is no address|names no host/],
		["redis://h:1/x", /no number of a database/],
		["redis://h:1?a=b", /after \?/],
		["redis://:hush%@h:1", /password.*percent-encoding\n.*% is %25, # is %23, @ is %40, \/ is %2F/],
		["redis://hush%zz:x@h:1", /user.*percent-encoding/],
		["redis://:hush#x@h:1", /is no address of a queue.*\n.*# is %23/],
		["redis://:hush/x@h:1", /is no address of a queue.*\n.*\/ is %2F/],
		["redis://u:1#hush@h:1", /after \? or #.*\n.*# is %23/],
	])("%s", async (url, problem) => {
		const failed = redis(url);
		await expect(failed).rejects.toThrow(InputError);
		await expect(failed).rejects.toThrow(problem);
		await expect(failed).rejects.not.toThrow(/hush/);
	});

	test("no server there", async () => {
		const failed = redis("redis://:secret@127.0.0.1:1");
		await expect(failed).rejects.toThrow(/redis:\/\/127\.0\.0\.1:1 does not answer/);
		await expect(failed).rejects.not.toThrow(/secret/);
	});

	test("a server of something else", async () => {
		const web = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
		await once(web, "listening");
		try {
			const failed = redis(`redis://127.0.0.1:${(web.address() as AddressInfo).port}`);
			await expect(failed).rejects.toThrow(/is something else than Redis\n.*right port/);
			await expect(failed).rejects.toThrow(InputError);
		} finally {
			web.close();
		}
	});

	test.runIf(hasRedis)(
		"a database that the server does not have",
		async () => {
			const small = new RedisServer(["--databases", "4"]);
			try {
				await small.start();
				await (await redis(`${small.url}/3`)).close();
				for (const db of ["4", "99", "99999999999999999999"]) {
					const failed = redis(`${small.url}/${db}`);
					await expect(failed).rejects.toThrow(InputError);
					await expect(failed).rejects.toThrow(`has no database ${db}`);
				}
				expect(odentify("worker", "--queue", `${small.url}/4`)).toMatchObject({ code: 2 });
				expect(odentify("queue", `${small.url}/4`)).toMatchObject({ code: 2 });
			} finally {
				await small.clean();
			}
		},
		60_000,
	);

	test.runIf(hasRedis)("password", async () => {
		const guarded = new RedisServer(["--requirepass", "secret"]);
		try {
			await guarded.start();
			const failed = redis(guarded.url);
			await expect(failed).rejects.toThrow(/does not let us in/);
			await expect(failed).rejects.toThrow(/redis:\/\/:PASSWORD@host/);
			const here = await redis(guarded.url.replace("://", "://:secret@"));
			expect(here.name).toBe(guarded.url);
			await here.close();
		} finally {
			await guarded.clean();
		}
	});
});
