/** The share of inner boxes in what is left: said in the summary and in the sentence, never more than is true. */
import { describe, expect, it } from "vitest";
import { answer } from "../../../src/methods/guaranteed/answer/answer.ts";
import { invert } from "../../../src/methods/guaranteed/entry.ts";
import { innerShare } from "../../../src/methods/guaranteed/paving/inner-share.ts";
import { compartments, enclose, paperRecord, record } from "./records.ts";

describe("the share of inner boxes", () => {
	it("is their volume beside that of all boxes, rounded down", async () => {
		const run = await enclose(compartments, [paperRecord()]);
		const { summary, message, files } = await answer(run);
		const boxes = String(files.find(({ name }) => name === "boxes.csv")!.content)
			.trim()
			.split("\n")
			.slice(1)
			.map((line) => line.split(","));
		const volume = (kind: string): number =>
			boxes.filter(([own]) => own === kind).reduce((sum, [, lo, hi]) => sum + Number(hi) - Number(lo), 0);
		const exact = volume("inner") / (volume("inner") + volume("edge"));
		expect(summary.innerShare).toBeLessThanOrEqual(exact);
		expect(summary.innerShare).toBeCloseTo(exact, 6);
		expect(message).toContain(
			`boxes hold nothing but consistent values: at least ${Math.floor(100 * exact)} % of the volume that is left.`,
		);
	});
	it("of a ring is below its own volume beside that of all boxes, and grows with their number", async () => {
		const ring = ["a^2 + b^2 <= 2", "a^2 + b^2 >= 1"];
		const few = await invert({ a: [0, 2], b: [0, 2] }, ring, { options: { precision: 0.05 } });
		const many = await invert({ a: [0, 2], b: [0, 2] }, ring, { options: { precision: 0.01 } });
		for (const { share, inner, edge } of [few, many]) {
			const all = [...inner, ...edge].reduce((sum, [a, b, c, d]) => sum + (b - a) * (d - c), 0);
			expect(share).toBeLessThan(Math.PI / 4 / all);
		}
		expect(many.share).toBeGreaterThan(few.share);
	});
	it("is 0 where no box is inside, and nothing where nothing was paved", async () => {
		const edge = [Float64Array.of(0, 1, 2, 2)];
		expect(innerShare([], edge, Float64Array.of(0, 2, 2, 2))).toBe(0);
		expect(innerShare(edge, edge, Float64Array.of(0, 2, 2, 2))).toBeCloseTo(0.5, 8);
		expect(innerShare([], [], Float64Array.of(0, 2))).toBeUndefined();
		const free = await enclose("param k in [1, 2]\nstate x = 1\nx' = -k*x", [
			record(Float64Array.of(0, 1), new Map()),
		]);
		expect((await answer(free)).summary.innerShare).toBeNull();
		const unpaved = await enclose(compartments, [paperRecord()], { boxes: 0 });
		expect((await answer(unpaved)).summary.innerShare).toBeNull();
	});
});
