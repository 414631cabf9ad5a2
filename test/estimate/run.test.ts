/** What all runs have in common: how a checkpoint keeps numbers, and how far a run is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBytes, toBytes } from "../../src/estimate/run/checkpoint-text.ts";
import { WorkDone } from "../../src/estimate/run/progress.ts";

describe("a checkpoint", () => {
	it("gives back what was saved, numbers that are not finite too", () => {
		const state = {
			cost: Infinity,
			starts: [{ z: [1, 0.1, Number.NaN], cost: Number.NEGATIVE_INFINITY }, null],
			label: "Infinity",
			none: null,
			yes: true,
		};
		expect(fromBytes(toBytes(state))).toEqual(state);
	});

	it("keeps every number, bit for bit, the zero below 0 too", () => {
		fc.assert(
			fc.property(fc.array(fc.double()), (z) => {
				expect(fromBytes(toBytes({ z, of: -0 }))).toEqual({ z, of: -0 });
			}),
			{ seed: 1 },
		);
	});

	it("keeps what only looks like a number that was kept", () => {
		const state = { name: { $number: "x" } };
		expect(fromBytes(toBytes(state))).toEqual(state);
	});

	it("of finite numbers is plain JSON", () => {
		const state = { phase: "search", z: [1e-300, 0.1 + 0.2] };
		expect(new TextDecoder().decode(toBytes(state))).toBe(JSON.stringify(state));
	});
});

describe("work done", () => {
	it("rises within its phase and never falls, whatever is begun again", () => {
		const work = new WorkDone();
		expect(work.inPhase([0, 0.5], 0.5)).toBe(0.25);
		expect(work.inPhase([0.5, 1], 0.5)).toBe(0.75);
		expect(work.inPhase([0, 0.5], 0)).toBe(0.75);
		expect(work.inPhase([0.5, 1], 7)).toBe(1);
		expect(work.rise(Number.NaN)).toBe(1);
	});

	it("goes on from an earlier process", () => {
		expect(new WorkDone(0.4).inPhase([0, 1], 0.1)).toBe(0.4);
	});
});
