/**
 * The models of the semantic test suite of SBML in the folder that --data names, read, written in the language, exported to SBML and
 * read again: how many simulate the same states, to 1e-8.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportTargets } from "../src/formats/export/targets.ts";
import { readSbml, sbmlToOde } from "../src/formats/sbml/read-sbml.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import type { Model } from "../src/model/model.ts";
import { identifiedOf } from "../src/study/identified.ts";
import { type Simulation, simulateRecord } from "../src/study/simulate/simulate.ts";

const times = Float64Array.from([0, 0.5, 1, 2, 3]);
const options = {
	noise: false,
	rtol: 1e-11,
	atol: 1e-13,
	knots: [],
	amounts: [],
	concentrations: [],
	digits: 17,
};
const simulated = (model: Model): Simulation =>
	simulateRecord(model, {}, { name: "r", times, signals: new Map(), conditions: {} }, options, 1);

export async function bench(data?: string): Promise<void> {
	const folder = [data, data && join(data, "sbml-suite")].find(
		(each) => each && existsSync(join(each, "00001")),
	);
	if (!folder) {
		console.log("passed over: the suite is not at hand (npm run bench -- sbml-round-trip --data DIR)");
		return;
	}
	let [same, other, refused] = [0, 0, 0];
	for (const id of readdirSync(folder).filter((name) => /^\d{5}$/.test(name))) {
		const verdict = verdictOf(folder, id);
		if (verdict === "same") same++;
		else if (verdict === "refused") refused++;
		else {
			other++;
			console.log(`${id}: ${verdict}`);
		}
	}
	console.log(
		`${same} models are the same after the round trip, ${other} are not; ${refused} cannot be simulated.`,
	);
}

function verdictOf(folder: string, id: string): string {
	const file = readdirSync(join(folder, id))
		.filter((name) => /sbml-l\dv\d\.xml$/.test(name))
		.sort()
		.at(-1);
	if (file === undefined) return "refused";
	let ode: string;
	let expected: Simulation;
	try {
		ode = sbmlToOde(readFileSync(join(folder, id, file), "utf8"), file).text;
		expected = simulated(parseModel(ode, "model.ode"));
	} catch {
		return "refused";
	}
	if (expected.outcome !== "converged") return "refused";
	try {
		const source = identifiedOf(id, parseModel(ode, "model.ode"), [], [], true);
		const again = simulated(readSbml(exportTargets.sbml(source).get("model.xml")!, "model.xml"));
		for (const { name, kind, values } of expected.columns) {
			if (kind !== "state") continue;
			const named = (wanted: string) => again.columns.find((each) => each.name === wanted);
			const column = named(name) ?? named(`${name}_`);
			if (!column) return `no column ${name}`;
			const wrong = values.findIndex(
				(value, i) => !(Math.abs(value - column.values[i]) <= 1e-8 * (1 + Math.abs(value))),
			);
			if (wrong >= 0)
				return `${name} at t = ${times[wrong]} is ${column.values[wrong]}, not ${values[wrong]}`;
		}
		return "same";
	} catch (error) {
		return error instanceof Error ? error.message.split("\n")[0] : String(error);
	}
}
