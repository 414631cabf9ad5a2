import { expect, test } from "vitest";
import { covarianceOf, covarianceOfTriangle } from "../../../src/estimate/least-squares/covariance.ts";
import { ChainElimination, type SegmentRows } from "../../../src/estimate/segments/chain-elimination.ts";
import { cutsOf, denserCuts } from "../../../src/estimate/segments/cuts.ts";
import { solveTriangleInto, triangulateInto } from "../../../src/num/linear/householder.ts";
import { stream } from "../../../src/num/random.ts";

const n = 3;
const nBorder = 5;
const weights = Float64Array.of(30, 7, 1);

/** Rows of a segment, drawn. */
function drawn(count: number, seed: number, name: string): SegmentRows {
	const random = stream(seed, name);
	let next = 0;
	const fill = (size: number): Float64Array =>
		Float64Array.from({ length: size }, () => random.normal(next++));
	return { count, own: fill(count * n), border: fill(count * nBorder), right: fill(count) };
}

/** Chains of given lengths: the elimination, and the same problem as one dense matrix (starts, then the border). */
function both(chains: readonly number[], seed: number) {
	const elimination = new ChainElimination(n, nBorder);
	const nStarts = chains.reduce((sum, length) => sum + length - 1, 0);
	const width = nStarts * n + nBorder;
	const rows: { values: Float64Array; right: number }[] = [];
	const put = (part: SegmentRows, start: number, next?: number): void => {
		for (let i = 0; i < part.count; i++) {
			const values = new Float64Array(width);
			if (start >= 0) values.set(part.own.subarray(i * n, (i + 1) * n), start * n);
			if (next !== undefined) values[next * n + i] = -weights[i];
			values.set(part.border.subarray(i * nBorder, (i + 1) * nBorder), nStarts * n);
			rows.push({ values, right: part.right[i] });
		}
	};
	let start = 0;
	chains.forEach((length, c) => {
		for (let k = 0; k < length; k++) {
			const own = k === 0 ? -1 : start - 1;
			const seen = drawn(2 + ((k + c) % 5), seed, `seen ${c} ${k}`);
			put(seen, own);
			if (k === length - 1) elimination.add(own, seen);
			else {
				const ends = drawn(n, seed, `ends ${c} ${k}`);
				const next = start++;
				put(ends, own, next);
				elimination.add(own, seen, { rows: ends, weights, next });
			}
		}
	});
	const m = rows.length;
	const a = new Float64Array(m * width);
	const b = Float64Array.from(rows, ({ right }) => right);
	rows.forEach(({ values }, i) => {
		for (let j = 0; j < width; j++) a[j * m + i] = values[j];
	});
	triangulateInto(a, m, b, m, width);
	const solution = b.slice(0, width);
	solveTriangleInto(solution, a, m, width);
	const rest = b.slice(width).reduce((sum, value) => sum + value * value, 0);
	return { elimination, nStarts, solution, rest };
}

test.each([[[1]], [[6]], [[4, 1, 3]], [[60]]])(
	"the same as one dense least-squares problem: chains of %j",
	(chains) => {
		for (const seed of [1, 2, 3]) {
			const { elimination, nStarts, solution, rest } = both([...chains, 2, 2, 2], seed);
			const border = elimination.border();
			const step = border.right.slice();
			solveTriangleInto(step, border.triangle, nBorder, nBorder);
			const starts = elimination.starts(step, nStarts);
			[...starts, ...step].forEach((value, i) => {
				expect(Math.abs(value - solution[i])).toBeLessThan(1e-9 * (1 + Math.abs(solution[i])));
			});
			expect(Math.abs(border.rest - rest)).toBeLessThan(1e-9 * (1 + rest));
		}
	},
);

test("covariance from a triangle: as by singular values, and none where a direction is open", () => {
	const { elimination } = both([9, 3], 4);
	const { triangle } = elimination.border();
	const rows = new Float64Array(nBorder * nBorder);
	for (let j = 0; j < nBorder; j++)
		for (let i = 0; i <= j; i++) rows[i * nBorder + j] = triangle[j * nBorder + i];
	const { matrix } = covarianceOf(rows, nBorder);
	covarianceOfTriangle(triangle, nBorder)!.forEach((value, i) => {
		expect(Math.abs(value - matrix[i])).toBeLessThan(1e-10 * Math.max(...matrix));
	});
	// Two columns alike.
	const alike = triangle.slice();
	alike.copyWithin(3 * nBorder, 2 * nBorder, 3 * nBorder);
	expect(covarianceOfTriangle(alike, nBorder)).toBeUndefined();
});

test("records are cut without a gap; the last segment takes what is left", () => {
	const grids = [{ times: new Float64Array(11) }, { times: new Float64Array(3) }];
	const cuts = cutsOf(grids, 4);
	expect(
		cuts.segments.map(({ experiment, from, to, start, isLast }) => [experiment, from, to, start, isLast]),
	).toEqual([
		[0, 0, 4, -1, false],
		[0, 4, 11, 0, true],
		[1, 0, 3, -1, true],
	]);
	expect(denserCuts(cuts, 3).segments.map(({ from, to }) => [from, to])).toEqual([
		[0, 12],
		[12, 31],
		[0, 7],
	]);
});
