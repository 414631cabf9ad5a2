/** The first coefficients of a jet are the same bits however many are asked for: expansions compute no more of them than they need. */
import { expect, it } from "vitest";
import { type JetFunction, jetInto } from "../../src/interval/taylor/jets.ts";
import { Draws } from "../../src/num/statistics/draws.ts";

const functions: readonly JetFunction[] = [
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
];

it.each(functions)("%s", (f) => {
	const d = new Draws(7, `jets of ${f}`);
	for (let i = 0; i < 40; i++) {
		const lo = i === 0 ? 0.5 : d.between(0.05, 0.9);
		const hi = Math.min(lo + (i % 3) * d.between(0, 0.05), 0.95);
		const exponent = { lo: 1.7, hi: i % 2 === 0 ? 1.7 : 1.8 };
		const whole = new Float64Array(52);
		jetInto(whole, f, lo, hi, 25, exponent);
		for (const order of [1, 7, 14]) {
			const part = new Float64Array(2 * order + 2);
			jetInto(part, f, lo, hi, order, exponent);
			expect([...part]).toEqual([...whole.subarray(0, part.length)]);
		}
	}
});
