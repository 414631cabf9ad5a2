/** `odentify simulate PROBLEM.yaml` for a PEtab problem: its measurements as the model says them at the nominal values. */
import { looksLikePetab } from "../formats/petab/looks-like.ts";
import { readPetab } from "../formats/petab/problem.ts";
import { counted } from "../report/format.ts";
import { beside } from "../study/node/load-study.ts";
import { readText } from "../study/node/read-text.ts";
import { RunFolder, runName } from "../study/node/run-folder.ts";
import { petabLikelihood } from "../study/petab/likelihood.ts";
import { simulationTable } from "../study/petab/simulation-table.ts";
import { version } from "../version.ts";
import { exitCodes } from "./failure.ts";
import { writeCsv } from "./files/csv-file.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** `undefined` where the file is no PEtab problem. */
export function simulatePetab(
	path: string,
	{ out, csv }: { out?: string; csv?: string },
	terminal: Terminal,
): number | undefined {
	if (!/\.ya?ml$/i.test(path)) return undefined;
	const source = readText(path, "study");
	if (!looksLikePetab(source)) return undefined;
	const start = performance.now();
	const open = beside(path);
	const problem = readPetab(source, path, open);
	const { logLikelihood, chi2, logPrior, simulated, failed } = petabLikelihood(problem, open);
	const seconds = (performance.now() - start) / 1000;
	if (failed !== undefined) {
		terminal.say(`  At the nominal values the problem has no likelihood.\n  ${failed}`);
		terminal.answer({ outcome: "notFinite", message: failed });
		return exitCodes.noAnswer;
	}
	const nSamples = problem.measurements.length;
	const summary = {
		method: "simulate",
		outcome: "converged",
		version,
		seconds,
		nSamples,
		logLikelihood,
		chi2,
		...(logPrior !== undefined && { logPrior, logPosterior: logLikelihood + logPrior }),
	};
	const isNormal = [...problem.observables.values()].every(({ law }) => law === "normal");
	terminal.say(
		`  ${counted(nSamples, "measurement")}: log-likelihood ${logLikelihood}, ${isNormal ? "chi²" : "squared errors in units of their spreads (no χ², since not all are normal)"} ${chi2} at the nominal values`,
	);
	const table = simulationTable(problem, simulated);
	if (csv !== undefined) {
		writeCsv(csv, table);
		terminal.answer({ ...summary, file: csv });
		return exitCodes.answer;
	}
	const folder = RunFolder.create(runName(path), out);
	try {
		folder.log("simulated", { seconds });
		folder.write("simulations.tsv", table);
		folder.write("summary.json", `${JSON.stringify(summary, null, 2)}\n`);
	} catch (error) {
		folder.discard();
		throw error;
	} finally {
		folder.close();
	}
	terminal.say(`  written to ${folder.file("simulations.tsv")}`);
	terminal.answer({ ...summary, run: folder.path, files: [folder.file("simulations.tsv")] });
	return exitCodes.answer;
}
