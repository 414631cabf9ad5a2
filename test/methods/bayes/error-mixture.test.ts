/** Errors that are not normal beside noise in the equations: held against the exact filter on a grid of states. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { experimentOf } from "./helpers.ts";

const s = 0.2;
const density = {
	student: (e: number) => (3 / (8 * s)) * (1 + (e / s) ** 2 / 4) ** -2.5,
	laplace: (e: number) => Math.exp(-Math.abs(e) / s) / (2 * s),
};
const laws = { student: `student(4, x, ${s})`, laplace: `laplace(x, ${s})` };

interface Sampled {
	readonly t: Float64Array;
	readonly y: Float64Array;
}

/** x' = -k x + w, samples every half, errors of both laws with some that are far out. */
function recordOf(seed: number, q: number): Sampled {
	const random = stream(seed, "error mixture");
	const a = Math.exp(-0.2);
	let x = 3;
	const y = Float64Array.from({ length: 30 }, (_, i) => {
		x = a * x + q * Math.sqrt((1 - a * a) / 0.8) * random.normal(3 * i);
		const large = random.uniform(3 * i + 1) < 0.15 ? 5 : 1;
		return x + s * large * random.normal(3 * i + 2);
	});
	return { t: y.map((_, i) => 0.5 * (i + 1)), y };
}

/** The law of x on a grid; what lies between its points is normal and much wider than them. */
function exact({ y }: Sampled, rate: number, q: number, law: (e: number) => number): number {
	const a = Math.exp(-0.5 * rate);
	const sd = q * Math.sqrt((1 - a * a) / (2 * rate));
	const n = 360;
	const at = (i: number): number => -6 + (12 * i) / (n - 1);
	const step = 12 / (n - 1);
	let weights: number[] | undefined;
	let sum = 0;
	for (const sample of y) {
		const before = weights;
		const next = Array.from({ length: n }, (_, i) => {
			const normal = (from: number): number => Math.exp(-0.5 * ((at(i) - a * from) / sd) ** 2);
			if (!before) return normal(3);
			const middle = Math.round((at(i) / a + 6) / step);
			const reach = Math.ceil((8 * sd) / a / step);
			let total = 0;
			for (let j = Math.max(0, middle - reach); j <= Math.min(n - 1, middle + reach); j++)
				total += before[j] * normal(at(j));
			return total * step;
		}).map((weight, i) => (weight / (sd * Math.sqrt(2 * Math.PI))) * law(sample - at(i)));
		const total = next.reduce((p, w) => p + w, 0) * step;
		sum += Math.log(total);
		weights = next.map((w) => w / total);
	}
	return sum;
}

async function filtered({ t, y }: Sampled, rate: number, q: number, law: string): Promise<number> {
	const model = parseModel(
		`input w ~ white(q)
param k ~ lognormal(log(0.5), 0.7), q ~ lognormal(log(0.4), 0.7)
state x = 3
x' = -k*x + w
measure y ~ ${law}`,
		"m.ode",
	);
	const data = experimentOf(Float64Array.of(0, ...t), {});
	const outputs = new Map([["y", { times: t, values: y, rows: Int32Array.from(t, (_, i) => i) }]]);
	const settings = {
		layout: "native",
		q: 3,
		linearisation: "ekf0",
		diffusion: "off",
		equationEvidence: false,
		substeps: 1,
	} as const;
	const unknowns = posteriorUnknowns(model, ["record"]);
	const likelihood = new Likelihood(model, unknowns, [{ ...data, outputs }], settings, inline);
	return (await likelihood.logLikelihoods(Float64Array.of(rate, q), 1))[0];
}

describe("errors that are not normal", () => {
	it.each(["student", "laplace"] as const)("beside noise in the equations: %s", async (name) => {
		const off: number[] = [];
		for (const seed of [1, 2])
			for (const q of [0.1, 0.4]) {
				const data = recordOf(seed, q);
				off.push((await filtered(data, 0.4, q, laws[name])) - exact(data, 0.4, q, density[name]));
			}
		expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.3);
	});
});
