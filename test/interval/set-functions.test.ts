/**
 * The functions of IEEE 1788 that only sets have, against MPFR: at points sound and tight, inside intervals sound, over the whole range of doubles; and
 * reverse functions: what they leave out is no solution.
 */
import { describe, expect, it } from "vitest";
import type { Interval } from "../../src/interval/index.ts";
import * as set from "../../src/interval/index.ts";
import { repetitions } from "../repetitions.ts";
import { doublesBetween, hex, truth, truthOf, truthOf2, truthOfRoot } from "./mpfr.ts";
import { type Samples, samples } from "./samples.ts";

type Draw = (from: Samples) => number;
const byName = set as unknown as Record<string, (...of: (Interval | number)[]) => Interval>;

const anywhere: Draw = (from) => (from.below(3) === 0 ? from.any() : from.within(1e-12, 50));
const angle: Draw = (from) => {
	if (from.below(3) === 0) return (Math.PI / 2) * (from.below(2001) - 1000) + from.below(3) * 1e-16;
	return from.below(3) === 0 ? from.within(1e5, 1e9) : anywhere(from);
};
const unit: Draw = (from) =>
	from.below(3) === 0
		? from.within(1e-300, 1)
		: (from.below(2) * 2 - 1) * (1 - from.uniform() * 2 ** -from.below(54));
const positive: Draw = (from) => Math.abs(from.below(3) === 0 ? 1 + from.within(1e-16, 0.5) : anywhere(from));
const exponential: Draw = (from) => (from.below(8) === 0 ? from.any() : from.within(1e-20, 760));
const small: Draw = (from) => (from.below(4) === 0 ? from.any() : from.within(1e-25, 400));
const fromOne: Draw = (from) =>
	from.below(3) === 0 ? Math.max(1, Math.abs(from.any())) : 1 + Math.abs(from.within(1e-15, 1e3));
const whole: Draw = (from) => (from.below(2) === 0 ? from.below(400) - 200 : from.within(1e-12, 330));
const halves: Draw = (from) => (from.below(2) === 0 ? (from.below(41) - 20) / 2 : anywhere(from));

/** Where the function is not defined. */
const poles: Record<string, (x: number) => boolean> = {
	log2: (x) => x <= 0,
	log10: (x) => x <= 0,
	log1p: (x) => x <= -1,
	cot: (x) => x === 0,
	csc: (x) => x === 0,
	coth: (x) => x === 0,
	csch: (x) => x === 0,
	acosh: (x) => x < 1,
	atanh: (x) => Math.abs(x) >= 1,
};

const cases: [name: string, draw: Draw, most: number][] = [
	["exp2", (from) => (from.below(3) === 0 ? from.below(2200) - 1100 : exponential(from)), 1],
	["exp10", whole, 1],
	["expm1", small, 1],
	["log2", (from) => (from.below(4) === 0 ? 2 ** (from.below(2000) - 1000) : positive(from)), 1],
	["log10", (from) => (from.below(4) === 0 ? 10 ** from.below(23) : positive(from)), 1],
	["log1p", (from) => (from.below(3) === 0 ? unit(from) : positive(from)), 1],
	["cot", angle, 1],
	["sec", angle, 1],
	["csc", angle, 1],
	["coth", small, 1],
	["sech", exponential, 1],
	["csch", exponential, 1],
	["asinh", anywhere, 1],
	["acosh", fromOne, 1],
	["atanh", unit, 1],
	["cbrt", anywhere, 0],
	["ceil", halves, 0],
	["floor", halves, 0],
	["trunc", halves, 0],
	["roundTiesToEven", halves, 0],
	["roundTiesToAway", halves, 0],
];

function told(name: string, a: Interval, out: Interval, ...at: number[]): string {
	const wanted = `between ${hex(truth.down)} and ${hex(truth.up)}`;
	return `${name} of [${hex(a.lo)}, ${hex(a.hi)}] at ${at.map(hex).join(", ")} is ${wanted}, not in [${hex(out.lo)}, ${hex(out.hi)}]`;
}

const holds = ({ lo, hi }: Interval): boolean => lo <= truth.down && truth.up <= hi;
const excess = ({ lo, hi }: Interval): number =>
	Math.max(doublesBetween(lo, truth.down), doublesBetween(truth.up, hi));

describe.each(cases)("%s", (name, draw, most) => {
	const f = byName[name];
	const undefinedAt = poles[name] ?? (() => false);

	it("holds the truth at points, and is tight", () => {
		const from = samples(name.length * 1009 + name.charCodeAt(0) * 7 + name.charCodeAt(1));
		let [worst, best] = [0, 0];
		const count = repetitions(3000, 8000);
		for (let n = 0; n < count; n++) {
			const x = draw(from);
			if (undefinedAt(x)) {
				best++;
				continue;
			}
			const out = f(x);
			truthOf(name, x);
			if (!holds(out)) expect.fail(told(name, { lo: x, hi: x }, out, x));
			worst = Math.max(worst, excess(out));
			if (excess(out) === 0) best++;
		}
		expect(worst).toBeLessThanOrEqual(most);
		expect(best / count).toBeGreaterThan(0.99);
	});

	it("holds the truth inside intervals", () => {
		const from = samples(name.length * 3001 + name.charCodeAt(0) * 7 + name.charCodeAt(1));
		for (let n = 0; n < repetitions(3000, 8000); n++) {
			const a = draw(from);
			const b = from.below(2) === 0 ? draw(from) : a + from.within(1e-10, 4);
			const [lo, hi] = [Math.min(a, b), Math.max(a, b)];
			const between = lo + (hi - lo) * from.uniform();
			const x = [lo, hi, between, from.below(2) === 0 ? 0 : between][from.below(4)];
			if (!Number.isFinite(x) || !(lo <= x && x <= hi) || undefinedAt(x)) continue;
			const out = f({ lo, hi });
			truthOf(name, x);
			if (!holds(out)) expect.fail(told(name, { lo, hi }, out, x));
		}
	});
});

describe("two arguments", () => {
	const draws: [name: "atan2" | "hypot", draw: Draw][] = [
		["atan2", (from) => (from.below(8) === 0 ? 0 : from.below(2) === 0 ? from.any() : from.within(1e-3, 10))],
		["hypot", (from) => (from.below(3) === 0 ? from.below(40) : from.any())],
	];
	it.each(draws)("%s holds the truth, and is tight at points", (name, draw) => {
		const from = samples(name.length * 77);
		let best = 0;
		const count = repetitions(4000, 12_000);
		for (let n = 0; n < count; n++) {
			const point = n % 2 === 0;
			const ends = [0, 1].map(() => {
				const [a, b] = [draw(from), draw(from)];
				return point ? { lo: a, hi: a } : { lo: Math.min(a, b), hi: Math.max(a, b) };
			});
			const [y, x] = ends.map(({ lo, hi }) => [lo, hi, lo <= 0 && hi >= 0 ? 0 : lo][from.below(3)] + 0);
			if (name === "atan2" && x === 0 && y === 0) continue;
			const out = byName[name](ends[0], ends[1]);
			truthOf2(name, y, x);
			if (!holds(out)) expect.fail(told(name, ends[0], out, y, x));
			if (point && excess(out) === 0) best++;
			if (point) expect(excess(out)).toBeLessThanOrEqual(name === "hypot" ? 0 : 1);
		}
		expect(best / (count / 2)).toBeGreaterThan(0.97);
	});

	it("roots are the best bounds", () => {
		const from = samples(31);
		for (let n = 0; n < 4000; n++) {
			const x = Math.abs(from.any());
			const order = from.below(3) === 0 ? from.below(300) + 1 : from.below(9) + 1;
			const out = set.rootn(x, order);
			truthOfRoot(x, order);
			expect(
				holds(out) && excess(out) === 0,
				`root ${order}: ${told("rootn", { lo: x, hi: x }, out, x)}`,
			).toBe(true);
		}
	});
});

describe("reverse functions keep every solution", () => {
	/** Some t, and a narrow interval that holds f(t): the result must hold t. */
	const functions: [name: string, keep: (t: number, x: Interval) => Interval][] = [
		["sqr", (t, x) => set.sqrRev(set.sqr(t), x)],
		["abs", (t, x) => set.absRev(set.abs(t), x)],
		["cosh", (t, x) => set.coshRev(set.cosh(t), x)],
		["sin", (t, x) => set.sinRev(set.sin(t), x)],
		["cos", (t, x) => set.cosRev(set.cos(t), x)],
		["tan", (t, x) => set.tanRev(set.tan(t), x)],
		["pown 3", (t, x) => set.pownRev(set.pown(t, 3), 3, x)],
		["pown -4", (t, x) => set.pownRev(set.pown(t, -4), -4, x)],
		["mul", (t, x) => set.mulRev({ lo: -1, hi: 3 }, set.mul(t, 2), x)],
		["pow, base", (t, x) => set.powRev1({ lo: 1.25, hi: 1.5 }, set.pow(Math.abs(t), 1.25), set.abs(x))],
		["pow, exponent", (t, x) => set.powRev2({ lo: 0.5, hi: 3 }, set.pow(2.5, t), x)],
	];
	it.each(functions)("%s", (name, keep) => {
		const from = samples(name.length * 91 + name.charCodeAt(0));
		for (let n = 0; n < 4000; n++) {
			const t = from.below(6) === 0 ? from.below(21) - 10 : from.within(1e-6, 40);
			if (name === "pown -4" && t === 0) continue;
			const x = { lo: t - Math.abs(from.within(1e-3, 50)), hi: t + Math.abs(from.within(1e-3, 50)) };
			const out = keep(t, x);
			const wanted = name === "pow, base" ? Math.abs(t) : t;
			expect(out.lo <= wanted && wanted <= out.hi, `${name} at ${t}: [${out.lo}, ${out.hi}]`).toBe(true);
		}
	});

	it("leave out what is no solution", () => {
		expect(set.sinRev(set.interval(0), set.interval(2, 3))).toBe(set.empty);
		expect(set.sqrRev(set.interval(4, 9), set.interval(-5, 2.5))).toEqual(set.interval(-3, 2.5));
		expect(set.mulRevToPair(set.interval(-2, 4), set.interval(1))).toEqual([
			{ lo: -Infinity, hi: -0.5 },
			{ lo: 0.25, hi: Infinity },
		]);
	});
});
