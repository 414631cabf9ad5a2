import { afterEach, describe, expect, it, vi } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import type { Result } from "../../src/estimate/result.ts";
import { nothingSeen } from "../../src/estimate/run/glimpse.ts";
import { accentOf } from "../../src/methods/accent.ts";
import type { Method } from "../../src/methods/method.ts";
import type { Problem } from "../../src/methods/problem.ts";
import { runStudy } from "../../src/study/run.ts";

/** Adds up to a hundred, one a step; the clock moves on by `stepSeconds` with each. */
let clock = 0;
function counter(stepSeconds = 0): Method<{ n: number; trail: number[] }> {
	return {
		name: "counter",
		says: "Counts.",
		accent: accentOf("counter"),
		options: {},
		suits: () => undefined,
		appliesTo: () => ({ applies: true, why: "" }),
		prepare: async () => ({ n: 0, trail: [] }),
		async advance(state) {
			clock += 1000 * stepSeconds;
			state.n++;
			state.trail.push(state.n);
			return { done: state.n === 100, fraction: state.n / 100, label: String(state.n) };
		},
		result: async ({ trail }) => ({ predictions: [], summary: { trail } }) as unknown as Result,
		glimpse: () => nothingSeen,
		save: ({ trail }) => Uint8Array.from(trail),
		load: async (_problem, _options, bytes) => ({ n: bytes.length, trail: [...bytes] }),
	};
}
const problem = {
	compute: {} as Compute,
	train: [],
	test: [],
	model: { events: [], params: [], inputs: [], unknowns: [] },
} as unknown as Problem;
const task = (stepSeconds = 0, from?: Uint8Array) => ({
	method: counter(stepSeconds) as Method,
	problem,
	options: {},
	from,
});
const all = Array.from({ length: 100 }, (_, i) => i + 1);

afterEach(() => vi.restoreAllMocks());

describe("driving a method", () => {
	it("advances to the end and tells how far it is", async () => {
		const seen: number[] = [];
		const end = await runStudy(task(), { onProgress: ({ fraction }) => seen.push(fraction) });
		expect(end).toMatchObject({ kind: "done", result: { summary: { trail: all } } });
		expect(seen).toEqual(all.map((n) => n / 100));
	});

	it("says when it is ready, after the problem was accepted and before the first step", async () => {
		const order: string[] = [];
		await runStudy(task(), { onReady: () => void order.push("ready"), onProgress: () => order.push("step") });
		expect(order.slice(0, 2)).toEqual(["ready", "step"]);
		const bad: Method = { ...counter(), prepare: () => Promise.reject(new Error("no")) } as Method;
		const ready = vi.fn();
		await expect(runStudy({ ...task(), method: bad }, { onReady: ready })).rejects.toThrow("no");
		expect(ready).not.toHaveBeenCalled();
	});

	it("stops when asked, and goes on from there to the same end", async () => {
		let kept: Uint8Array | undefined;
		let steps = 0;
		const end = await runStudy(task(), {
			onProgress: () => steps++,
			isStopped: () => steps === 37,
			onCheckpoint: (bytes) => {
				kept = bytes;
			},
		});
		expect(end).toEqual({ kind: "stopped" });
		expect(kept).toHaveLength(37);
		const rest = await runStudy(task(0, kept));
		expect(rest).toMatchObject({ kind: "done", result: { summary: { trail: all } } });
	});

	it("breaks off a long step when asked, keeps what was before it, and goes on to the same end", async () => {
		const long: Method<{ n: number; trail: number[] }> = {
			...counter(),
			async prepare(own) {
				return { n: 0, trail: [], own } as never;
			},
			async advance(state) {
				const { compute } = (state as unknown as { own: Problem }).own;
				// Half changed while it works.
				state.trail.push(0);
				if (state.n === 37)
					for (let i = 0; i < 1000; i++) {
						clock += 60;
						await compute.breathe!();
					}
				state.trail.pop();
				return counter().advance(state);
			},
		};
		clock = 0;
		vi.spyOn(performance, "now").mockImplementation(() => clock);
		let kept: Uint8Array | undefined;
		let steps = 0;
		let asked = 0;
		const end = await runStudy(
			{ ...task(), method: long as Method },
			{
				onProgress: () => {
					steps++;
					clock += 2000;
				},
				isStopped: () => steps === 37 && ++asked > 5,
				onCheckpoint: (bytes) => {
					kept = bytes;
				},
			},
		);
		expect(end).toEqual({ kind: "stopped" });
		expect(asked).toBeLessThan(20);
		expect([...kept!]).toEqual(all.slice(0, 37));
		const rest = await runStudy(task(0, kept));
		expect(rest).toMatchObject({ kind: "done", result: { summary: { trail: all } } });
	});

	it("lets its host breathe before every step", async () => {
		let breaths = 0;
		await runStudy(task(), { breathe: async () => void breaths++ });
		expect(breaths).toBe(100);
	});

	it("keeps a checkpoint every five seconds, and seldomer where saving is slow", async () => {
		clock = 0;
		vi.spyOn(performance, "now").mockImplementation(() => clock);
		const quick: number[] = [];
		await runStudy(task(1), { onCheckpoint: (bytes) => void quick.push(bytes.length) });
		expect(quick).toEqual(all.filter((n) => n % 5 === 0 && n < 100));
		clock = 0;
		const slow: number[] = [];
		await runStudy(task(1), {
			onCheckpoint: (bytes) => {
				slow.push(bytes.length);
				clock += 1000;
			},
		});
		// Saving takes one second: the next one comes twenty later.
		expect(slow).toEqual([5, 25, 45, 65, 85]);
	});
});
