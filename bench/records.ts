/**
 * Public records by models of physics, `--data DIR` names their folder: cascaded tanks (Schoukens, Noël 2017) by fit and by bayes, each
 * with its defaults; theophylline's subjects (Boeckmann, Sheiner, Beal 1994) as a population, beside published estimates.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inline } from "../src/compute/inline.ts";
import { readTableFile } from "../src/data/node/read-file.ts";
import { rmseByOutput } from "../src/estimate/predict/residuals.ts";
import type { Result } from "../src/estimate/result.ts";
import { methods } from "../src/methods/registry.ts";
import { Session } from "../src/methods/session.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { problemFromStudy } from "../src/study/problem-from-study.ts";
import { tablesOf } from "../src/study/records.ts";
import { parseStudy } from "../src/study/study-file.ts";

/** Two tanks, one above the other; what does not fit into the upper one runs over into the lower one. */
const tanks = (declared: string, full: string): string => `input u
${declared}
let over = r1*max(x1 - ${full}, 0)
state x1 = a, x2 = b
x1' = k4*(u + u0) - k1*sqrt(max(x1, 0.001)) - c1*x1 - over
x2' = k2*sqrt(max(x1, 0.001)) - k3*sqrt(max(x2, 0.001)) - c2*x2 + share*over - r2*max(x2 - h2, 0)
measure y ~ normal(x2, s)
`;
const sets = `param k1 in [0.005, 0.5], k2 in [0.005, 0.5], k3 in [0.005, 0.5], k4 in [0.005, 0.5]
param c1 in [-0.05, 0.05], c2 in [-0.05, 0.05], u0 in [-1, 1]
param h1 in [6, 11], r1 in [0.01, 5], share in [0, 1], h2 in [8, 11], r2 in [0.001, 5]
param a in [1, 10], b in [1, 10], s in [0.001, 1]`;
const priors = `param k1 ~ lognormal(log(0.05), 0.5), k2 ~ lognormal(log(0.05), 0.5), k3 ~ lognormal(log(0.05), 0.5), k4 ~ lognormal(log(0.05), 0.5)
param c1 ~ normal(0, 0.01), c2 ~ normal(0, 0.01), u0 ~ normal(0, 1)
param r1 ~ lognormal(log(0.3), 1), share ~ lognormal(log(1), 0.5), h2 ~ normal(10, 0.3), r2 ~ lognormal(0, 1)
param a ~ normal(7, 2), b ~ normal(5, 0.5), s ~ lognormal(log(0.1), 1)`;
const tankFile = "file: tanks/tanks.csv, rate: 0.25, columns:";
const tankStudy = `model: m.ode
data: { ${tankFile} { u: uEst, y: yEst } }
test: { ${tankFile} { u: uVal, y: yVal } }
`;
const start = `set: { k1: 0.05, k2: 0.05, k3: 0.05, k4: 0.05, h1: 10, h2: 10, a: 5, b: 5, c1: 0.001, c2: 0.001, u0: 0.1, r1: 0.5, share: 0.3, r2: 0.5, s: 0.05 }
fit: { profile: false, starts: 6 }
`;
const theophylline = `condition dose
param lka in [-3, 4], lcl in [-8, 2], lke in [-6, 1]
param oka, ocl, s
param ka[record] ~ lognormal(lka, oka)
param cl[record] ~ lognormal(lcl, ocl)
let ke = exp(lke)
state depot = dose
state c = 0
depot' = -ka*depot
c' = ka*depot*ke/cl - ke*c
measure conc ~ normal(c, s)
`;
/** nlme's approximation with these two spreads: Pinheiro, Bates, Mixed-Effects Models in S and S-PLUS, 2000, section 8.2. */
const published = { lka: 0.4655, lcl: -3.2272, lke: -2.4547, oka: 0.644, ocl: 0.1669, s: 0.7097 };

export async function bench(records?: string): Promise<void> {
	if (records === undefined || !existsSync(join(records, "tanks"))) {
		console.log("The public records are not here (--data DIR): passed over.");
		return;
	}
	for (const [name, study, model] of [
		["fit", `${tankStudy}method: fit\n${start}`, tanks(sets, "h1")],
		["bayes", `${tankStudy}method: bayes\n`, tanks(priors, "10")],
	] as const) {
		const { result, seconds } = await answered(records, study, model);
		const { y } = rmseByOutput(result.predictions, "test");
		console.log(
			`cascaded tanks, ${name}: ${y.toFixed(4)} V on the test record, ${seconds.toFixed(0)} s: ${y <= 0.26 ? "reached" : "MISSED"} (0.26 V)`,
		);
	}
	const study =
		"model: m.ode\ndata: { file: theophylline/theophylline.csv, time: Time, group: Subject, conditions: { dose: Dose } }\n";
	const { result, seconds } = await answered(records, study, theophylline);
	console.log(
		`theophylline, twelve subjects by fit, ${seconds.toFixed(0)} s; log-likelihood ${result.summary.logLikelihood} (published -177.02)`,
	);
	for (const { name, estimate, sd = Number.NaN } of result.parameters) {
		const other = published[name as keyof typeof published];
		console.log(`  ${name.padEnd(4)} ${estimate.toFixed(4)} ± ${sd.toFixed(4)}, published ${other}`);
	}
}

async function answered(
	folder: string,
	text: string,
	model: string,
): Promise<{ result: Result; seconds: number }> {
	const study = parseStudy(text, "study.yaml", methods);
	const tables = await tablesOf(study, (file, choices) => readTableFile(join(folder, file), choices));
	const problem = problemFromStudy(study, parseModel(model, "m.ode"), tables, inline);
	const began = performance.now();
	const method = methods.get(study.method)!;
	const session = await Session.begin({ method, problem, options: study.options[study.method] ?? {} });
	while (!(await session.advance()).done);
	return { result: await session.result(), seconds: (performance.now() - began) / 1000 };
}
