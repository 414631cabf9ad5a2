/** `odentify simulate STUDY`: integrates the model with given values; writes trajectory.csv. */

import { csvText } from "../../data/csv/write-csv.ts";
import { readTableFile } from "../../data/node/read-file.ts";
import { InputError } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { counted } from "../../report/format.ts";
import { besideStudy, loadStudy } from "../../study/node/load-study.ts";
import { assertUsable, RunFolder, runName } from "../../study/node/run-folder.ts";
import { tablesOf } from "../../study/records/records.ts";
import type { Simulation } from "../../study/simulate/simulate.ts";
import { simulateStudy } from "../../study/simulate/simulate-study.ts";
import { version } from "../../version.ts";
import { seedOf } from "../common-options.ts";
import { exitCodes } from "../failure.ts";
import { assertCsvUsable, writeCsv } from "../files/csv-file.ts";
import { resolvedText } from "../files/resolved-study.ts";
import { isArchive, unpackedStudy } from "../files/study-archive.ts";
import { simulatePetab } from "../simulate-petab.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function simulate(
	asked: string,
	options: CommonOptions & { csv?: string; force?: boolean },
): Promise<number> {
	const terminal = new Terminal(options);
	const { out, csv } = options;
	if (out !== undefined && csv !== undefined)
		throw new InputError("--csv", "stands beside --out", "Give one of the two.");
	if (options.force && csv === undefined)
		throw new InputError(
			"--force",
			"stands without --csv",
			"Runs never write over earlier results; name a file with  --csv FILE",
		);
	if (out !== undefined) assertUsable(out);
	if (csv !== undefined) assertCsvUsable(csv, options.force === true);
	const path = isArchive(asked) ? unpackedStudy(asked).study : asked;
	const petab = simulatePetab(path, options, terminal);
	if (petab !== undefined) return petab;
	const loaded = loadStudy(path, methods);
	const seed = seedOf(options, loaded.study.seed);
	const study = { ...loaded.study, seed };
	if (csv !== undefined && study.records.length > 1)
		throw new InputError(
			"--csv",
			`is one file, but the study has ${study.records.length} records`,
			"Use  --out DIR",
		);
	const start = performance.now();
	const tables = await tablesOf(study, (file, choices) => readTableFile(besideStudy(path, file), choices));
	const simulations = simulateStudy(study, loaded.model, tables, seed);
	const seconds = (performance.now() - start) / 1000;

	for (const { notes, name } of simulations)
		for (const note of notes) terminal.say(`  ${simulations.length > 1 ? `${name}: ` : ""}${note}`);
	const failed = simulations.find(({ outcome }) => outcome !== "converged");
	if (failed) {
		terminal.say(`  The simulation of ${failed.name} did not come to its end (${failed.outcome}).`);
		terminal.say(`  ${failed.message}`);
		terminal.answer({ outcome: failed.outcome, message: failed.message, record: failed.name });
		return exitCodes.noAnswer;
	}
	const files = filesOf(simulations, study.simulate.digits);
	const nSamples = simulations.reduce((sum, { columns }) => sum + columns[0].values.length, 0);
	const summary = {
		method: "simulate",
		outcome: "converged",
		seed,
		version,
		seconds,
		nSamples,
		noise: study.simulate.noise,
		columns: simulations[0].columns.map(({ name, kind }) => ({ name, kind })),
		notes: simulations.flatMap(({ notes }) => notes),
	};
	if (csv !== undefined) {
		writeCsv(csv, files[0].content);
		terminal.say(`  ${counted(nSamples, "sample")} written to ${csv}`);
		terminal.answer({ ...summary, file: csv });
		return exitCodes.answer;
	}
	const folder = RunFolder.create(runName(path), out);
	try {
		folder.log("simulated", { seed, seconds });
		folder.write("study.yaml", resolvedText({ ...loaded, study }, folder.path));
		for (const { name, content } of files) folder.write(name, content);
		folder.write("summary.json", `${JSON.stringify(summary, null, 2)}\n`);
	} catch (error) {
		folder.discard();
		throw error;
	} finally {
		folder.close();
	}
	terminal.say(
		`  ${counted(nSamples, "sample")} written to ${files.map(({ name }) => folder.file(name)).join(", ")}`,
	);
	terminal.answer({ ...summary, run: folder.path, files: files.map(({ name }) => folder.file(name)) });
	return exitCodes.answer;
}

/** trajectory.csv; with several records one file each, and all of them in trajectory.csv with the number of the experiment. */
function filesOf(simulations: readonly Simulation[], digits: number): { name: string; content: string }[] {
	const rounded = (values: Float64Array): Float64Array =>
		digits >= 17 ? values : values.map((value) => Number(value.toPrecision(digits)));
	const text = (columns: Simulation["columns"]): string =>
		csvText(columns.map(({ name, values }) => ({ name, values: rounded(values) })));
	if (simulations.length === 1) return [{ name: "trajectory.csv", content: text(simulations[0].columns) }];
	const joined = simulations[0].columns.map((column, c) => ({
		...column,
		values: Float64Array.from(simulations.flatMap(({ columns }) => [...columns[c].values])),
	}));
	const numbers = Float64Array.from(
		simulations.flatMap(({ columns }, i) => [...columns[0].values].map(() => i + 1)),
	);
	const all = text([...joined, { name: "experiment", kind: "time", values: numbers }]);
	const taken = new Set<string>();
	return [
		{ name: "trajectory.csv", content: all },
		...simulations.map(({ name, columns }, i) => {
			const plain = name.replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") || String(i + 1);
			const unique = taken.has(plain) ? `${plain}-${i + 1}` : plain;
			taken.add(unique);
			return { name: `trajectory-${unique}.csv`, content: text(columns) };
		}),
	];
}
