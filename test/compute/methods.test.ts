/** Every method, wherever its batches run: the same answer, bit for bit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import { inline } from "../../src/compute/inline.ts";
import { Automatic } from "../../src/compute/node/automatic.ts";
import { cuda } from "../../src/compute/node/cuda/cuda.ts";
import { native } from "../../src/compute/node/native.ts";
import { redis } from "../../src/compute/node/redis/redis.ts";
import { Threads } from "../../src/compute/node/threads.ts";
import { methods } from "../../src/methods/registry.ts";
import { build } from "../cli/odentify.ts";
import { hasCompiler } from "../lower/support/native.ts";
import { repeated } from "../repetitions.ts";
import { buildEmulator, hasCpp } from "./cuda-emulator/build.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";
import { answerOn, studies } from "./small-studies.ts";

const folder = mkdtempSync(join(tmpdir(), "odentify-methods-"));
const before = process.env.XDG_CACHE_HOME;
const server = new RedisServer();
const made: Compute[] = [];
let atWork = 0;
/** Every place there is on this machine; all of them take even the smallest launch. */
const places = new Map<string, () => Promise<Compute>>([
	...[1, 2, 4].map(
		(threads) => [`threads, ${threads}`, async () => new Threads({ threads, smallest: 0 })] as const,
	),
	[
		"automatic",
		async () => new Automatic({ base: new Threads({ threads: 2, smallest: 0 }), compileCost: () => 0 }),
	],
	...(hasCompiler ? [["native", () => native({ threads: 2, smallest: 0 })] as const] : []),
	...(hasCpp
		? [
				[
					"cuda, exact (emulated)",
					() => cuda({ exact: true, smallest: 0, libraries: buildEmulator(folder) }),
				] as const,
			]
		: []),
	...(hasRedis
		? repeated([2], [1, 2, 4]).map(
				(workers) =>
					[
						`redis, ${workers} workers`,
						async () => {
							if (atWork === 0) await server.start();
							for (; atWork < workers; atWork++) await server.worker("--threads", "1");
							return redis(server.url, { smallest: 0, perJob: 1e5 });
						},
					] as const,
			)
		: []),
]);

const expected = new Map<string, { text: string; launches: number }>();
beforeAll(async () => {
	process.env.XDG_CACHE_HOME = folder;
	await build();
	for (const method of Object.keys(studies)) expected.set(method, await answerOn(inline, method));
}, 300_000);
afterAll(async () => {
	for (const place of made) await place.close?.();
	await server.clean();
	if (before === undefined) delete process.env.XDG_CACHE_HOME;
	else process.env.XDG_CACHE_HOME = before;
	rmSync(folder, { recursive: true, force: true });
});

/** The others never ask the place for anything. */
const inBatches = ["fit", "bayes", "periodic", "inversion", "all"];

test("every method has its study, and those that compute in batches send them to the places", () => {
	expect(Object.keys(studies).sort()).toEqual([...methods.keys()].sort());
	const sending = [...expected].filter(([, { launches }]) => launches > 0).map(([method]) => method);
	expect(sending.sort()).toEqual([...inBatches].sort());
});

test.each(Object.keys(studies).filter((method) => !inBatches.includes(method)))(
	"%s gives the same answer on a place that does nothing",
	async (method) => {
		const refuse = (): never => {
			throw new Error("asked");
		};
		const { text } = await answerOn({ name: "nowhere", run: refuse, allocate: refuse }, method);
		expect(text === expected.get(method)!.text).toBe(true);
	},
	120_000,
);

describe.each([...places])("%s", (_, make) => {
	let place: Compute;
	beforeAll(async () => {
		place = await make();
		made.push(place);
	}, 60_000);
	test.each(inBatches)(
		"%s",
		async (method) => {
			const { text, launches } = await answerOn(place, method);
			expect(text === expected.get(method)!.text).toBe(true);
			expect(launches).toBe(expected.get(method)!.launches);
		},
		120_000,
	);
});
