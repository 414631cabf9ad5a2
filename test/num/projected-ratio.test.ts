/** Tails of a ratio within what a fit leaves: against draws, and against the ratio of all directions. */
import { expect, test } from "vitest";
import { stream } from "../../src/num/random.ts";
import { projectedRatioTail } from "../../src/num/statistics/projected-ratio.ts";
import { ratioTail } from "../../src/num/statistics/quadratic-ratio.ts";

const n = 24;
/** Falling weights, as smoothers have. */
const weight = Float64Array.from({ length: n }, (_, i) => 1 / (1 + 0.3 * i * i));

/** Orthonormal columns, drawn: of the first directions mostly, if `isSmooth`. */
function directions(p: number, seed: number, isSmooth: boolean): Float64Array[] {
	const random = stream(seed, "directions");
	const columns: Float64Array[] = [];
	for (let j = 0; j < p; j++) {
		const column = Float64Array.from(
			{ length: n },
			(_, i) => random.normal(j * n + i) * (isSmooth ? Math.exp(-i / 3) : 1),
		);
		for (const other of columns) {
			const dot = other.reduce((sum, value, i) => sum + value * column[i], 0);
			for (let i = 0; i < n; i++) column[i] -= dot * other[i];
		}
		const length = Math.hypot(...column);
		columns.push(column.map((value) => value / length));
	}
	return columns;
}

const projected = (columns: readonly Float64Array[]) => ({
	weight,
	nTaken: columns.length,
	taken: Float64Array.from({ length: n * columns.length }, (_, at) =>
		columns.length === 0 ? 0 : columns[at % columns.length][Math.floor(at / columns.length)],
	),
});

test("nothing taken out: the ratio itself", () => {
	const times = new Float64Array(n).fill(1);
	for (const c of [0.2, 0.3, 0.5, 0.8])
		expect(projectedRatioTail(projected([]), c) / ratioTail({ weight, times }, c)).toBeCloseTo(1, 8);
});

test("the first directions taken out: the ratio of the others", () => {
	const columns = [0, 1, 2].map((k) => Float64Array.from({ length: n }, (_, i) => (i === k ? 1 : 0)));
	const rest = { weight: weight.slice(3), times: new Float64Array(n - 3).fill(1) };
	for (const c of [0.05, 0.1, 0.15])
		expect(projectedRatioTail(projected(columns), c) / ratioTail(rest, c)).toBeCloseTo(1, 6);
});

test.each([
	[2, 1, false],
	[5, 2, false],
	[5, 3, true],
	[8, 4, true],
])("%i directions (seed %i): as often as draws", (p, seed, isSmooth) => {
	const columns = directions(p, seed, isSmooth);
	const random = stream(seed, "draws");
	const nDraws = 20_000;
	const ratios = Array.from({ length: nDraws }, (_, d) => {
		const z = Float64Array.from({ length: n }, (_, i) => random.normal(d * n + i));
		for (const column of columns) {
			const dot = column.reduce((sum, value, i) => sum + value * z[i], 0);
			for (let i = 0; i < n; i++) z[i] -= dot * column[i];
		}
		let [form, squares] = [0, 0];
		for (let i = 0; i < n; i++) {
			form += weight[i] * z[i] * z[i];
			squares += z[i] * z[i];
		}
		return form / squares;
	}).sort((a, b) => a - b);
	for (const rare of [0.1, 0.02, 0.004]) {
		const tail = projectedRatioTail(projected(columns), ratios[Math.floor((1 - rare) * nDraws)]);
		// Four standard deviations of the count, and a twentieth for the approximation.
		expect(Math.abs(tail / rare - 1)).toBeLessThan(4 / Math.sqrt(rare * nDraws) + 0.05);
	}
});
