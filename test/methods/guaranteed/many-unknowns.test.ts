/** Several unknowns that act together on what is measured: boxes are sorted coarsely first, then their ends are searched for. */
import { describe, expect, it } from "vitest";
import type { Compute, Crew } from "../../../src/compute/compute.ts";
import { inline } from "../../../src/compute/inline.ts";
import { Threads } from "../../../src/compute/node/threads.ts";
import { outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import * as passes from "../../../src/methods/guaranteed/search/pass-work.ts";
import * as pieces from "../../../src/methods/guaranteed/search/piece-work.ts";
import { stream } from "../../../src/num/random.ts";
import { enclose, record, simulateTruth } from "./records.ts";

/** A chain of compartments whose rates are unknown; only its two ends are measured. */
function chain(
	n: number,
	values: readonly number[],
	bar: number,
	end: number,
	noise = (i: number): number => ((7 * (i % 11)) % 5) / 2 - 1,
) {
	const rate = (i: number): string => (i < values.length ? `k${i}` : "0.5");
	const names = values.map((_, i) => `k${i}`);
	const equations = Array.from(
		{ length: n },
		(_, i) => `x${i}' = -${rate(i)}*x${i}${i === 0 ? "" : ` + ${rate(i - 1)}*x${i - 1}`}`,
	);
	const body = `state ${equations.map((_, i) => `x${i} = ${i === 0 ? 1 : 0}`).join(", ")}\n${equations.join("\n")}`;
	const times = Float64Array.from({ length: 11 }, (_, i) => (i * end) / 10);
	const { outputs } = simulateTruth({
		text: `param ${names.join(", ")}\n${body}\nmeasure u = x0\nmeasure w = x${n - 1}`,
		values: Object.fromEntries(names.map((name, i) => [name, values[i]])),
		x0: equations.map((_, i) => (i === 0 ? 1 : 0)),
		times,
	});
	const noisy = new Map(
		[...outputs].map(([name, y], k) => [name, y.map((value, i) => value + 0.9 * bar * noise(11 * k + i))]),
	);
	const text = `param ${names.map((name) => `${name} in [0.2, 1]`).join(", ")}\n${body}\nmeasure u in x0 +- ${bar}\nmeasure w in x${n - 1} +- ${bar}`;
	return { text, train: [record(times, noisy)] };
}

describe("many unknowns", () => {
	const values = [0.5, 0.4, 0.6];
	it("are all narrowed where only the ends of a chain are measured, and hold the truth", async () => {
		const { text, train } = chain(4, values, 0.003, 8);
		const run = await enclose(text, train, { boxes: 500, effort: 6 });
		expect(outcomeOf(run)).toBe("proved");
		const box = run.enclosure!;
		values.forEach((value, k) => {
			expect(box[2 * k]).toBeLessThanOrEqual(value);
			expect(box[2 * k + 1]).toBeGreaterThanOrEqual(value);
			expect(box[2 * k + 1] - box[2 * k]).toBeLessThan(0.6 * 0.8);
		});
	}, 180_000);
	it("are followed again from what their ends have left, where enclosures are rough beside the bars", async () => {
		const random = stream(1, "noise");
		const rates = [...values, 0.45];
		const { text, train } = chain(5, rates, 0.01, 8, (i) => 2 * random.uniform(i) - 1);
		const run = await enclose(text, train, { timeOrder: 6, tolerance: 1e-5, boxes: 1500 });
		const box = run.enclosure!;
		// What is consistent is at least 0.7 of the sets; one round of ends leaves 0.8 to 0.92.
		for (let k = 0; k < rates.length; k++) {
			expect(box[2 * k] <= rates[k] && rates[k] <= box[2 * k + 1]).toBe(true);
			expect(box[2 * k + 1] - box[2 * k]).toBeLessThan(0.75 * 0.8);
		}
	}, 180_000);
	it("come to the same bits from a checkpoint, before and after their ends are known", async () => {
		const { text, train } = chain(3, values, 0.01, 6);
		const options = { boxes: 200, effort: 2 };
		const whole = await enclose(text, train, options);
		for (const passes of [2, whole.passes]) {
			const resumed = await enclose(text, train, options, (run) => run.passes >= passes && !run.done);
			expect([...resumed.enclosure!]).toEqual([...whole.enclosure!]);
			expect(resumed.effort.spent).toBe(whole.effort.spent);
		}
	}, 180_000);

	describe("by several hands", () => {
		const { text, train } = chain(4, values, 0.003, 8);
		const options = { boxes: 200, effort: 1.5 };
		const same = async (place: Compute): Promise<void> => {
			const whole = await enclose(text, train, options);
			const together = await enclose(text, train, options, undefined, place);
			expect(together.effort.spent).toBe(whole.effort.spent);
			expect(whole.passes).toBeGreaterThan(4);
			expect(together.passes).toBe(whole.passes);
			expect(together.save()).toEqual(whole.save());
			expect(together.paving!.inner).toEqual(whole.paving!.inner);
			expect(together.paving!.outer).toEqual(whole.paving!.outer);
		};

		it.each([2, 3])(
			"come to the same bits in %i threads",
			async (threads) => {
				const place = new Threads({ threads });
				let crews = 0;
				await same({
					name: "threads",
					run: (kernel, launch) => place.run(kernel, launch),
					crew: (module, common) => {
						crews++;
						return place.crew(module, common);
					},
				});
				expect(crews).toBeGreaterThanOrEqual(2);
				await place.close();
			},
			180_000,
		);

		it("come to the same bits where they answer out of order, and where some fail", async () => {
			let asked = 0;
			await same({
				...inline,
				crew: <Item, Answer>(module: string, common: unknown): Crew<Item, Answer> => {
					const works: Record<string, unknown> = {
						[passes.passWork]: passes.begin,
						[pieces.pieceWork]: pieces.begin,
					};
					const begin = works[module] as (common: unknown) => (item: unknown) => unknown;
					const work = begin(structuredClone(common));
					return {
						size: 4,
						async do(item) {
							const turn = asked++;
							await new Promise((next) => setTimeout(next, (7 * turn) % 5));
							if (turn % 6 === 3) throw new Error("gone");
							return structuredClone(work(structuredClone(item))) as Answer;
						},
						close() {},
					};
				},
			});
			expect(asked).toBeGreaterThan(20);
		}, 180_000);
	});
});
