/** The checker of certificates: its own arithmetic holds what it should, it excludes nothing that is true, and it shares no code with the solver. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cosInto, expInto, logInto, sinInto } from "../../../src/interval/elementary/functions.ts";
import {
	type Bounds,
	divide,
	fraction,
	holds,
	multiply,
} from "../../../src/methods/guaranteed/proof/checker/bounds.ts";
import { checkerOf } from "../../../src/methods/guaranteed/proof/checker/checker.ts";
import { cos, exp, log, sin } from "../../../src/methods/guaranteed/proof/checker/functions.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { closedProblem } from "./truth/families.ts";
import type { TruthProblem, Values } from "./truth/problem.ts";

const random = stream(7, "checker");
let drawn = 0;
const draw = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(drawn++);

describe("the checker's arithmetic", () => {
	it("holds what tightest arithmetic finds, and little more, 4 × 1000 times", () => {
		const functions = [
			[exp, expInto, -700, 690],
			[log, logInto, 1e-9, 1e9],
			[sin, sinInto, -1e4, 1e4],
			[cos, cosInto, -1e4, 1e4],
		] as const;
		for (const [own, other, from, to] of functions)
			for (let i = 0; i < 1000; i++) {
				const lo = draw(from, to);
				const hi = Math.min(to, lo + (i % 3 === 0 ? 0 : draw(0, 1) ** 8 * 10));
				const out = new Float64Array(2);
				other(out, 0, Float64Array.of(lo, hi), 0);
				const [mine, best] = [own({ lo, hi }), { lo: out[0], hi: out[1] }];
				expect(holds(mine, best), `${own.name} [${lo}, ${hi}]`).toBe(true);
				const most = 1e-11 * Math.max(1, Math.abs(best.hi), Math.abs(best.lo));
				expect(mine.hi - best.hi + (best.lo - mine.lo)).toBeLessThan(most);
			}
	});
	it("reads fractions outward, and leaves doubles as they are", () => {
		expect(fraction(1n, 4n)).toEqual({ lo: 0.25, hi: 0.25 });
		const tenth = fraction(1n, 10n);
		expect(tenth.lo).toBeLessThan(0.1);
		expect(tenth.hi).toBeGreaterThan(0.1);
		expect(fraction(10n ** 400n, 1n).lo).toBeNaN();
	});
	it("knows no number where a divisor may be 0 or a product is beyond all doubles", () => {
		const unit: Bounds = { lo: -1, hi: 1 };
		expect(divide(unit, unit).lo).toBeNaN();
		expect(multiply({ lo: 1e300, hi: 1e300 }, { lo: 1e300, hi: 1e300 }).lo).toBeNaN();
	});
});

describe("the checker", () => {
	it("excludes no box that holds the truth, and most of those that are far from it, in 24 problems", () => {
		let [problems, far, excluded] = [0, 0, 0];
		const wrong: string[] = [];
		for (let seed = 500; problems < 24; seed++) {
			const problem = closedProblem(seed);
			if (!problem) continue;
			const { checker } = checkerOf(parseModel(problem.text, "truth.ode"), problem.train);
			if (!checker) continue;
			problems++;
			for (const share of [0, 1e-4, 0.1])
				if (checker.excludes(around(problem, problem.truth, share))) wrong.push(`${seed}, ${share}`);
			const other = Object.fromEntries(
				Object.entries(problem.sets).map(([name, [lo, hi]]) => [name, draw(lo, hi)]),
			);
			if (!contradicts(problem, other)) continue;
			far++;
			if (checker.excludes(around(problem, other, 1e-5))) excluded++;
		}
		expect(wrong).toEqual([]);
		expect(far).toBeGreaterThan(8);
		expect(excluded / far).toBeGreaterThan(0.9);
	}, 120_000);
	it("says what it does not know", () => {
		const unknown = (text: string): string | undefined =>
			checkerOf(parseModel(`${text}\nmeasure y in x +- 1`, "m.ode"), []).unknown;
		expect(unknown("param p in [0, 1]\nstate x = 1\nx' = -p*abs(x)")).toBe("the function abs");
		expect(unknown("param p in [0, 1]\ninput u\nstate x = 1\nx' = -p*x + u")).toBe("inputs");
		expect(unknown("param p in [0, pi]\nstate x = 1\nx' = -p*x")).toBe("sets whose ends are no fractions");
		expect(unknown("param p in [0, 1], p' in [0, 1]\nstate x = 1\nx' = -p*x")).toContain("drift");
		expect(unknown("param p in [0, 1]\nstate x = 1\nx' = -p*tanh(x)^2.5/(1 + exp(sin(x)))")).toBeUndefined();
	});
	it("shares no code with the solver: models, records and plain numbers are all that it reads", () => {
		const src = fileURLToPath(new URL("../../../src", import.meta.url));
		const own = resolve(src, "methods/guaranteed/proof/checker");
		const seen = new Set<string>();
		for (const file of readdirSync(own)) {
			const text = readFileSync(resolve(own, file), "utf8");
			for (const [, path] of text.matchAll(/from "([^"]+)"/g))
				seen.add(
					relative(src, dirname(resolve(own, path)))
						.split(sep)
						.join("/"),
				);
		}
		expect([...seen].sort()).toEqual(["data", "methods/guaranteed/proof/checker", "model", "num/elementary"]);
	});
});

/** A box around values, so much of each set wide, inside it. */
function around({ sets }: TruthProblem, values: Values, share: number): Float64Array {
	return Float64Array.from(
		Object.entries(sets).flatMap(([name, [lo, hi]]) => {
			const half = (share * (hi - lo)) / 2;
			return [Math.max(lo, values[name] - half), Math.min(hi, values[name] + half)];
		}),
	);
}

/** Whether a sample is clearly beyond its bar for these values. */
function contradicts({ train, course, bars }: TruthProblem, values: Values): boolean {
	return train.some(({ name, times, outputs }) => {
		const there = course(values, name, [...times]);
		return (
			there !== undefined &&
			[...outputs].some(([output, series]) =>
				series.times.some((t, i) => {
					const off = Math.abs(there.outputs[output][times.indexOf(t)] - series.values[i]);
					return off > 1.1 * bars[output];
				}),
			)
		);
	});
}
