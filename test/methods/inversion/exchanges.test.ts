import { expect, test } from "vitest";
import { exchanges } from "../../../src/methods/inversion/selection/exchanges.ts";
import { stream } from "../../../src/num/random.ts";

const rows = 60;
const random = stream(4, "exchanges");
const column = (k: number): number[] => Array.from({ length: rows }, (_, i) => random.normal(k * rows + i));
const first = column(0);
const second = column(1);
/** Nearly the second one. */
const twin = second.map((value, i) => value + 0.01 * column(2)[i]);
const other = column(3);
const columns = [first, second, twin, other];
const data = first.map((value, i) => 2 * value + second[i] + 0.1 * column(4)[i]);

const dot = (a: readonly number[], b: readonly number[]): number =>
	a.reduce((sum, value, i) => sum + value * b[i], 0);

/** Least squares of two columns. */
function fitted(a: readonly number[], b: readonly number[]): { x: number; y: number; sse: number } {
	const determinant = dot(a, a) * dot(b, b) - dot(a, b) ** 2;
	const x = (dot(b, b) * dot(a, data) - dot(a, b) * dot(b, data)) / determinant;
	const y = (dot(a, a) * dot(b, data) - dot(a, b) * dot(a, data)) / determinant;
	const left = data.map((value, i) => value - x * a[i] - y * b[i]);
	return { x, y, sse: dot(left, left) };
}

test("the term that has a twin among the candidates is named, with the rise that a new fit shows", () => {
	const { x, y, sse } = fitted(first, second);
	const left = data.map((value, i) => value - x * first[i] - y * second[i]);
	const equations = {
		gram: Float64Array.from(columns.flatMap((a) => columns.map((b) => dot(a, b)))),
		right: Float64Array.from(columns, (a) => dot(a, left)),
	};
	const found = exchanges(equations, [x, y, 0, 0], [0, 1], () => true, 0.1);
	expect(found.map((each) => [each.out, each.in])).toEqual([[1, 2]]);
	expect(found[0].rise).toBeCloseTo(fitted(first, twin).sse - sse, 9);
	expect(exchanges(equations, [x, y, 0, 0], [0, 1], (u) => u !== 2, 0.1)).toEqual([]);
});
