/** `odentify compare RUN RUN…`: models of the same data by their log evidence. */
import { InputError } from "../../errors.ts";
import { compareEvidence, type RunEvidence } from "../../study/compare-evidence.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { readRun } from "../files/run-files.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function compare(paths: readonly string[], options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	if (paths.length < 2)
		throw new InputError("compare", "needs two runs or more", "odentify compare runs/a runs/b");
	const { rows, warnings } = compareEvidence(
		paths.map((path) => ({ run: path, result: readRun(RunFolder.open(path)).result })),
	);
	terminal.say(["", ...tableOf(rows).map((line) => `  ${line}`), ""].join("\n"));
	if (warnings.length > 0) terminal.say(`${warnings.map((warning) => `  ${warning}`).join("\n")}\n`);
	terminal.answer({ runs: rows, warnings });
	return 0;
}

function probabilityText(probability: number): string {
	if (Number.isNaN(probability)) return "–";
	if (probability === 0) return "< 1e-300";
	return probability < 1e-3 ? probability.toExponential(0) : probability.toFixed(3);
}

function tableOf(rows: readonly RunEvidence[]): string[] {
	const cells = [
		["run", "log evidence", "below the best", "probability", ""],
		...rows.map(({ run, logEvidence, uncertainty, below, probability, verdict }) => [
			run,
			Number.isFinite(uncertainty)
				? `${logEvidence.toFixed(2)} ± ${uncertainty.toFixed(2)}`
				: logEvidence.toFixed(1),
			below.toFixed(1),
			probabilityText(probability),
			verdict,
		]),
	];
	const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
	return cells.map((row) =>
		row
			.map((cell, column) =>
				column === 0 || column === 4 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
			)
			.join("   ")
			.trimEnd(),
	);
}
