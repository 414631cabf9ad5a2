/** Inside and outside of data are told apart by leverage. */
import { expect, test } from "vitest";
import { DataHull } from "../../../src/methods/kriging/field/data-hull.ts";
import { fieldCovariance } from "../../../src/methods/kriging/field/field-covariance.ts";
import { FieldDesign } from "../../../src/methods/kriging/field/field-design.ts";
import { monomials } from "../../../src/methods/kriging/field/monomials.ts";
import { cos, sin } from "../../../src/num/elementary/number.ts";

function hullOf(points: readonly (readonly number[])[], degree = 3): DataHull {
	const nArgs = points[0].length;
	const design = new FieldDesign(
		[
			{
				name: "f",
				argNames: points[0].map((_, a) => `x${a}`),
				centre: new Float64Array(nArgs),
				scale: new Float64Array(nArgs).fill(1),
				basis: monomials(nArgs, 1),
				covariance: fieldCovariance("smooth", 1, nArgs),
			},
		],
		0,
	);
	const sites = points.map((x) => ({ of: 0, x: Float64Array.from(x) }));
	const data = { sites, functionals: [], y: new Float64Array(), noise: new Float64Array() };
	return new DataHull({ design, data }, degree);
}
const at = (...x: number[]) => ({ of: 0, x: Float64Array.from(x) });

test("1 is the most of the data, and outside it rises with the power 2 degree", () => {
	const points = Array.from({ length: 41 }, (_, i) => [(i - 20) / 20]);
	const hull = hullOf(points);
	const own = points.map((x) => hull.leverage(at(...x)));
	expect(Math.max(...own)).toBe(1);
	expect(own.indexOf(1) % 40).toBe(0);
	for (const x of [1.05, 1.5, -1.2]) expect(hull.leverage(at(x))).toBeGreaterThan(1);
	const ratio = hull.leverage(at(20)) / hull.leverage(at(10));
	expect(Math.abs(ratio / 2 ** 6 - 1)).toBeLessThan(0.02);
	expect(hull.isBeyond(2, at(1.2))).toBe(false);
	expect(hull.isBeyond(2, at(4))).toBe(true);
});

test("the middle of a ring is not inside it", () => {
	const ring = Array.from({ length: 60 }, (_, i) => [cos(i / 9), sin(i / 9) * (1 + 0.05 * cos(i))]);
	expect(hullOf(ring).leverage(at(0, 0))).toBeGreaterThan(10);
	expect(hullOf(ring, 1).leverage(at(0, 0))).toBeLessThan(1);
});

test("an argument that never moved: every other value of it is outside", () => {
	const line = Array.from({ length: 30 }, (_, i) => [(i - 15) / 10, 0]);
	const hull = hullOf(line);
	expect(hull.leverage(at(0.5, 0))).toBeLessThan(1);
	expect(hull.isBeyond(4, at(0.5, 0.1))).toBe(true);
});
