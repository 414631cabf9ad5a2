/**
 * A published problem at its published optimum: the likelihood is that of other tools, and the fit does not leave it.
 * Sneyd, Dufour, PNAS 99, 2002, as in the PEtab benchmark collection, whose folder --data names; the spread of the noise is unknown.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inline } from "../src/compute/inline.ts";
import type { Experiment } from "../src/data/experiment.ts";
import { fit } from "../src/methods/fit/fit.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { parseModel } from "../src/model/language/parse-model.ts";

const name = "Sneyd_PNAS2002";
const bestKnown = 319.792;

const names = ["k1", "k2", "k3", "k4", "k_1", "k_2", "k_3", "k_4", "l2", "l4", "l6", "l_2", "l_4", "l_6"];
const model = parseModel(
	`condition IP3, Ca
param ${names.map((name) => `${name} in [0.001, 100000]`).join(", ")}, sigma in [1e-5, 1000]
let L1 = (k_1/k1)/(l_2/l2)
let L3 = (k_2/k2)/(l_4/l4)
let L5 = (k_4/k4)/(l_6/l6)
let v0 = (k_2 + l_4*Ca)/(1 + Ca/L5)*O
let v1 = (k2*L3 + l4*Ca)/(L3 + Ca*(1 + L3/L1))*IP3*R
let v2 = (k1*L1 + l2)*Ca/(L1 + Ca*(1 + L1/L3))*R
let v3 = (k_1 + l_2)*I1
let v4 = (k4*L5 + l6)*Ca/(L5 + Ca)*O
let v5 = L1*(k_4 + l_6)/(L1 + Ca)*A
let v6 = (k1*L1 + l2)*Ca/(L1 + Ca)*A
let v7 = (k_1 + l_2)*I2
let v8 = k3*L5/(L5 + Ca)*O
let v9 = k_3*S
state O = 0, R = 1, I1 = 0, S = 0, A = 0, I2 = 0
O' = -v0 + v1 - v4 + v5 - v8 + v9
R' = v0 - v1 - v2 + v3
I1' = v2 - v3
S' = v8 - v9
A' = v4 - v5 - v6 + v7
I2' = v6 - v7
measure y ~ normal((0.9*A + 0.1*O)^4, sigma)`,
	"sneyd.ode",
);

export async function bench(data?: string): Promise<void> {
	if (data === undefined || !existsSync(join(data, name))) {
		console.log("passed over: the problem is not at hand (npm run bench -- published --data DIR)");
		return;
	}
	const rowsOf = (table: string): Row[] =>
		readRows(readFileSync(join(data, name, `${table}_${name}.tsv`), "utf8"));
	const start = Object.fromEntries(
		rowsOf("parameters").map((row) => [row.parameterId, Math.min(Number(row.nominalValue), 1e5)]),
	);
	const measurements = rowsOf("measurementData");
	const train = rowsOf("experimentalCondition").map(({ conditionId, IP3, Ca }) =>
		recordOf(
			conditionId,
			measurements.filter((row) => row.simulationConditionId === conditionId),
			{ IP3: Number(IP3), Ca: Number(Ca) },
		),
	);
	const problem = { model, train, test: [], start, seed: 1, compute: inline };
	console.log("minus log-likelihood   best known");
	const run = await fit.prepare(problem, {
		...defaultOptions(fit.options),
		starts: 1,
		candidates: 1,
		profile: false,
	});
	while (!(await fit.advance(run)).done);
	const { outcome, summary, doubts } = await fit.result(run);
	const found = -(summary.logLikelihood as number);
	console.log(
		`${found.toFixed(4).padStart(20)}   ${(-bestKnown).toFixed(3).padStart(10)}   ${outcome}; ${summary.integration}`,
	);
	console.log(`sigma ${JSON.stringify((summary.parameters as Record<string, unknown>).sigma)}`);
	for (const { title, grave } of doubts) console.log(`${grave ? "grave" : "mild "}  ${title}`);
}

function recordOf(name: string, rows: readonly Row[], conditions: Record<string, number>): Experiment {
	const sorted = [...rows].sort((a, b) => Number(a.time) - Number(b.time));
	const times = Float64Array.from(sorted, ({ time }) => Number(time));
	const values = Float64Array.from(sorted, ({ measurement }) => Number(measurement));
	return {
		name,
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map([["y", { times, values, rows: Int32Array.from(times.keys()) }]]),
		conditions,
		removed: {},
	} as unknown as Experiment;
}

type Row = Readonly<Record<string, string>>;

function readRows(text: string): Row[] {
	const lines = text.trim().split(/\r?\n/);
	const header = lines[0].split("\t");
	return lines.slice(1).map((line) => {
		const cells = line.split("\t");
		return Object.fromEntries(header.map((name, i) => [name, cells[i]]));
	});
}
