/** A PEtab problem, version 1 or 2: models, conditions, experiments, observables, measurements and parameters, checked against one another. */
import { parse } from "yaml";
import { InputError } from "../../errors.ts";
import type { Formula } from "../sbml/formula.ts";
import type { OpenFile } from "../sbml/read-sbml.ts";
import { Faults, listOf } from "./cells.ts";
import { readVersion1 } from "./read-version-1.ts";
import { readVersion2 } from "./read-version-2.ts";
import { type PetabTable, petabTable } from "./table.ts";

/** What is known of a parameter before, in the words of the model language: `lognormal`, [0, 1]. */
export interface PetabPrior {
	readonly family: string;
	readonly args: readonly number[];
	/** It is one of the logarithm on the scale of the parameter, and its density is meant there. */
	readonly onScale: boolean;
	/** Whether it ends at the bounds of the parameter, or goes on beyond them. */
	readonly isCut: boolean;
}
export type Scale = "lin" | "log" | "log10";
export interface PetabParameter {
	readonly id: string;
	/** NaN where none is given. */
	readonly nominal: number;
	readonly scale: Scale;
	readonly lower: number;
	readonly upper: number;
	readonly estimate: boolean;
	readonly prior?: PetabPrior;
	readonly place: string;
}
/** A number, or the id of a parameter. */
export type Override = number | string;
export interface PetabChange {
	readonly value: Formula;
	readonly place: string;
}
export interface PetabCondition {
	readonly id: string;
	/** By id of what is set: a parameter, a species or a compartment. */
	readonly set: ReadonlyMap<string, PetabChange>;
}
/** From its time to that of the next, or to the last measurement; one from -Infinity is simulated until it rests. */
export interface PetabPeriod {
	readonly time: number;
	/** All of them at once. */
	readonly conditions: readonly string[];
	readonly place: string;
}
export interface PetabExperiment {
	readonly id: string;
	/** By rising time; none: the model as it is, from 0. */
	readonly periods: readonly PetabPeriod[];
}
export interface PetabObservable {
	readonly id: string;
	readonly formula: Formula;
	readonly noise: Formula;
	readonly scale: Scale;
	readonly law: "normal" | "laplace";
	/** Ids in the formulas that each measurement has values of its own for. */
	readonly observablePlaceholders: readonly string[];
	readonly noisePlaceholders: readonly string[];
	readonly place: string;
}
export interface PetabMeasurement {
	readonly observable: string;
	readonly model: string;
	readonly experiment: string;
	readonly time: number;
	readonly value: number;
	readonly observableParameters: readonly Override[];
	readonly noiseParameters: readonly Override[];
	readonly place: string;
}
export interface PetabProblem {
	readonly fileName: string;
	/** Of version 1 each condition is complete: what it does not set is as the model says. Of version 2 what was set before stays. */
	readonly version: 1 | 2;
	readonly models: ReadonlyMap<string, { readonly text: string; readonly file: string }>;
	/** Ids of the tables for things of the model that are called otherwise there. */
	readonly aliases: ReadonlyMap<string, string>;
	readonly parameters: ReadonlyMap<string, PetabParameter>;
	readonly conditions: ReadonlyMap<string, PetabCondition>;
	readonly experiments: ReadonlyMap<string, PetabExperiment>;
	readonly observables: ReadonlyMap<string, PetabObservable>;
	readonly measurements: readonly PetabMeasurement[];
}

/** What a version reads from: its keys and the tables that they name. */
export interface PetabSource {
	readonly fileName: string;
	readonly tree: Readonly<Record<string, unknown>>;
	readonly faults: Faults;
	/** The text of a file; `undefined` where there is none, which is noted. */
	text(file: string): string | undefined;
	/** Tables that a key names, with the columns that each must have. */
	tables(key: string, all: unknown, needed: readonly string[], optional?: boolean): PetabTable[];
}

/** `open` gives the text of a file beside the problem. Throws InputError with the files and the lines. */
export function readPetab(source: string, fileName: string, open: OpenFile): PetabProblem {
	const tree = yamlOf(source, fileName);
	const version = /^([12])(\.|$)/.exec(String(tree.format_version))?.[1];
	if (version === undefined)
		throw new InputError(
			fileName,
			`is PEtab of version ${String(tree.format_version)}`,
			"Versions 1 and 2 are read.",
		);
	const faults = new Faults();
	const text = (file: string): string | undefined => {
		const found = open(file);
		if (found === undefined)
			faults.add(`${fileName}: ${file}`, "there is no such file", "It is looked for beside the problem.");
		return found;
	};
	const tables: PetabSource["tables"] = (key, all, needed, optional = false) => {
		const files = listOf(all).map(String);
		if (files.length === 0 && !optional) faults.add(fileName, `names no ${key}`, `Add  ${key}: [FILE]`);
		return files.flatMap((file) => {
			const content = text(file);
			return content === undefined ? [] : (faults.attempt(() => petabTable(content, file, needed)) ?? []);
		});
	};
	const problem = (version === "1" ? readVersion1 : readVersion2)({ fileName, tree, faults, text, tables });
	faults.throwIfAny(fileName);
	return problem;
}

function yamlOf(source: string, fileName: string): Record<string, unknown> {
	try {
		const tree: unknown = parse(source, { maxAliasCount: 10, logLevel: "error" });
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
