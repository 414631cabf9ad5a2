/**
 * The proofs rest on constants and on bounds of relative errors. Here the constants are compared with MPFR,
 * and the errors that are claimed with those that occur: each must be under its claim, which is half of what
 * the bounds use.
 */
import { describe, expect, it } from "vitest";
import { divPairs, mulPairs, sqrtPair } from "../../src/interval/double-double.ts";
import { reduceAngle } from "../../src/interval/elementary/angle.ts";
import { ARC_ERROR, acosPair, asinPair, atanPair } from "../../src/interval/elementary/arc.ts";
import { EXP_ERROR, expPair, type Scaled } from "../../src/interval/elementary/exp.ts";
import { coshPair, HYPERBOLIC_ERROR, sinhPair, tanhPair } from "../../src/interval/elementary/hyperbolic.ts";
import { LOG_ERROR, logPair } from "../../src/interval/elementary/log.ts";
import {
	acoshPair,
	asinhPair,
	atanhPair,
	expm1Pair,
	log1pPair,
	NEAR_ONE_ERROR,
} from "../../src/interval/elementary/near-one.ts";
import { POW_ERROR, powWholePair } from "../../src/interval/elementary/power.ts";
import { SIN_ERROR, sinPair, TAN_ERROR, tanPair } from "../../src/interval/elementary/sine.ts";
import {
	arcs,
	HALF_PI,
	HALF_PI_PARTS,
	LN2,
	LN2_PARTS,
	LN10,
	logs,
	sixteenths,
} from "../../src/interval/elementary/tables.ts";
import { repetitions } from "../repetitions.ts";
import { hex, relativeError, relativeError2, relativeErrorAtFraction, restOf } from "./mpfr.ts";
import { type Samples, samples } from "./samples.ts";

type Draw = (from: Samples) => number;
type PairOf = (x: number) => { hi: number; lo: number; k?: number };

describe("constants", () => {
	it("stand in the tables to 106 bits", () => {
		const tables: [string, readonly number[], number, number][] = [
			["exp2", sixteenths, 0, 16],
			["log", logs, 23, 32],
			["atan", arcs, 0, 16],
		];
		for (const [f, table, first, den] of tables) {
			for (let i = 0; 2 * i < table.length; i++) {
				const error = relativeErrorAtFraction(f, first + i, den, table[2 * i], table[2 * i + 1]);
				expect(error, `${f}(${first + i}/${den})`).toBeLessThanOrEqual(2 ** -106);
			}
		}
		expect(relativeErrorAtFraction("log", 10, 1, LN10.hi, LN10.lo)).toBeLessThanOrEqual(2 ** -106);
		expect([sixteenths.length, logs.length, arcs.length]).toEqual([32, 46, 34]);
		expect(Math.abs(restOf("pi/2", [HALF_PI.hi, HALF_PI.lo]))).toBeLessThan(2 ** -106);
		expect(Math.abs(restOf("ln2", [LN2.hi, LN2.lo]))).toBeLessThan(2 ** -107);
	});

	it("are cut into parts whose multiples are exact", () => {
		const [a, b] = LN2_PARTS;
		expect([a * 2 ** 42, b * 2 ** 80].every(Number.isInteger)).toBe(true);
		expect(a < 2 ** -4 && b < 2 ** -43).toBe(true);
		const sixteen = LN2_PARTS.map((part) => 16 * part);
		expect(Math.abs(restOf("ln2", sixteen))).toBeLessThan(16 * 2 ** -134);
		const [p, q, r, s] = HALF_PI_PARTS;
		expect([p * 2 ** 32, q * 2 ** 65, r * 2 ** 98].every(Number.isInteger)).toBe(true);
		expect(p < 2 && q < 2 ** -33 && r < 2 ** -67 && s < 2 ** -102).toBe(true);
		expect(Math.abs(restOf("pi/2", HALF_PI_PARTS))).toBeLessThan(2 ** -152);
	});
});

const wide: Draw = (from) => from.within(1e-9, 700);
const angle: Draw = (from) => {
	const kind = from.below(4);
	if (kind === 0) return (Math.PI / 2) * (from.below(200_001) - 100_000);
	if (kind === 1) return Math.max(Math.abs(from.any()), 2 ** -30);
	return Math.max(Math.abs(from.within(1e-8, 1e7)), 2 ** -30);
};
const unit: Draw = (from) =>
	Math.max(2 ** -30, from.below(2) === 0 ? from.uniform() : 1 - from.within(1e-15, 0.5) ** 2);
const positive: Draw = (from) =>
	from.below(2) === 0 ? 1 + from.within(1e-16, 0.4) : Math.abs(from.any()) || 5e-324;
const past: (least: number, draw: Draw) => Draw = (least, draw) => (from) =>
	Math.max(least, Math.abs(draw(from)));

const nonZero = (x: number): number => (Math.abs(x) < 2 ** -52 ? 2 ** -52 : x);

const claims: [name: string, pair: PairOf, draw: Draw, claim: number][] = [
	["exp", (x) => expPair(x), wide, EXP_ERROR / 2],
	["log", logPair, positive, LOG_ERROR / 2],
	["sin", (x) => sinPair(reduceAngle(x), 0), angle, SIN_ERROR / 2],
	["cos", (x) => sinPair(reduceAngle(x), 1), angle, SIN_ERROR / 2],
	["tan", (x) => tanPair(reduceAngle(x)), angle, TAN_ERROR / 2],
	["atan", atanPair, past(2 ** -30, (from) => from.within(1e-9, 1e3)), ARC_ERROR / 2],
	["asin", asinPair, unit, ARC_ERROR / 2],
	["acos", acosPair, (from) => (from.below(2) * 2 - 1) * Math.min(unit(from), 1 - 2 ** -53), ARC_ERROR / 2],
	["sinh", sinhPair, past(2 ** -30, (from) => from.within(1e-9, 800)), HYPERBOLIC_ERROR / 2],
	["cosh", coshPair, past(0, (from) => from.within(1e-9, 800)), HYPERBOLIC_ERROR / 2],
	["tanh", tanhPair, past(2 ** -30, (from) => from.within(1e-9, 40)), HYPERBOLIC_ERROR / 2],
	["expm1", expm1Pair, (from) => Math.max(-59, nonZero(from.within(1e-18, 700))), HYPERBOLIC_ERROR / 2],
	[
		"log1p",
		(x) => log1pPair({ hi: x, lo: 0 }),
		(from) => Math.max(-1 + 2 ** -53, nonZero(from.within(1e-18, 1e6))),
		NEAR_ONE_ERROR / 2,
	],
	["asinh", asinhPair, past(2 ** -30, (from) => from.within(1e-9, 1e8)), NEAR_ONE_ERROR / 2],
	["acosh", acoshPair, (from) => 1 + Math.abs(nonZero(from.within(2 ** -52, 1e8))), NEAR_ONE_ERROR / 2],
	["atanh", atanhPair, (from) => Math.min(unit(from), 1 - 2 ** -53), NEAR_ONE_ERROR / 2],
	["sqrt", (x) => sqrtPair({ hi: x, lo: 0 }), past(1e-30, (from) => from.within(1e-30, 1e30)), 2 ** -78],
];

describe("relative errors", () => {
	it.each(claims)("of %s stay under the claim", (name, pair, draw, claim) => {
		const from = samples(name.charCodeAt(0) * 31 + name.charCodeAt(1) + name.length);
		let worst = 0;
		let at = 0;
		for (let n = 0; n < repetitions(7000, 20_000); n++) {
			const x = draw(from);
			if (name === "log" && x === 1) continue;
			const { hi, lo, k = 0 } = pair(x);
			const error = relativeError(name, x, hi, lo, k);
			if (!(error <= worst)) {
				worst = error;
				at = x;
			}
		}
		expect(worst, `${name} at ${hex(at)}`).toBeLessThanOrEqual(claim);
	});

	it("of x^n stay under the claim", () => {
		const from = samples(99);
		let worst = 0;
		for (let n = 0; n < repetitions(4000, 10_000); n++) {
			// Small enough that the power is within the exponents that MPFR has.
			const large = from.below(2) === 0;
			const x = large ? 1 + from.within(1e-16, 0.4) : positive(from);
			const whole = large ? from.below(2 ** 30) - 2 ** 29 : from.below(41) - 20;
			const { hi, lo, k }: Scaled = powWholePair(x, whole);
			worst = Math.max(worst, relativeError2("pow", x, whole, hi, lo, k));
		}
		expect(worst).toBeLessThanOrEqual(POW_ERROR / 4);
	});

	it("of products and quotients of pairs stay under the claims", () => {
		const from = samples(98);
		let product = 0;
		let quotient = 0;
		for (let n = 0; n < repetitions(7000, 20_000); n++) {
			// Whole numbers of up to 2^100 as exact pairs, so that the truth is known as integers.
			const a = whole(from);
			const b = whole(from);
			const p = mulPairs(a, b);
			const q = divPairs(a, b);
			const scale = 1n << 400n;
			const exactProduct = a.value * b.value;
			const gotProduct = BigInt(p.hi) + BigInt(p.lo);
			product = Math.max(product, ratio(gotProduct - exactProduct, exactProduct));
			const gotQuotient = timesScale(q.hi, scale) + timesScale(q.lo, scale);
			quotient = Math.max(quotient, ratio(gotQuotient * b.value - a.value * scale, a.value * scale));
		}
		expect(product).toBeGreaterThan(0);
		expect(product).toBeLessThanOrEqual(9 * 2 ** -106);
		expect(quotient).toBeGreaterThan(0);
		expect(quotient).toBeLessThanOrEqual(32 * 2 ** -106);
	});
});

function whole(from: Samples): { hi: number; lo: number; value: bigint } {
	const hi = Math.floor((0.5 + from.uniform() / 2) * 2 ** 53) * 2 ** 54;
	const lo = Math.floor((from.uniform() * 2 - 1) * 2 ** 53);
	return { hi, lo, value: BigInt(hi) + BigInt(lo) };
}

function ratio(difference: bigint, of: bigint): number {
	const size = difference < 0n ? -difference : difference;
	return Number((size << 200n) / of) * 2 ** -200;
}

/** x·scale for a double x of at least 2^-300, exactly. */
function timesScale(x: number, scale: bigint): bigint {
	return (BigInt(x * 2 ** 300) * scale) >> 300n;
}
