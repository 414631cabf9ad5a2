import { describe, expect, it } from "vitest";
import {
	add,
	box,
	boxBisect,
	boxContains,
	boxHull,
	boxInside,
	boxIntersect,
	boxMid,
	boxOfPoint,
	boxSide,
	boxStrictlyInside,
	boxVolume,
	boxWidestSide,
	boxWidth,
	certainlyAtMost,
	certainlyLess,
	certainlyNegative,
	certainlyPositive,
	disjoint,
	inside,
	interval,
	mag,
	matrixMultiplyInto,
	mul,
	numberMatrixMultiplyInto,
	strictlyInside,
	width,
} from "../../src/interval/index.ts";
import { samples } from "./samples.ts";

const a = box([
	[0, 1],
	[-2, 2],
	[5, 5],
]);

describe("a box", () => {
	it("is measured", () => {
		expect(boxWidth(a)).toBeGreaterThanOrEqual(4);
		expect(boxWidth(a)).toBeLessThan(4.000001);
		expect(boxWidestSide(a)).toBe(1);
		expect(boxWidestSide(a, [0.1, 10, 1])).toBe(0);
		expect(boxVolume(a)).toBe(0);
		const cube = box([interval(0, 2), interval(0, 3)]);
		expect(boxVolume(cube)).toBeGreaterThanOrEqual(6);
		expect(boxVolume(cube)).toBeLessThan(6.000001);
		expect([...boxMid(a)]).toEqual([0.5, 0, 5]);
		expect(boxSide(a, 1)).toEqual(interval(-2, 2));
		expect(() => box([[1, 0]])).toThrow(/bounds/);
	});

	it("is cut in two halves that hold all of it", () => {
		const [lower, upper] = boxBisect(a)!;
		expect(boxSide(lower, 1)).toEqual(interval(-2, 0));
		expect(boxSide(upper, 1)).toEqual(interval(0, 2));
		expect([...boxHull(lower, upper)]).toEqual([...a]);
		expect(boxBisect(a, 2)).toBeUndefined();
		expect(boxBisect(box([[1, 1 + 2 ** -52]]))).toBeUndefined();
		const line = boxBisect(box([[Number.NEGATIVE_INFINITY, 3]]))!;
		expect(boxSide(line[1], 0)).toEqual(interval(-Number.MAX_VALUE, 3));
	});

	it("is compared", () => {
		const part = box([
			[0.25, 0.5],
			[-1, 1],
			[5, 5],
		]);
		expect(boxInside(part, a)).toBe(true);
		expect(boxStrictlyInside(part, a)).toBe(false);
		expect(boxStrictlyInside(part.subarray(0, 4), a.subarray(0, 4))).toBe(true);
		expect(boxInside(a, part)).toBe(false);
		expect(boxContains(a, [0, 2, 5])).toBe(true);
		expect(boxContains(a, [0, 2.1, 5])).toBe(false);
		expect(boxContains(a, [Number.NaN, 0, 5])).toBe(false);
		expect([...boxIntersect(a, part)!]).toEqual([...part]);
		expect(boxIntersect(a, boxOfPoint([2, 0, 5]))).toBeUndefined();
		expect(() => boxInside(a, box([[0, 1]]))).toThrow(/3 sides, the other 1/);
	});
});

it("relations are true only where they are certain", () => {
	const [low, high, mixed] = [interval(-2, -1), interval(1, 2), interval(-1, 1)];
	expect(certainlyLess(low, high)).toBe(true);
	expect(certainlyLess(low, mixed)).toBe(false);
	expect(certainlyAtMost(low, mixed)).toBe(true);
	expect([certainlyPositive(high), certainlyPositive(mixed)]).toEqual([true, false]);
	expect([certainlyNegative(low), certainlyNegative(mixed)]).toEqual([true, false]);
	expect([disjoint(low, high), disjoint(low, mixed)]).toEqual([true, false]);
	expect([inside(mixed, mixed), strictlyInside(mixed, mixed)]).toEqual([true, false]);
	expect(strictlyInside(mixed, interval(-2, 2))).toBe(true);
});

describe("products of matrices", () => {
	const [rows, inner, columns] = [3, 4, 2];
	const from = samples(3);
	const draw = (n: number): Float64Array =>
		box(
			Array.from({ length: n }, () => {
				const x = from.uniform() * 4 - 2;
				return [x, x + from.uniform()] as const;
			}),
		);

	it("hold the product of every matrix inside, in exact integers", () => {
		const A = draw(rows * inner);
		const B = draw(inner * columns);
		const out = new Float64Array(2 * rows * columns);
		matrixMultiplyInto(out, A, B, rows, inner, columns);
		for (let trial = 0; trial < 200; trial++) {
			const [a, b] = [pick(A), pick(B)];
			const numbers = new Float64Array(2 * rows * columns);
			numberMatrixMultiplyInto(numbers, a, B, rows, inner, columns);
			for (let r = 0; r < rows; r++) {
				for (let c = 0; c < columns; c++) {
					let sum = 0n;
					for (let k = 0; k < inner; k++) sum += whole(a[r * inner + k]) * whole(b[k * columns + c]);
					for (const product of [out, numbers]) {
						const side = boxSide(product, r * columns + c);
						const [below, above] = [Math.floor(side.lo * 2 ** 80), Math.ceil(side.hi * 2 ** 80)];
						expect(BigInt(below) << 80n <= sum && sum <= BigInt(above) << 80n).toBe(true);
					}
				}
			}
		}
	});

	it("are the sums of the products", () => {
		const A = draw(2);
		const B = draw(2);
		const out = new Float64Array(2);
		matrixMultiplyInto(out, A, B, 1, 2, 1);
		const expected = add(
			add(interval(0), mul(boxSide(A, 0), boxSide(B, 0))),
			mul(boxSide(A, 1), boxSide(B, 1)),
		);
		// Two products and two sums, each at most two doubles beyond the best bound.
		const got = boxSide(out, 0);
		expect(inside(expected, got)).toBe(true);
		const size = mag(mul(boxSide(A, 0), boxSide(B, 0))) + mag(mul(boxSide(A, 1), boxSide(B, 1)));
		expect(width(got) - width(expected)).toBeLessThanOrEqual(2 * 8 * 2 ** -52 * size);
	});

	/** A matrix inside. */
	function pick(A: Float64Array): Float64Array {
		return Float64Array.from({ length: A.length / 2 }, (_, k) => {
			const t = from.below(3) / 2;
			return Math.min(A[2 * k + 1], Math.max(A[2 * k], A[2 * k] * (1 - t) + A[2 * k + 1] * t));
		});
	}

	/** x·2^80; BigInt throws where that is not whole. */
	function whole(x: number): bigint {
		return BigInt(x * 2 ** 80);
	}
});
