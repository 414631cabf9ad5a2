/** A PEtab problem (version 1): model, conditions, observables, measurements and parameters, checked against one another. */
import { parse } from "yaml";
import { InputError, nearestName } from "../../errors.ts";
import type { OpenFile } from "../sbml/read-sbml.ts";
import { cellNumber, type PetabRow, type PetabTable, petabTable } from "./table.ts";

export interface PetabParameter {
	readonly id: string;
	readonly nominal: number;
	readonly scale: "lin" | "log" | "log10";
	readonly lower: number;
	readonly upper: number;
	readonly estimate: boolean;
}
/** A number, or the id of a parameter. */
export type Override = number | string;
export interface PetabCondition {
	readonly id: string;
	/** By id of what is set: a parameter, a species (at the start) or a compartment. */
	readonly set: ReadonlyMap<string, Override>;
}
export interface PetabObservable {
	readonly id: string;
	readonly formula: string;
	readonly noise: string;
	readonly scale: "lin" | "log" | "log10";
	readonly law: "normal" | "laplace";
	readonly place: string;
}
export interface PetabMeasurement {
	readonly observable: string;
	/** The condition in which the model comes to rest before; absent: it starts as the model says. */
	readonly before?: string;
	readonly condition: string;
	readonly time: number;
	readonly value: number;
	/** What stands for observableParameter1_…, noiseParameter1_…. */
	readonly observableParameters: readonly Override[];
	readonly noiseParameters: readonly Override[];
	readonly place: string;
}
export interface PetabProblem {
	readonly fileName: string;
	readonly sbml: { readonly text: string; readonly file: string };
	readonly parameters: ReadonlyMap<string, PetabParameter>;
	readonly conditions: ReadonlyMap<string, PetabCondition>;
	readonly observables: ReadonlyMap<string, PetabObservable>;
	readonly measurements: readonly PetabMeasurement[];
}

/** Whether a YAML text is a PEtab problem and not a study. */
export function looksLikePetab(text: string): boolean {
	return /^format_version\s*:/m.test(text) && /^(problems|parameter_files?|model_files)\s*:/m.test(text);
}

/** `open` gives the text of a file beside the problem. Throws InputError with the file and the line. */
export function readPetab(source: string, fileName: string, open: OpenFile): PetabProblem {
	const fail = (subject: string, problem: string, remedy: string): never => {
		throw new InputError(subject, problem, remedy);
	};
	const tree = yamlOf(source, fileName);
	const version = String(tree.format_version);
	if (!/^1(\.|$)/.test(version))
		fail(fileName, `is PEtab of version ${version}`, "Version 1 is read so far.");
	const problems = listOf(tree.problems);
	if (problems.length !== 1)
		fail(fileName, `has ${problems.length} problems`, "One is read: write a file for each.");
	const [parts] = problems as Record<string, unknown>[];
	const textOf = (file: string): string =>
		open(file) ??
		fail(`${fileName}: ${file}`, "there is no such file", "It is looked for beside the problem.");
	const filesOf = (key: string, all: unknown = parts[key]): string[] => {
		const names = listOf(all).map(String);
		return names.length > 0 ? names : fail(fileName, `names no ${key}`, `Add  ${key}: [FILE]`);
	};
	const tables = (key: string, needed: readonly string[], all?: unknown): PetabTable[] =>
		filesOf(key, all).map((file) => petabTable(textOf(file), file, needed));

	const models = filesOf("sbml_files");
	if (models.length !== 1) fail(fileName, `names ${models.length} models`, "One is read.");
	const parameters = new Map<string, PetabParameter>();
	for (const { file, rows } of tables("parameter_file", ["parameterId", "estimate"], tree.parameter_file))
		for (const row of rows) {
			const id = idOf(row, "parameterId", file);
			const nominal = cellNumber(row.get("nominalValue"));
			if (nominal === undefined)
				fail(
					`${file}:${row.line}`,
					`parameter ${id} has no nominal value`,
					"Fill in the column nominalValue.",
				);
			parameters.set(id, {
				id,
				nominal: nominal!,
				scale: oneOf(row, "parameterScale", ["lin", "log", "log10"], file),
				lower: cellNumber(row.get("lowerBound")) ?? -Infinity,
				upper: cellNumber(row.get("upperBound")) ?? Infinity,
				estimate: row.get("estimate") === "1",
			});
		}
	const conditions = new Map<string, PetabCondition>();
	for (const { file, columns, rows } of tables("condition_files", ["conditionId"]))
		for (const row of rows) {
			const set = new Map<string, Override>();
			for (const column of columns) {
				if (column === "conditionId" || column === "conditionName" || column === "") continue;
				const value = overrideOf(row.get(column), `${file}:${row.line}`, parameters);
				if (value !== undefined) set.set(column, value);
			}
			const id = idOf(row, "conditionId", file);
			conditions.set(id, { id, set });
		}
	const observables = new Map<string, PetabObservable>();
	for (const { file, rows } of tables("observable_files", [
		"observableId",
		"observableFormula",
		"noiseFormula",
	]))
		for (const row of rows) {
			const id = idOf(row, "observableId", file);
			observables.set(id, {
				id,
				formula: row.get("observableFormula"),
				noise: row.get("noiseFormula"),
				scale: oneOf(row, "observableTransformation", ["lin", "log", "log10"], file),
				law: oneOf(row, "noiseDistribution", ["normal", "laplace"], file),
				place: `${file}:${row.line}`,
			});
		}
	const known = <T>(id: string, all: ReadonlyMap<string, T>, what: string, place: string): string => {
		if (all.has(id)) return id;
		const near = nearestName(id, [...all.keys()]);
		return fail(
			place,
			`there is no ${what} "${id}"`,
			near ? `Did you mean "${near}"?` : `Declare it in the table of ${what}s.`,
		);
	};
	const measurements: PetabMeasurement[] = [];
	for (const { file, rows } of tables("measurement_files", [
		"observableId",
		"simulationConditionId",
		"measurement",
		"time",
	]))
		for (const row of rows) {
			const place = `${file}:${row.line}`;
			const value = cellNumber(row.get("measurement"));
			const time = cellNumber(row.get("time"));
			if (value === undefined) continue;
			if (time === undefined) fail(place, `the time is "${row.get("time")}"`, "Give a number, or inf.");
			const before = row.get("preequilibrationConditionId");
			const overrides = (column: string): Override[] =>
				row
					.get(column)
					.split(";")
					.flatMap((part) => overrideOf(part.trim(), place, parameters) ?? []);
			measurements.push({
				observable: known(row.get("observableId"), observables, "observable", place),
				...(before !== "" && { before: known(before, conditions, "condition", place) }),
				condition: known(row.get("simulationConditionId"), conditions, "condition", place),
				time: time!,
				value,
				observableParameters: overrides("observableParameters"),
				noiseParameters: overrides("noiseParameters"),
				place,
			});
		}
	if (measurements.length === 0) fail(fileName, "has no measurement", "Fill in the measurement table.");
	return {
		fileName,
		sbml: { text: textOf(models[0]), file: models[0] },
		parameters,
		conditions,
		observables,
		measurements,
	};
}

function yamlOf(source: string, fileName: string): Record<string, unknown> {
	try {
		const tree: unknown = parse(source, { maxAliasCount: 10 });
		if (tree !== null && typeof tree === "object" && !Array.isArray(tree))
			return tree as Record<string, unknown>;
	} catch (error) {
		const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
		throw new InputError(fileName, `is no YAML: ${why}`, "Mend it there.");
	}
	throw new InputError(
		fileName,
		"is no PEtab problem",
		"It has keys such as  format_version  and  problems.",
	);
}

function listOf(value: unknown): unknown[] {
	if (value === undefined || value === null) return [];
	return Array.isArray(value) ? value : [value];
}

function idOf(row: PetabRow, column: string, file: string): string {
	const id = row.get(column);
	if (!/^[A-Za-z_]\w*$/.test(id))
		throw new InputError(
			`${file}:${row.line}`,
			`"${id}" is no ${column}`,
			"It has letters, digits and underscores.",
		);
	return id;
}

/** The first is what an empty cell means. */
function oneOf<T extends string>(row: PetabRow, column: string, among: readonly T[], file: string): T {
	const text = row.get(column);
	const found = text === "" ? among[0] : among.find((each) => each === text);
	if (found === undefined)
		throw new InputError(
			`${file}:${row.line}`,
			`${column} is "${text}"`,
			`It is one of ${among.join(", ")}.`,
		);
	return found;
}

function overrideOf(
	text: string,
	place: string,
	parameters: ReadonlyMap<string, PetabParameter>,
): Override | undefined {
	if (text === "" || /^nan$/i.test(text)) return undefined;
	const value = cellNumber(text);
	if (value !== undefined) return value;
	if (parameters.has(text)) return text;
	const near = nearestName(text, [...parameters.keys()]);
	throw new InputError(
		place,
		`"${text}" is neither a number nor a parameter`,
		near ? `Did you mean "${near}"?` : "Declare it in the parameter table.",
	);
}
