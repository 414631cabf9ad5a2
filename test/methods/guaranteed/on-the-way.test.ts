/** A search on the way: at any time the boxes that are shown hold all that is consistent, and a large paving is gone on with where it was left. */
import { describe, expect, it } from "vitest";
import type { Figure } from "../../../src/estimate/figure.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { GuaranteedRun } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { BatchPaving } from "../../../src/methods/guaranteed/paving/batch-paving.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { problemOf, record } from "./records.ts";

const text = `param a in [0.1, 1.5], b in [0.05, 1]
state x = 1, y = 0
x' = -a*x
y' = a*x - b*y
measure z in y +- 0.05`;
const times = Float64Array.of(0, 1, 2, 3, 4, 5);
const values = times.map((t) => (0.5 / 0.2) * (Math.exp(-0.3 * t) - Math.exp(-0.5 * t)));
const problem = problemOf(parseModel(text, "m.ode"), [record(times, new Map([["z", values]]))]);
const runWith = (options: object): GuaranteedRun =>
	new GuaranteedRun(problem, { ...defaultOptions(guaranteedOptions), ...options });

function holds({ marks }: Figure, x: number, y: number): boolean {
	return marks.some(
		(mark) =>
			mark.type === "boxes" &&
			Array.from(mark.x0, (_, k) => k).some(
				(k) => mark.x0[k] <= x && x <= mark.x1[k] && mark.y0[k] <= y && y <= mark.y1[k],
			),
	);
}

describe("on the way", () => {
	it("every glimpse holds the truth in a box, and the set only shrinks", async () => {
		const run = runWith({ boxes: 3000, parts: 4, precision: 0.01 });
		let glimpses = 0;
		let before = Number.POSITIVE_INFINITY;
		for (;;) {
			const { done, label } = await run.advance();
			if (done) break;
			if (!run.paving)
				expect(label).toMatch(
					/^\d+ Taylor models?, \d+ pass(es)? over the data, [\d.e-]+ % of the sets left$/,
				);
			const [figure] = guaranteed.glimpse(run).figures;
			expect(figure.caption).toContain("So far: ");
			expect(holds(figure, 0.5, 0.3)).toBe(true);
			const [lo, hi] = run.enclosure!;
			expect(hi - lo).toBeLessThanOrEqual(before);
			before = hi - lo;
			glimpses++;
		}
		expect(glimpses).toBeGreaterThan(5);
		expect(guaranteed.glimpse(run).figures).toEqual([]);
	});
	it("the answer so far shows the boxes that are still to be sorted, as cells where they are many", async () => {
		const run = runWith({ boxes: 50_000, precision: 0.001 });
		let [seen, most] = [0, 0];
		while (!(await run.advance()).done) {
			if (run.boxCount < 1500 || run.boxCount > 20_000) continue;
			const figure = (await guaranteed.result(run)).figures.find(({ name }) => name === "boxes-0-1")!;
			expect(holds(figure, 0.5, 0.3)).toBe(true);
			seen++;
			for (const mark of figure.marks) if (mark.type === "boxes") most = Math.max(most, mark.x0.length);
		}
		expect(seen).toBeGreaterThan(1);
		expect(most).toBeLessThanOrEqual(48 * 48);
	});
	it("a large paving is gone on with where it was left, to the same boxes", async () => {
		const options = { boxes: 30_000, precision: 0.002 };
		const whole = runWith(options);
		while (!(await whole.advance()).done);
		const first = runWith(options);
		while (!(first.paving instanceof BatchPaving && first.paving.tried > 300)) await first.advance();
		const bytes = guaranteed.save(first);
		const given = { ...defaultOptions(guaranteedOptions), ...options };
		const second = await guaranteed.load(problem, given, bytes);
		expect((second.paving as BatchPaving).tried).toBe(first.paving.tried);
		while (!(await second.advance()).done);
		expect(second.paving!.inner).toEqual(whole.paving!.inner);
		expect(second.paving!.outer).toEqual(whole.paving!.outer);
		expect(second.enclosure).toEqual(whole.enclosure);
	});
});
