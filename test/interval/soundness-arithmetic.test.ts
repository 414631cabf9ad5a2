/**
 * Soundness of arithmetic: intervals are drawn, a point is drawn in each, MPFR gives the truth, and the
 * result must hold it.
 */
import { describe, expect, it } from "vitest";
import * as arithmetic from "../../src/interval/arithmetic.ts";
import { divInto } from "../../src/interval/division.ts";
import { powIntInto } from "../../src/interval/elementary/functions.ts";
import { sqrtInto } from "../../src/interval/elementary/root.ts";
import { doublesBetween, hex, truth, truthOf, truthOf2 } from "./mpfr.ts";
import { type Samples, samples } from "./samples.ts";

type Binary = (out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number) => void;
type Unary = (out: Float64Array, o: number, a: Float64Array, i: number) => void;

const cells = new Float64Array(6);

/** Writes an interval at i and returns a number in it: both ends, and what is between them. */
function draw(from: Samples, i: number, point: boolean): number {
	const a = from.any();
	const b = point ? a : from.below(3) === 0 ? a + Math.abs(a) * 2 ** -(from.below(50) + 1) : from.any();
	cells[i] = Math.min(a, b);
	cells[i + 1] = Math.min(Math.max(a, b), Number.MAX_VALUE);
	const between = cells[i] + (cells[i + 1] - cells[i]) * from.uniform();
	const inner = cells[i] <= between && between <= cells[i + 1] ? between : cells[i];
	return [cells[i], cells[i + 1], inner][from.below(3)];
}

function failure(name: string, ...inputs: number[]): string {
	const given = `[${hex(cells[0])}, ${hex(cells[1])}], [${hex(cells[2])}, ${hex(cells[3])}]`;
	const got = `[${hex(cells[4])}, ${hex(cells[5])}]`;
	const wanted = `between ${hex(truth.down)} and ${hex(truth.up)}`;
	return `${name} of ${given} at ${inputs.map(hex).join(", ")} is ${wanted}, not in ${got}`;
}

function holdsTruth(): boolean {
	return cells[4] <= truth.down && truth.up <= cells[5];
}

/** By how many doubles a bound of a point result is beyond the best one. */
function excess(): number {
	return Math.max(doublesBetween(cells[4], truth.down), doublesBetween(truth.up, cells[5]));
}

const count = 100_000;

describe("two operands", () => {
	const operations: [string, Binary, number][] = [
		["add", arithmetic.addInto, 0],
		["sub", arithmetic.subInto, 0],
		["mul", arithmetic.mulInto, 0],
		["div", divInto, 0],
		["min", arithmetic.minInto, 0],
		["max", arithmetic.maxInto, 0],
	];
	it.each(operations)("%s holds the truth", (name, into, most) => {
		const from = samples(name.charCodeAt(0) * 257 + name.charCodeAt(1));
		let misses = 0;
		let worst = 0;
		for (let n = 0; n < count; n++) {
			const point = n % 2 === 0;
			const x = draw(from, 0, point);
			const y = draw(from, 2, point);
			if (name === "div" && y === 0) continue;
			into(cells, 4, cells, 0, cells, 2);
			truthOf2(name, x, y);
			if (!holdsTruth()) expect.soft(++misses, failure(name, x, y)).toBe(0);
			if (misses > 5) break;
			if (point) worst = Math.max(worst, excess());
		}
		expect(misses).toBe(0);
		expect(worst).toBeLessThanOrEqual(most);
	});
});

describe("one operand", () => {
	const operations: [string, Unary, number][] = [
		["neg", arithmetic.negInto, 0],
		["abs", arithmetic.absInto, 0],
		["sqr", arithmetic.sqrInto, 0],
		["sqrt", sqrtInto, 0],
	];
	it.each(operations)("%s holds the truth", (name, into, most) => {
		const from = samples(name.charCodeAt(1) * 257 + name.length);
		let misses = 0;
		let worst = 0;
		for (let n = 0; n < count; n++) {
			const point = n % 2 === 0;
			let x = draw(from, 0, point);
			if (name === "sqrt" && cells[0] < 0) {
				arithmetic.absInto(cells, 0, cells, 0);
				x = Math.abs(x);
			}
			into(cells, 4, cells, 0);
			truthOf(name, x);
			if (!holdsTruth()) expect.soft(++misses, failure(name, x)).toBe(0);
			if (misses > 5) break;
			if (point) worst = Math.max(worst, excess());
		}
		expect(misses).toBe(0);
		expect(worst).toBeLessThanOrEqual(most);
	});

	it("powInt holds the truth", () => {
		const from = samples(77);
		let misses = 0;
		let worst = 0;
		for (let n = 0; n < 60_000; n++) {
			const point = n % 2 === 0;
			const x = draw(from, 0, point);
			const whole = from.below(4) === 0 ? from.below(2 ** 31) - 2 ** 30 : from.below(25) - 12;
			if (x === 0 && whole < 0) continue;
			powIntInto(cells, 4, cells, 0, whole);
			truthOf2("pow", x, whole);
			if (!holdsTruth()) expect.soft(++misses, `to the power ${whole}: ${failure("pow", x)}`).toBe(0);
			if (misses > 5) break;
			if (point) worst = Math.max(worst, excess());
		}
		expect(misses).toBe(0);
		expect(worst).toBe(0);
	});
});

it("scale and the step of sums of products hold the truth", () => {
	const from = samples(5);
	let misses = 0;
	for (let n = 0; n < 50_000; n++) {
		const x = draw(from, 0, false);
		const c = from.any();
		arithmetic.scaleInto(cells, 4, cells, 0, c);
		truthOf2("mul", c, x);
		if (!holdsTruth()) expect.soft(++misses, failure("scale", c, x)).toBe(0);
		// x + s·1, so that the truth is a sum.
		const s = draw(from, 2, false);
		const one = new Float64Array([1, 1]);
		cells[4] = cells[0];
		cells[5] = cells[1];
		arithmetic.addProductInto(cells, 4, cells, 2, one, 0);
		truthOf2("add", x, s);
		if (!holdsTruth()) expect.soft(++misses, failure("add", x, s)).toBe(0);
		if (misses > 5) break;
	}
	expect(misses).toBe(0);
});
