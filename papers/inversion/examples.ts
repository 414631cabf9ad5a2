/** The paper's two examples, cubic libraries, and a problem of 2,000 weights: models, true weights, records. */
import type { Compute } from "../../src/compute/compute.ts";
import { type Experiment, unitOf } from "../../src/data/experiment.ts";
import {
	emptyRecord,
	regularTimes,
	simulatedRecords,
} from "../../src/methods/inversion/answer/simulated-records.ts";
import { candidatesOf } from "../../src/methods/inversion/candidates/candidates.ts";
import { deviation } from "../../src/methods/inversion/forward/smooth-states.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Model } from "../../src/model/model.ts";
import { stream } from "../../src/num/random.ts";

export interface Example {
	readonly model: Model;
	/** Weights that are not zero, by name. */
	readonly truth: Readonly<Record<string, number>>;
	/** Records without samples. */
	readonly design: readonly Experiment[];
	/** Unknown initial values, experiment by experiment. */
	readonly initial: readonly number[];
	/** Steps that make the integration error vanish beside any noise. */
	readonly substeps: number;
}

/** Conditions of the six experiments: columns of the paper's C without its first row, [whiten2014] eq. (14). */
const conditions = [
	[0.5, 0.5],
	[1, 0],
	[0, 1],
	[1, 1],
	[-1, 0],
	[0, -1],
];

/** [whiten2014] section 4; `fast`: how many times faster y is than in the paper. */
export function operatingConditions(options: { step?: number; sd?: number; fast?: number } = {}): Example {
	const { step = 1, sd = 0.1, fast = 1 } = options;
	const terms = "(1, c2, c3)";
	const params = Array.from({ length: 8 }, (_, i) => `p${i + 1}${terms}`).join(", ");
	const model = parseModel(
		`condition c2, c3
param ${params}
state x = p7, y = p8
x' = p1 + p2*x + p3*y
y' = p4 + p5*x + p6*y
measure xm ~ normal(x, ${sd})
measure ym ~ normal(y, ${sd})
`,
		"operating-conditions.ode",
	);
	const rates = {
		"p4[1]": 1,
		"p4[c2]": 1,
		"p4[c3]": 1,
		"p5[1]": 1,
		"p5[c2]": 1,
		"p5[c3]": 1,
		"p6[1]": -2,
		"p6[c3]": 1,
	};
	return {
		model,
		truth: {
			"p1[1]": 1,
			"p2[1]": -1,
			"p2[c2]": 0.5,
			"p3[c3]": 0.1,
			...Object.fromEntries(Object.entries(rates).map(([name, value]) => [name, value * fast])),
			"p7[c3]": 1,
			"p8[c2]": 1,
		},
		design: conditions.map(([c2, c3], e) =>
			emptyRecord(`set ${e + 1}`, regularTimes(10, step), ["xm", "ym"], { c2, c3 }),
		),
		initial: [],
		substeps: Math.max(1, Math.round(40 * step * fast)),
	};
}

/** [whiten2014] section 5. */
export function splineTerms(sd = 1e-5): Example {
	const spline = "spline(0, 1, 2, 3, 4)";
	const model = parseModel(
		`param a, b
unknown Sxx(x) = ${spline}
unknown Sxy(y) = ${spline}
unknown Syx(x) = ${spline}
unknown Syy(y) = ${spline}
state x = 0, y = 0
x' = a - Sxx(x) + Sxy(y)
y' = b + Syx(x) - Syy(y)
measure xm ~ normal(x, ${sd})
measure ym ~ normal(y, ${sd})
`,
		"spline-terms.ode",
	);
	const bumps = (name: string, x: string) => ({
		[`${name}[${x}]`]: 2,
		[`${name}[s1(${x})]`]: 0.5,
		[`${name}[s2(${x})]`]: 0.75,
		[`${name}[s3(${x})]`]: 0.5,
	});
	return {
		model,
		truth: { a: 5, b: 4, ...bumps("Sxx", "x"), "Sxy[y]": 1, "Syx[x]": 1, ...bumps("Syy", "y") },
		design: [emptyRecord("record", regularTimes(5, 0.1), ["xm", "ym"], {})],
		initial: [],
		substeps: 16,
	};
}

/** Two states, all monomials up to degree 3 in both equations: 20 candidates. */
function cubicLibrary(
	truth: Readonly<Record<string, number>>,
	initial: readonly number[],
	samples: number,
	substeps: number,
): Example {
	const model = parseModel(
		`param sx, sy
unknown f(x, y) = polynomial(3)
unknown g(x, y) = polynomial(3)
state x, y
x' = f(x, y)
y' = g(x, y)
measure xm ~ normal(x, sx)
measure ym ~ normal(y, sy)
`,
		"cubic-library.ode",
	);
	const design = [emptyRecord("record", regularTimes(20, 20 / (samples - 1)), ["xm", "ym"], {})];
	return { model, truth, design, initial, substeps };
}

export const vanDerPol = (): Example =>
	cubicLibrary({ "f[y]": 1, "g[x]": -1, "g[y]": 1, "g[x^2*y]": -1 }, [2, 0], 1001, 16);

export const lotkaVolterra = (): Example =>
	cubicLibrary({ "f[x]": 1.5, "f[x*y]": -1, "g[y]": -3, "g[x*y]": 1 }, [1, 1], 401, 64);

/** A sparse linear system whose coefficients may depend on conditions: states² · (1 + nConditions) weights. */
export function manyWeights(options: {
	states: number;
	experiments: number;
	samples: number;
	seed: number;
}): Example {
	const { states: n, experiments, samples, seed } = options;
	const names = ["c2", "c3", "c4", "c5"];
	const states = Array.from({ length: n }, (_, i) => i);
	const model = parseModel(
		[
			`condition ${names.join(", ")}`,
			...states.map((i) => `param ${states.map((j) => `p${i}_${j}(1, ${names.join(", ")})`).join(", ")}`),
			`state ${states.map((i) => `x${i} = ${((i * 7) % 5) - 2}`).join(", ")}`,
			...states.map((i) => `x${i}' = ${states.map((j) => `p${i}_${j}*x${j}`).join(" + ")}`),
			...states.map((i) => `measure y${i} ~ normal(x${i}, 0.02)`),
		].join("\n"),
		"many-weights.ode",
	);
	const random = stream(seed, "many weights");
	const truth: Record<string, number> = {};
	for (const i of states) {
		truth[`p${i}_${i}[1]`] = -0.5 - 0.5 * random.uniform(i);
		truth[`p${i}_${(i + 1) % n}[1]`] = random.uniform(n + i) < 0.5 ? -0.8 : 0.8;
		truth[`p${i}_${(i + 5) % n}[${names[i % 4]}]`] = 0.5;
		if (i % 2 === 1) truth[`p${i}_${i}[${names[(i + 1) % 4]}]`] = 0.2;
	}
	const outputs = states.map((i) => `y${i}`);
	const design = Array.from({ length: experiments }, (_, e) =>
		emptyRecord(
			`experiment ${e + 1}`,
			regularTimes(0.25 * (samples - 1), 0.25),
			outputs,
			Object.fromEntries(names.map((name) => [name, 2 * stream(seed, `condition ${name}`).uniform(e) - 1])),
		),
	);
	return { model, truth, design, initial: [], substeps: 16 };
}

/** Records of an example with noise of given size; `relative`: to the spread of each output. */
export async function recordsOf(
	example: Example,
	noise: { readonly sd: number; readonly relative?: boolean },
	seed: number,
	compute: Compute,
): Promise<Experiment[]> {
	const records = [...new Set(example.design.map(unitOf))];
	const candidates = candidatesOf(example.model, {}, false, records);
	const point = Float64Array.from([
		...candidates.weights.map(({ name }) => example.truth[name] ?? 0),
		...example.initial,
	]);
	return simulatedRecords({
		candidates,
		point,
		experiments: example.design,
		substeps: example.substeps,
		noise: (_output, _experiment, clean) => (noise.relative ? noise.sd * deviation(clean) : noise.sd),
		seed,
		compute,
	});
}
