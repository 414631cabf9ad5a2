/** Pavings by the batch: the kernel does what the reader of constraints does, to the bit, and on every place the same. */
import { describe, expect, it } from "vitest";
import { inline, runInline } from "../../../src/compute/inline.ts";
import { Threads } from "../../../src/compute/node/threads.ts";
import { endless } from "../../../src/methods/guaranteed/flow/effort.ts";
import { BatchPaving } from "../../../src/methods/guaranteed/paving/batch-paving.ts";
import { contractKernel, cut } from "../../../src/methods/guaranteed/paving/contract-kernel.ts";
import { halvesOf, Sivia } from "../../../src/methods/guaranteed/paving/sivia.ts";
import { compartments, enclose, paperRecord, record } from "./records.ts";

const twoRates = `param a in [0.4, 0.6], b in [0.2, 0.4]
state x = 1, y = 0
x' = -a*x
y' = a*x - b*y
measure z in y +- 0.01`;
const times = Float64Array.of(0, 1, 2, 3, 4, 5);
const values = times.map(
	(t, i) => (0.5 / 0.2) * (Math.exp(-0.3 * t) - Math.exp(-0.5 * t)) + 0.004 * ((i % 3) - 1),
);

describe("a paving by the batch", () => {
	it("narrows and sorts each box as the reader does, constraint by constraint", async () => {
		const run = await enclose(twoRates, [record(times, new Map([["z", values]]))], { boxes: 0 });
		const { constraints } = run.parts[0];
		const { table } = run.flows[0];
		const count = 500;
		const small = Float64Array.of(0.01, 0.03);
		for (const constraint of constraints) {
			const { kernel, rules, scalars } = contractKernel(small, [{ table, constraints: [constraint] }]);
			const box = new Float64Array(4 * count);
			const whole = run.prior;
			for (let b = 0; b < count; b++)
				for (let k = 0; k < 2; k++) {
					const at = ((b * (k === 0 ? 7 : 13)) % 31) / 32;
					const size = b % 10 === 9 ? 0 : 1 / (2 + (b % 40));
					const wide = whole[2 * k + 1] - whole[2 * k];
					box[2 * k * count + b] = whole[2 * k] + at * wide * 0.5;
					box[(2 * k + 1) * count + b] = box[2 * k * count + b] + size * wide * 0.5;
				}
			const given = box.slice();
			const verdict = new Float64Array(count);
			runInline(kernel, { batch: count, buffers: { box, verdict, rules }, scalars });
			for (let b = 0; b < count; b++) {
				const own = Float64Array.from({ length: 4 }, (_, i) => given[i * count + b]);
				const found = run.reader(constraint).contract(constraint, own);
				expect(["outside", "inside", "unknown"][Math.min(2, verdict[b])]).toBe(found);
				if (found === "outside") continue;
				expect(Array.from({ length: 4 }, (_, i) => box[i * count + b])).toEqual([...own]);
				if (found === "inside") continue;
				const halves = halvesOf(own, small);
				expect(verdict[b] >= cut).toBe(halves !== undefined);
				if (halves) expect(halves[0][2 * (verdict[b] - cut) + 1]).not.toBe(own[2 * (verdict[b] - cut) + 1]);
			}
		}
	});

	it("comes to the set of boxes cut one by one, and to the same bits in threads", async () => {
		const run = await enclose(twoRates, [record(times, new Map([["z", values]]))], { boxes: 0 });
		const [{ box, constraints }] = run.parts;
		const small = Float64Array.from([0, 1], (k) => 0.004 * (box[2 * k + 1] - box[2 * k]));
		const pave = async (place: typeof inline): Promise<BatchPaving> => {
			const paving = new BatchPaving((e) => run.flows[e].table, small, 1e6, endless());
			paving.add(box, constraints);
			while (!paving.done) await paving.advance(place);
			return paving;
		};
		const here = await pave(inline);
		const one = new Sivia(run.reader, small, 1e6, endless());
		one.add(box, constraints);
		while (!one.done) one.advance(1000);
		expect(here.inner.length).toBeGreaterThan(1000);
		// A box that is inside of a datum as a whole is not asked again in parts, one by one.
		expect(Math.abs(here.inner.length / one.inner.length - 1)).toBeLessThan(0.01);
		expect(areaOf(here.inner) / areaOf(one.inner)).toBeCloseTo(1, 3);
		expect(areaOf(here.outer) / areaOf(one.outer)).toBeCloseTo(1, 1);
		const threads = new Threads({ threads: 2, smallest: 0 });
		const there = await pave(threads);
		await threads.close();
		expect(there.inner).toEqual(here.inner);
		expect(there.outer).toEqual(here.outer);
	});

	it("stops at the number of boxes, and keeps what was not looked at", async () => {
		const run = await enclose(twoRates, [record(times, new Map([["z", values]]))], { boxes: 0 });
		const [{ box, constraints }] = run.parts;
		const small = Float64Array.from([0, 1], (k) => 0.004 * (box[2 * k + 1] - box[2 * k]));
		const paving = new BatchPaving((e) => run.flows[e].table, small, 701, endless());
		paving.add(box, constraints);
		while (!paving.done) await paving.advance(inline);
		expect(paving.tried).toBe(701);
		expect(paving.exhausted).toBe(true);
		const left = areaOf(paving.inner) + areaOf(paving.outer);
		const whole = new BatchPaving((e) => run.flows[e].table, small, 1e6, endless());
		whole.add(box, constraints);
		while (!whole.done) await whole.advance(inline);
		expect(left).toBeGreaterThanOrEqual((areaOf(whole.inner) + areaOf(whole.outer)) * (1 - 1e-9));
	});

	it("is what a study with many boxes gets", async () => {
		const run = await enclose(compartments, [paperRecord()], { boxes: 20_000, precision: 1e-4 });
		const few = await enclose(compartments, [paperRecord()], { boxes: 19_999, precision: 1e-4 });
		expect(run.paving).toBeInstanceOf(BatchPaving);
		expect(few.paving).toBeInstanceOf(Sivia);
		expect(run.enclosure![0]).toBeCloseTo(few.enclosure![0], 8);
		expect(run.enclosure![1]).toBeCloseTo(few.enclosure![1], 8);
	});
});

function areaOf(boxes: readonly Float64Array[]): number {
	return boxes.reduce((sum, box) => sum + (box[1] - box[0]) * (box[3] - box[2]), 0);
}
