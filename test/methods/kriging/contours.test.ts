/** Lines of equal height and the areas above them, of functions whose own are known. */
import { expect, test } from "vitest";
import { contours, roundLevels } from "../../../src/methods/kriging/answer/contours.ts";
import { axisOver } from "../../../src/methods/kriging/answer/plane.ts";

const axis = axisOver([-1, 1], 0);
const n = axis.length;
const grid = (f: (x: number, y: number) => number): Float64Array =>
	Float64Array.from({ length: n * n }, (_, at) => f(axis[at % n], axis[Math.floor(at / n)]));

/** Area of the strips, by trapezoids. */
function area({ x, lo, hi }: { x: Float64Array; lo: Float64Array; hi: Float64Array }): number {
	let sum = 0;
	for (let i = 1; i < x.length; i++) {
		const part = ((x[i] - x[i - 1]) * (hi[i] - lo[i] + hi[i - 1] - lo[i - 1])) / 2;
		if (!Number.isNaN(part)) sum += part;
	}
	return sum;
}

test("a circle is one closed line, and what is outside it is the rest of the square", () => {
	const [{ x, y, above }] = contours(
		axis,
		axis,
		grid((a, b) => a * a + b * b),
		[0.25],
	);
	expect(x.some(Number.isNaN)).toBe(false);
	expect([x[0], y[0]]).toEqual([x[x.length - 1], y[y.length - 1]]);
	x.forEach((a, i) => {
		expect(Math.abs(a * a + y[i] ** 2 - 0.25)).toBeLessThan(0.002);
	});
	// The area parts in two where the circle starts, and is one again where it ends.
	expect(Math.abs(area(above) - (4 - Math.PI / 4))).toBeLessThan(0.02);
});

test("a line that reaches the right edge ends there", () => {
	const [{ x, y }] = contours(
		axis,
		axis,
		grid((a, b) => b - 0.5 * a),
		[0.2],
	);
	expect(x[x.length - 1]).toBe(1);
	expect(y[y.length - 1]).toBeCloseTo(0.7, 9);
});

test("levels are round and between the smallest and the largest value", () => {
	expect(roundLevels(Float64Array.of(-1.03, 2.4), 7)).toEqual([-1, -0.5, 0, 0.5, 1, 1.5, 2]);
	expect(roundLevels(Float64Array.of(3, 3), 7)).toEqual([]);
});
