/**
 * Records that swing, of which few states are measured and little is known: how often `fit` by its defaults finds what made them, with
 * records cut into segments and without, and what that takes of processor time. --seeds N: noises and starts of each system.
 */
import { inline } from "../src/compute/inline.ts";
import { residualsOf, rootMeanSquare } from "../src/estimate/predict/residuals.ts";
import { fit } from "../src/methods/fit/fit.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { regularTimes, simulateRecord } from "../test/methods/fit/records.ts";
import type { BenchOptions } from "./main.ts";
import { secondsSince } from "./processor.ts";

interface Swinging {
	readonly name: string;
	/** Ranges, equations and what is measured. */
	readonly model: string;
	readonly truth: Readonly<Record<string, number>>;
	readonly x0: readonly number[];
	readonly until: number;
	readonly samples: number;
	readonly noise: Readonly<Record<string, number>>;
}

const systems: readonly Swinging[] = [
	{
		name: "Lorenz from x",
		model: `param s in [1, 50], r in [1, 100], b in [0.1, 20]
state x in [-30, 30], y in [-30, 30], z in [0, 60]
x' = s*(y - x)
y' = x*(r - z) - y
z' = x*y - b*z
measure X ~ normal(x, 0.5)`,
		truth: { s: 10, r: 28, b: 8 / 3 },
		x0: [-8, 7, 27],
		until: 12,
		samples: 601,
		noise: { X: 0.5 },
	},
	{
		name: "Rössler from y",
		model: `param a in [0.01, 2], b in [0.01, 2], c in [0.5, 50]
state x in [-20, 20], y in [-20, 20], z in [0, 30]
x' = -y - z
y' = x + a*y
z' = b + z*(x - c)
measure Y ~ normal(y, 0.2)`,
		truth: { a: 0.2, b: 0.2, c: 5.7 },
		x0: [1, 1, 0],
		until: 80,
		samples: 801,
		noise: { Y: 0.2 },
	},
	{
		name: "FitzHugh–Nagumo from V, 30 turns",
		model: `param a in [0.01, 10], b in [0.01, 10], c in [0.1, 30]
state V in [-3, 3], R in [-3, 3]
V' = c*(V - V^3/3 + R)
R' = -(V - a + b*R)/c
measure y ~ normal(V, 0.1)`,
		truth: { a: 0.2, b: 0.2, c: 3 },
		x0: [-1, 1],
		until: 300,
		samples: 1501,
		noise: { y: 0.1 },
	},
	{
		name: "Brusselator from x",
		model: `param a in [0.05, 20], b in [0.05, 20]
state x in [0, 10], y in [0, 10]
x' = a + x^2*y - (b + 1)*x
y' = b*x - x^2*y
measure X ~ normal(x, 0.1)`,
		truth: { a: 1, b: 3 },
		x0: [1, 1],
		until: 60,
		samples: 301,
		noise: { X: 0.1 },
	},
	{
		name: "Hindmarsh–Rose from x",
		model: `param a in [0.1, 10], b in [0.3, 30], c in [0.1, 10], d in [0.5, 50], i in [0.3, 30]
state x in [-3, 3], y in [-20, 5], z in [0, 5]
x' = y - a*x^3 + b*x^2 - z + i
y' = c - d*x^2 - y
z' = 0.006*(4*(x + 1.6) - z)
measure X ~ normal(x, 0.05)`,
		truth: { a: 1, b: 3, c: 1, d: 5, i: 3 },
		x0: [-1, -5, 2.5],
		until: 100,
		samples: 1001,
		noise: { X: 0.05 },
	},
	{
		name: "two coupled pendulums from one angle",
		model: `param w in [0.1, 30], v in [0.1, 30], k in [0.01, 10], d in [0.001, 1]
state p in [-3, 3], p' in [-5, 5], q in [-3, 3], q' in [-5, 5]
p'' = -w*sin(p) - k*(p - q) - d*p'
q'' = -v*sin(q) - k*(q - p) - d*q'
measure P ~ normal(p, 0.05)`,
		truth: { w: 4, v: 2.5, k: 0.6, d: 0.02 },
		x0: [1.5, 0, -0.4, 0],
		until: 40,
		samples: 401,
		noise: { P: 0.05 },
	},
];

export async function bench({ seeds = 5, systems: wanted }: BenchOptions): Promise<void> {
	console.log(
		"| system | found: plain | with segments | seconds: plain | with segments |\n|---|---|---|---|---|",
	);
	for (const system of systems) {
		if (wanted && !wanted.some((each) => system.name.includes(each))) continue;
		const cells = [system.name];
		const seconds: string[] = [];
		for (const segments of [false, true]) {
			const began = process.cpuUsage();
			let found = 0;
			for (let seed = 1; seed <= seeds; seed++) if (await isFound(system, seed, segments)) found++;
			cells.push(`${found} of ${seeds}`);
			seconds.push((secondsSince(began) / seeds).toFixed(1));
		}
		console.log(`| ${[...cells, ...seconds].join(" | ")} |`);
	}
}

/** Whether what is left is noise: residuals at most a tenth larger than it. */
async function isFound(system: Swinging, seed: number, segments: boolean): Promise<boolean> {
	const { model: text, truth: values, x0, until, samples, noise } = system;
	const model = parseModel(text, system.name);
	const times = regularTimes(samples, until / (samples - 1));
	const train = [simulateRecord({ model, values, x0, times, noise, seed })];
	const problem = { model, train, test: [], start: {}, seed, compute: inline };
	const options = { ...defaultOptions(fit.options), profile: false, segments };
	const state = await fit.prepare(problem, options);
	while (!(await fit.advance(state)).done);
	const { predictions } = await fit.result(state);
	return predictions.every((prediction) => {
		const residual = residualsOf(prediction)!;
		return rootMeanSquare([residual]) < 1.1 * noise[prediction.output];
	});
}
