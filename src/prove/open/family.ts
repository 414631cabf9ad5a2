/** A system whose form is asked for, or whose cycle is the record: problems of methods that ask for more, or take less, than known equations. */
import type { Draws } from "../../num/statistics/draws.ts";
import type { Drawn } from "../family.ts";

export interface OpenFamily {
	readonly name: string;
	readonly field: string;
	/** True equations, by what is on the left, with parameters by name. */
	readonly equations: Readonly<Record<string, string>>;
	/** True values are drawn about these. */
	readonly params: Readonly<Record<string, Drawn>>;
	/** Ranges from which each record's start is drawn. */
	readonly states: Readonly<Record<string, readonly [number, number]>>;
	/** States that are measured, by the names of columns. */
	readonly outputs: Readonly<Record<string, string>>;
	readonly duration: number;
	/** The given model, but for what is measured. */
	readonly given: readonly string[];
	/** What is true of what the given model asks for, by the names that results give it. */
	truth(params: Readonly<Record<string, number>>): Readonly<Record<string, number>>;
}

/** Problems that one method is asked. */
export interface Ground {
	readonly method: string;
	readonly families: readonly OpenFamily[];
	/** Samples, sizes of noise and records to draw from. */
	samples(d: Draws): number;
	readonly levels: readonly number[];
	readonly records: readonly number[];
	/** Share of problems whose noise is to be found. */
	readonly openNoise: number;
	/** Time that passes before the record, in its lengths: until the system is on its cycle. */
	readonly before: number;
	/** Samples behind those that are learned from, by which what is foretold is judged. */
	readonly ahead: number;
}
