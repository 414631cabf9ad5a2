/**
 * Public records by models of physics, `--data DIR` names their folder, `--systems` which of them: cascaded tanks (Schoukens, Noël 2017)
 * and the Wiener–Hammerstein circuit (Schoukens, Suykens, Ljung 2009) by fit and by bayes, with defaults;
 * theophylline's twelve subjects (Boeckmann, Sheiner, Beal 1994) as a population, beside published estimates, and
 * indomethacin's six (Kwan et al. 1976).
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inline } from "../src/compute/inline.ts";
import { readTableFile } from "../src/data/node/read-file.ts";
import { rmseByOutput } from "../src/estimate/predict/residuals.ts";
import type { Result } from "../src/estimate/result.ts";
import { methods } from "../src/methods/registry.ts";
import { Session } from "../src/methods/session.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { problemFromStudy } from "../src/study/problem-from-study.ts";
import { tablesOf } from "../src/study/records/records.ts";
import { parseStudy } from "../src/study/text/study-file.ts";
import type { BenchOptions } from "./main.ts";
import { secondsSince } from "./processor.ts";

/** Two tanks, one above the other; what does not fit into the upper one runs over into the lower one. */
const tanks = `input u
param k1 ~ lognormal(log(0.05), 0.5), k2 ~ lognormal(log(0.05), 0.5), k3 ~ lognormal(log(0.05), 0.5), k4 ~ lognormal(log(0.05), 0.5)
param c1 ~ normal(0, 0.01), c2 ~ normal(0, 0.01), u0 ~ normal(0, 1)
param r1 ~ lognormal(log(0.3), 1), share ~ lognormal(log(1), 0.5), h2 ~ normal(10, 0.3), r2 ~ lognormal(0, 1)
param a ~ normal(7, 2), b ~ normal(5, 0.5), s ~ lognormal(log(0.1), 1)
let over = r1*max(x1 - 10, 0)
state x1 = a, x2 = b
x1' = k4*(u + u0) - k1*sqrt(max(x1, 0.001)) - c1*x1 - over
x2' = k2*sqrt(max(x1, 0.001)) - k3*sqrt(max(x2, 0.001)) - c2*x2 + share*over - r2*max(x2 - h2, 0)
measure y ~ normal(x2, s)
`;
const tankFile = "file: tanks.csv, rate: 0.25, columns:";
const tankStudy = `model: m.ode
data: { ${tankFile} { u: uEst, y: yEst } }
test: { ${tankFile} { u: uVal, y: yVal } }
`;
/** A filter of order three, a soft diode, a filter of order three with zeros; milliseconds. Priors: what is known of the circuit. */
const circuit = `input u
param p1 ~ lognormal(log(17), 0.2), w1 ~ lognormal(log(29), 0.2), d1 ~ lognormal(log(17), 0.2)
param v ~ normal(0.5, 0.2), w ~ lognormal(log(0.1), 0.5), g ~ lognormal(log(0.8), 0.3)
param p2 ~ lognormal(log(10), 0.3), w2 ~ lognormal(log(11), 0.3), d2 ~ lognormal(log(10), 0.3), z ~ lognormal(log(0.001), 0.5)
param gain ~ lognormal(log(1), 0.3), off ~ normal(0, 0.05)
param s ~ lognormal(log(0.001), 1)
state a ~ normal(0, 0.3), b ~ normal(0, 0.3), b' ~ normal(0, 5), c ~ normal(0, 0.3), e ~ normal(0, 0.3), e' ~ normal(0, 3)
a' = p1*(u - a)
b'' = w1^2*(a - b) - d1*b'
let f = b - g*w*log(1 + exp((b - v)/w))
c' = p2*(f - c)
let e2 = w2^2*(c - e) - d2*e'
e'' = e2
measure y ~ normal(gain*(e + z*e2) + off, s)
`;
const circuitStudy = `model: m.ode
data: { file: wh.csv, rate: 51.2, columns: { u: uBenchMark, y: yBenchMark }, input: sinc }
train: 5200..15200
test: 99000..180000
warmUp: 1000
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

/** After a bolus: what is in the blood, what went elsewhere. Dose over volume, and three rates. */
const indomethacin = `param lc in [-2, 3], lk in [-3, 3], lout in [-3, 3], lback in [-4, 2]
param oc, ok, s
param c0[record] ~ lognormal(lc, oc)
param k[record] ~ lognormal(lk, ok)
let out = exp(lout)
let back = exp(lback)
state c = c0
state away = 0
c' = -(k + out)*c + back*away
away' = out*c - back*away
measure conc ~ normal(c, s)
`;

const parts: Record<string, (records: string) => Promise<void>> = {
	"tanks-fit": (records) => tested(join(records, "tanks"), `${tankStudy}method: fit\n`, tanks, 0.26, "V"),
	"tanks-bayes": (records) => tested(join(records, "tanks"), `${tankStudy}method: bayes\n`, tanks, 0.26, "V"),
	"circuit-fit": (records) => withCircuit(records, "fit"),
	"circuit-bayes": (records) => withCircuit(records, "bayes"),
	theophylline: async (records) => {
		const study = populationStudy("theophylline.csv", "Time", ", conditions: { dose: Dose }");
		population(await answered(join(records, "theophylline"), study, theophylline), published);
		console.log("  published log-likelihood -177.02");
	},
	indomethacin: (records) =>
		inFolder(async (folder) => {
			const own = join(records, "indomethacin");
			const rows = readdirSync(own)
				.filter((name) => name.endsWith(".csv"))
				.flatMap((name, subject) =>
					readFileSync(join(own, name), "utf8")
						.trim()
						.split(/\r?\n/)
						.slice(1)
						.map((row) => `${subject + 1},${row}`),
				);
			writeFileSync(join(folder, "all.csv"), `Subject,time,conc\n${rows.join("\n")}\n`);
			population(await answered(folder, populationStudy("all.csv", "time"), indomethacin));
		}),
};

export async function bench({ data, systems = Object.keys(parts) }: BenchOptions): Promise<void> {
	if (data === undefined || !existsSync(join(data, "tanks"))) {
		console.log("The public records are not here (--data DIR): passed over.");
		return;
	}
	for (const name of systems) {
		console.log(name);
		await parts[name](data);
	}
}

async function withCircuit(records: string, method: string): Promise<void> {
	await inFolder(async (folder) => {
		const packed = join(records, "wiener-hammerstein", "wh.csv.xz");
		writeFileSync(join(folder, "wh.csv"), execFileSync("xz", ["-dc", packed], { maxBuffer: 2 ** 28 }));
		await tested(folder, `${circuitStudy}method: ${method}\n`, circuit, 0.65e-3, "V");
	});
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "records-"));
	try {
		await work(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

async function tested(
	folder: string,
	study: string,
	model: string,
	goal: number,
	unit: string,
): Promise<void> {
	const { result, spent } = await answered(folder, study, model);
	const { y } = rmseByOutput(result.predictions, "test");
	console.log(
		`  ${y.toPrecision(4)} ${unit} on the test record, ${spent}: ${y <= goal ? "reached" : "MISSED"} (${goal} ${unit})`,
	);
	for (const { title } of result.doubts) console.log(`  doubted: ${title}`);
}

function populationStudy(file: string, time: string, more = ""): string {
	return `model: m.ode\ndata: { file: ${file}, time: ${time}, group: Subject${more} }\n`;
}

function population({ result, spent }: Answered, known: Record<string, number> = {}): void {
	console.log(`  by fit, ${spent}; log-likelihood ${result.summary.logLikelihood}`);
	for (const { name, estimate, sd = Number.NaN } of result.parameters)
		console.log(
			`  ${name.padEnd(5)} ${estimate.toFixed(4)} ± ${sd.toFixed(4)}${name in known ? `, published ${known[name]}` : ""}`,
		);
}

interface Answered {
	readonly result: Result;
	readonly spent: string;
}

async function answered(folder: string, text: string, model: string): Promise<Answered> {
	const study = parseStudy(text, "study.yaml", methods);
	const tables = await tablesOf(study, (file, choices) => readTableFile(join(folder, file), choices));
	const problem = problemFromStudy(study, parseModel(model, "m.ode"), tables, inline);
	const used = process.cpuUsage();
	const method = methods.get(study.method)!;
	const session = await Session.begin({ method, problem, options: study.options[study.method] ?? {} });
	while (!(await session.advance()).done);
	const result = await session.result();
	return { result, spent: `${secondsSince(used).toFixed(1)} s of processor` };
}
