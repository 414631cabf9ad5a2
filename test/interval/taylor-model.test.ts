/** Taylor models hold the function: at random points the truth, enclosed by interval arithmetic, is within the radius of the polynomial. */
import { describe, expect, it } from "vitest";
import { add, interval, mul, powInt } from "../../src/interval/index.ts";
import { midRadMultiply, nearInverse, orthogonal } from "../../src/interval/mid-rad.ts";
import { jetInto } from "../../src/interval/taylor/jets.ts";
import { monomials } from "../../src/interval/taylor/monomials.ts";
import { shiftPolynomial } from "../../src/interval/taylor/polynomial-shift.ts";
import { type TaylorModel, TaylorSpace } from "../../src/interval/taylor/taylor-model.ts";
import { timePartInto } from "../../src/interval/taylor/time-part.ts";
import { IntervalEvaluator } from "../../src/lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../src/lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../src/lower/interval/series.ts";
import { tapeOf } from "../../src/lower/interval/tape.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { stream } from "../../src/num/random.ts";

/** P(ζ, s) in interval arithmetic. */
function polynomialAt(space: TaylorSpace, c: Float64Array, zeta: readonly number[], s: number) {
	let sum = interval(0);
	for (let k = 0; k <= space.timeOrder; k++)
		for (let m = 0; m < space.M; m++) {
			if (c[k * space.M + m] === 0) continue;
			let term = mul(interval(c[k * space.M + m]), powInt(interval(s), k));
			zeta.forEach((z, v) => {
				term = mul(term, powInt(interval(z), space.table.exponent(m, v)));
			});
			sum = add(sum, term);
		}
	return sum;
}

const expressions = [
	"x*y - 3*x",
	"1/(2 + x*y)",
	"exp(x)*y",
	"sin(x + 2*y) + cos(x*y)",
	"log(3 + x) - sqrt(4 + y)",
	"tanh(x) + atan(3*y)",
	"asin(x/4) + acos(y/5) + tan(x/2)",
	"sinh(x) - cosh(y)",
	"(2 + x)^y",
	"(3 + y)^1.7 + x^5 - x^3*y^2",
	"abs(2 + x) + max(x, 5) + min(y, -4) + abs(x)",
	"if(x < 4, x^2, 0) + sign(y + 6)",
	"(x + y)/(5 + x^2) + 0.1",
];

describe("functions of Taylor models", () => {
	const nVars = 2;
	it.each(expressions)("%s", (text) => {
		const model = parseModel(`state x = 0, y = 0\nx' = ${text}\ny' = 0\nmeasure z = x`, "m.ode");
		const smooth = tapeOf([model.rhs[0]], ["x", "y"], { smooth: true });
		const point = new IntervalEvaluator(tapeOf([model.rhs[0]], ["x", "y"]));
		const random = stream(7, text);
		let index = 0;
		const u = (): number => 2 * random.uniform(index++) - 1;
		const out = new Float64Array(2);
		for (let trial = 0; trial < 40; trial++) {
			const space = new TaylorSpace(nVars, 1 + (trial % 4), trial % 5);
			const symbols: TaylorModel[] = [0, 1].map(() => {
				const a = space.model();
				for (let i = 0; i < space.size; i++) a.c[i] = (u() * 0.8 ** trial) / (1 + i);
				a.r = trial % 3 === 0 ? 0 : 0.02 * Math.abs(u());
				a.top = space.timeOrder;
				return a;
			});
			const series = new SeriesEvaluator(smooth, space);
			for (let k = 0; k <= space.timeOrder; k++)
				series.order(
					k,
					symbols.map(({ c }) => c),
				);
			const taylor = new TaylorEvaluator(smooth, space, series);
			if (!taylor.evaluate(symbols, 1e-12)) {
				// Only an undefined operation excuses.
				expect(taylor.trouble).toBeDefined();
				continue;
			}
			const result = taylor.output(0);
			for (let sample = 0; sample < 20; sample++) {
				const corner = sample < 4;
				const zeta = [u(), u()].map((z) => (corner ? Math.sign(z) : z));
				const s = corner ? sample % 2 : random.uniform(index++);
				const inputs = symbols.flatMap((each) => {
					const p = polynomialAt(space, each.c, zeta, s);
					const shift = each.r * (corner ? Math.sign(u()) : u()) * (1 - 1e-12);
					const value = (p.lo + p.hi) / 2 + shift;
					return [value, value];
				});
				expect(point.evaluate(inputs, out)).toBe(true);
				const p = polynomialAt(space, result.c, zeta, s);
				expect(out[1]).toBeGreaterThanOrEqual(p.lo - result.r);
				expect(out[0]).toBeLessThanOrEqual(p.hi + result.r);
			}
		}
	});
	it("are tight where the domain is small", () => {
		const model = parseModel(`state x = 0, y = 0\nx' = exp(x)/(2 + sin(y))\ny' = 0\nmeasure z = x`, "m.ode");
		const tape = tapeOf([model.rhs[0]], ["x", "y"], { smooth: true });
		const space = new TaylorSpace(2, 4, 0);
		const symbols = [0, 1].map((v) => {
			const a = space.model();
			a.c[1 + v] = 0.01;
			return a;
		});
		const series = new SeriesEvaluator(tape, space);
		series.order(
			0,
			symbols.map(({ c }) => c),
		);
		const taylor = new TaylorEvaluator(tape, space, series);
		expect(taylor.evaluate(symbols, 1e-14)).toBe(true);
		expect(taylor.output(0).r).toBeLessThan(1e-9);
	});
});

describe("polynomials on parts of their domain", () => {
	it("are the same function", () => {
		const random = stream(3, "shift");
		let index = 0;
		const u = (): number => 2 * random.uniform(index++) - 1;
		for (let trial = 0; trial < 100; trial++) {
			const nVars = 1 + (trial % 3);
			const space = new TaylorSpace(nVars, 5, 0);
			const c = new Float64Array(space.M).map(u);
			const b = Array.from({ length: nVars }, () => Math.abs(u()));
			const a = b.map((half) => u() * (1 - half));
			const shifted = c.slice();
			const error = shiftPolynomial(shifted, space.table, a, b);
			const zeta = a.map(u);
			const old = polynomialAt(
				space,
				c,
				zeta.map((z, v) => a[v] + b[v] * z),
				0,
			);
			const now = polynomialAt(space, shifted, zeta, 0);
			expect(Math.abs(old.lo - now.lo)).toBeLessThanOrEqual(error + 1e-13);
			expect(error).toBeLessThan(1e-11);
		}
	});
	it("have linear terms behind the constant", () => {
		expect([...monomials(3, 2).linear]).toEqual([1, 2, 3]);
		expect(monomials(2, 6).length).toBe(28);
	});
});

describe("Taylor coefficients on intervals", () => {
	it.each([
		"exp",
		"log",
		"sin",
		"cos",
		"tan",
		"sinh",
		"cosh",
		"tanh",
		"atan",
		"asin",
		"recip",
		"pow",
	] as const)("%s: sums to the function nearby", (f) => {
		const jet = new Float64Array(50);
		const there = new Float64Array(2);
		const exponent = { lo: 1.3, hi: 1.3 };
		jetInto(jet, f, 0.4, 0.4, 20, exponent);
		for (const h of [-0.1, 0.05, 0.1]) {
			let sum = 0;
			for (let k = 20; k >= 0; k--) sum = sum * h + (jet[2 * k] + jet[2 * k + 1]) / 2;
			jetInto(there, f, 0.4 + h, 0.4 + h, 0, exponent);
			expect(Math.abs(sum - there[0])).toBeLessThan(1e-11);
		}
		const wide = new Float64Array(50);
		jetInto(wide, f, 0.3, 0.5, 20, exponent);
		for (let k = 0; k <= 20; k++) {
			expect(wide[2 * k]).toBeLessThanOrEqual(jet[2 * k]);
			expect(wide[2 * k + 1]).toBeGreaterThanOrEqual(jet[2 * k + 1]);
		}
	});
});

describe("orthogonal bases", () => {
	it("have an inverse that is enclosed, also of dependent columns", () => {
		for (const m of [
			[1, 2, 3, 4, 5, 6, 7, 8, 10],
			[1, 1, 1, 1, 1, 1, 1, 1, 1],
			[0, 0, 0, 0, 0, 0, 0, 0, 0],
		]) {
			const q = orthogonal(Float64Array.from(m), 3, [2, 0, 1]);
			const inverse = nearInverse(q, 3)!;
			const product = midRadMultiply(inverse, { mid: q, rad: new Float64Array(9) }, 3, 3, 3);
			for (let i = 0; i < 9; i++) {
				const unit = i % 4 === 0 ? 1 : 0;
				expect(Math.abs(product.mid[i] - unit)).toBeLessThanOrEqual(product.rad[i]);
				expect(product.rad[i]).toBeLessThan(1e-13);
			}
		}
	});
});

describe("parts, variables and underflow", () => {
	it("is the same function on a part of the time", () => {
		const space = new TaylorSpace(2, 3, 5);
		const random = stream(3, "time part");
		const a = space.model();
		for (let i = 0; i < space.size; i++) a.c[i] = random.normal(i);
		a.top = space.timeOrder;
		a.r = 1e-20;
		const part = space.model();
		for (const [from, length] of [
			[0, 1],
			[0.25, 0.125],
			[0.7, 0.3],
		]) {
			timePartInto(space, part, a, from, length);
			expect(part.r).toBeLessThan(1e-12);
			for (let trial = 0; trial < 20; trial++) {
				const [x, y, s] = [0, 1, 2].map((k) => random.uniform(1000 + 3 * trial + k));
				const zeta = [2 * x - 1, 2 * y - 1];
				const whole = polynomialAt(space, a.c, zeta, from + length * s);
				const own = polynomialAt(space, part.c, zeta, s);
				// from + length·s is rounded here, which moves the value a little.
				expect(own.lo - part.r).toBeLessThanOrEqual(whole.hi + 1e-13);
				expect(own.hi + part.r).toBeGreaterThanOrEqual(whole.lo - 1e-13);
			}
		}
	});
	it.each([
		[0.1, 0.3],
		[-1e300, 1e300],
		[1, 1 + 2 ** -52],
		[-3e-324, 5e-324],
		[2, 2],
	])("variable in [%d, %d] holds both ends", (lo, hi) => {
		for (const order of [0, 2]) {
			const space = new TaylorSpace(2, order, 0);
			const model = space.model();
			space.variableInto(model, 1, lo, hi);
			const bounds = new Float64Array(2);
			space.boundsInto(bounds, 0, model);
			expect(bounds[0]).toBeLessThanOrEqual(lo);
			expect(bounds[1]).toBeGreaterThanOrEqual(hi);
		}
	});
	it("is not exactly 0 where a product underflows", () => {
		const space = new TaylorSpace(1, 2, 0);
		const a = space.model();
		space.constantInto(a, 1e-200, 1e-200);
		space.mulInto(a, a, a);
		expect(a.r).toBeGreaterThan(0);
		const zero = space.model();
		space.mulInto(zero, zero, a);
		expect(zero.r).toBe(0);
	});
});
