/**
 * Soundness and tightness of elementary functions against MPFR, on points and on intervals, over the whole
 * range of doubles.
 */
import { describe, expect, it } from "vitest";
import * as functions from "../../src/interval/elementary/functions.ts";
import { repetitions } from "../repetitions.ts";
import { doublesBetween, hex, truth, truthOf, truthOf2 } from "./mpfr.ts";
import { type Samples, samples } from "./samples.ts";

type Unary = (out: Float64Array, o: number, a: Float64Array, i: number) => void;
type Draw = (from: Samples) => number;

const cells = new Float64Array(6);
const anywhere: Draw = (from) => (from.below(3) === 0 ? from.any() : from.within(1e-12, 50));
const angle: Draw = (from) => {
	// Near a multiple of π/2, as near as doubles are; of ordinary size; huge.
	if (from.below(3) === 0) return (Math.PI / 2) * (from.below(2001) - 1000) + from.below(3) * 1e-16;
	if (from.below(3) === 0) return from.within(1e5, 1e9);
	return anywhere(from);
};
const unit: Draw = (from) => {
	if (from.below(3) === 0) return from.within(1e-300, 1);
	return from.below(2) === 0 ? from.uniform() * 2 - 1 : 1 - from.uniform() * 2 ** -from.below(54);
};
const nonNegative: Draw = (from) =>
	Math.abs(from.below(3) === 0 ? 1 + from.within(1e-16, 0.5) : anywhere(from));
const exponential: Draw = (from) => (from.below(8) === 0 ? from.any() : from.within(1e-20, 760));

/** The function, where to draw, how many doubles a bound may be beyond the best one. */
const cases: [name: string, into: Unary, draw: Draw, most: number][] = [
	["exp", functions.expInto, exponential, 1],
	["log", functions.logInto, nonNegative, 1],
	["sin", functions.sinInto, angle, 1],
	["cos", functions.cosInto, angle, 1],
	["tan", functions.tanInto, angle, 1],
	["asin", functions.asinInto, unit, 1],
	["acos", functions.acosInto, unit, 1],
	["atan", functions.atanInto, anywhere, 1],
	["sinh", functions.sinhInto, exponential, 1],
	["cosh", functions.coshInto, exponential, 1],
	["tanh", functions.tanhInto, anywhere, 1],
];

function failure(name: string, ...inputs: number[]): string {
	const given = `[${hex(cells[0])}, ${hex(cells[1])}], [${hex(cells[2])}, ${hex(cells[3])}]`;
	const got = `[${hex(cells[4])}, ${hex(cells[5])}]`;
	const wanted = `between ${hex(truth.down)} and ${hex(truth.up)}`;
	return `${name} of ${given} at ${inputs.map(hex).join(", ")} is ${wanted}, not in ${got}`;
}

/** Below, at and above the ends, and between them. */
function inner(from: Samples, i: number): number {
	const between = cells[i] + (cells[i + 1] - cells[i]) * from.uniform();
	return [cells[i], cells[i + 1], between, between][from.below(4)];
}

describe.each(cases)("%s", (name, into, draw, most) => {
	it("holds the truth at points, and is tight", () => {
		const from = samples(name.length * 1000 + name.charCodeAt(0) + name.charCodeAt(1));
		let misses = 0;
		let worst = 0;
		let best = 0;
		const count = repetitions(10_000, 30_000);
		for (let n = 0; n < count; n++) {
			const x = draw(from);
			cells[0] = x;
			cells[1] = x;
			if (name === "log" && x === 0) continue;
			into(cells, 4, cells, 0);
			truthOf(name, x);
			if (!(cells[4] <= truth.down && truth.up <= cells[5])) expect.soft(++misses, failure(name, x)).toBe(0);
			if (misses > 5) break;
			const excess = Math.max(doublesBetween(cells[4], truth.down), doublesBetween(truth.up, cells[5]));
			if (excess > worst) worst = excess;
			if (excess === 0) best++;
		}
		expect(misses).toBe(0);
		expect(worst).toBeLessThanOrEqual(most);
		// Nearly always the two doubles next to the truth.
		expect(best / count).toBeGreaterThan(0.95);
	});

	it("holds the truth inside intervals", () => {
		const from = samples(name.length * 3000 + name.charCodeAt(0) + name.charCodeAt(1));
		let misses = 0;
		for (let n = 0; n < repetitions(10_000, 30_000); n++) {
			const a = draw(from);
			const b = from.below(2) === 0 ? draw(from) : a + from.within(1e-10, 4);
			cells[0] = Math.min(a, b);
			cells[1] = Math.max(a, b);
			if (!(cells[1] <= 1) && (name === "asin" || name === "acos")) cells[1] = 1;
			if (!(cells[0] >= -1) && (name === "asin" || name === "acos")) cells[0] = -1;
			if (name === "log" && !(cells[0] > 0)) cells[0] = 1e-300;
			if (!(cells[0] <= cells[1])) continue;
			const x = inner(from, 0);
			if (!Number.isFinite(x)) continue;
			into(cells, 4, cells, 0);
			truthOf(name, x);
			if (!(cells[4] <= truth.down && truth.up <= cells[5])) expect.soft(++misses, failure(name, x)).toBe(0);
			if (misses > 5) break;
		}
		expect(misses).toBe(0);
	});
});

describe("pow", () => {
	it("holds the truth at points, and is tight", () => {
		const from = samples(4711);
		let misses = 0;
		let worst = 0;
		for (let n = 0; n < repetitions(10_000, 30_000); n++) {
			const x = nonNegative(from);
			const y = from.below(4) === 0 ? from.any() : from.within(1e-18, 1000);
			if (x === 0 && y <= 0) continue;
			cells.set([x, x, y, y]);
			functions.powInto(cells, 4, cells, 0, cells, 2);
			truthOf2("pow", x, y);
			if (!(cells[4] <= truth.down && truth.up <= cells[5]))
				expect.soft(++misses, failure("pow", x, y)).toBe(0);
			if (misses > 5) break;
			worst = Math.max(worst, doublesBetween(cells[4], truth.down), doublesBetween(truth.up, cells[5]));
		}
		expect(misses).toBe(0);
		expect(worst).toBeLessThanOrEqual(1);
	});

	it("holds the truth inside intervals", () => {
		const from = samples(4712);
		let misses = 0;
		for (let n = 0; n < repetitions(10_000, 30_000); n++) {
			const [a, b] = [nonNegative(from), nonNegative(from)];
			const [c, d] = [from.within(1e-18, 300), from.below(4) === 0 ? from.any() : from.within(1e-18, 300)];
			cells.set([Math.min(a, b), Math.max(a, b), Math.min(c, d), Math.max(c, d)]);
			const x = inner(from, 0);
			const y = inner(from, 2);
			if (!Number.isFinite(x) || !Number.isFinite(y) || (x === 0 && y <= 0)) continue;
			functions.powInto(cells, 4, cells, 0, cells, 2);
			truthOf2("pow", x, y);
			if (!(cells[4] <= truth.down && truth.up <= cells[5]))
				expect.soft(++misses, failure("pow", x, y)).toBe(0);
			if (misses > 5) break;
		}
		expect(misses).toBe(0);
	});
});
