/** `odentify export RUN --to LANGUAGE`: the identified model with its numbers, for other tools. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError, nearestName } from "../../errors.ts";
import type { ParameterRow } from "../../estimate/result.ts";
import { type ExportSource, exportTargets } from "../../formats/export/targets.ts";
import { readModel } from "../../formats/read-model.ts";
import { methods } from "../../methods/registry.ts";
import { identifiedOf } from "../../study/identified.ts";
import { beside, loadStudy } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { exitCodes } from "../failure.ts";
import { writeAll } from "../files/new-files.ts";
import { readRun } from "../files/run-files.ts";
import { questionOf } from "../question.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

interface ExportOptions extends CommonOptions {
	readonly to?: string;
	readonly out?: string;
	readonly force?: boolean;
}

export async function exportRun(path: string, options: ExportOptions): Promise<number> {
	const terminal = new Terminal(options);
	const { to = "" } = options;
	const known = Object.keys(exportTargets);
	if (!Object.hasOwn(exportTargets, to)) {
		const near = nearestName(to, known);
		throw new InputError(
			to === "" ? "--to" : `--to ${to}`,
			to === "" ? "is missing" : "is not known",
			`${near ? `Did you mean ${near}? ` : ""}It is one of ${known.join(", ")}.`,
		);
	}
	const { source, rows, further } = await sourceOf(path);
	const files = new Map([...exportTargets[to](source), ...further]);
	if (rows.length > 0) files.set("parameters.csv", parameterTable(rows));
	const folder =
		options.out ?? join(path.endsWith(".ode") || path.endsWith(".xml") ? "." : path, `export-${to}`);
	const taken = [...files.keys()].find((name) => existsSync(join(folder, name)));
	if (taken !== undefined && !options.force)
		throw new InputError(
			`--out ${folder}`,
			`has ${taken} in it already`,
			"Name another folder, or write over it with  --force",
		);
	writeAll(folder, files);
	terminal.say(`  ${[...files.keys()].join(", ")} written to ${folder}`);
	terminal.answer({ folder, files: [...files.keys()].map((name) => join(folder, name)) });
	return exitCodes.answer;
}

interface Exported {
	readonly source: ExportSource;
	readonly rows: readonly ParameterRow[];
	/** What else of the run belongs to the numbers. */
	readonly further: ReadonlyMap<string, string>;
}

/** A run that has ended, or a model whose parameters all have numbers. */
async function sourceOf(path: string): Promise<Exported> {
	if (/\.(ode|xml|sbml)$/i.test(path)) {
		const model = readModel(readText(path, "model"), path, beside(path));
		return { source: identifiedOf(basename(path), model, [], [], true), rows: [], further: new Map() };
	}
	const folder = RunFolder.open(path);
	const { result, facts } = readRun(folder);
	const loaded = loadStudy(folder.file("study.yaml"), methods);
	const { problem } = await questionOf(loaded);
	const [record] = loaded.study.records;
	const rows = result.parameters;
	const source = identifiedOf(facts.title, loaded.model, rows, problem.train, record?.input === "zoh");
	const beside_ = ["posterior.csv", "covariance.csv"].filter((name) => folder.has(name));
	return { source, rows, further: new Map(beside_.map((name) => [name, folder.read(name)])) };
}

function parameterTable(rows: readonly ParameterRow[]): string {
	const cell = (value: number | undefined): string => (value === undefined ? "" : String(value));
	const lines = rows.map(({ name, estimate, sd, lo, hi }) =>
		[name.includes(",") ? `"${name}"` : name, estimate, cell(sd), cell(lo), cell(hi)].join(","),
	);
	return `${["name,estimate,sd,lo,hi", ...lines].join("\n")}\n`;
}
