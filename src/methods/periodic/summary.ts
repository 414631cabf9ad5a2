/** What periodic says in summary.json: of a periodic record, of one that is not, or of several with one set of parameters. */
import type { Goodness } from "../../estimate/observe/goodness.ts";
import type { ParameterSummary } from "../../estimate/parameter-summary.ts";
import type { Mirror } from "./search/mirrors.ts";

/** With the figures by which it is held against other fits, where a simulation of the answer keeps to one record. */
export type PeriodicSummary = Partial<Goodness> & {
	readonly parameters?: Readonly<Record<string, ParameterSummary>>;
	/** Initial values. */
	readonly states?: ByName;
	readonly iterations?: number;
	readonly evaluations?: number;
	/** What is left of the record, as a share of it; null without an answer. */
	readonly residual?: number | null;
	/** Of one periodic record. */
	readonly period?: number;
	readonly periodSd?: number;
	readonly converged?: boolean;
	readonly starts?: { readonly tried: number; readonly agree: number };
	readonly record?: "long" | RecordFacts;
	/** How each unknown was found. */
	readonly class?: {
		readonly searched: readonly string[];
		readonly closedForm: readonly string[];
		readonly closure: readonly string[];
		readonly chain: readonly string[];
		readonly hidden: readonly string[];
	};
	readonly misfit?: { readonly ratio: number; readonly degrees: number };
	readonly singularValues?: readonly number[];
	readonly mirrors?: readonly Mirror[];
	/** Directions that the record leaves open: the share of each unknown. */
	readonly unidentifiable?: readonly ByName[];
	readonly simulation?: { readonly outcome: string; readonly rms: number; readonly rmsFirstPeriod: number };
	readonly polish?: {
		readonly outcome: string;
		readonly evaluations: number;
		readonly rms: number;
		readonly taken: boolean;
	};
	/** Seconds. */
	readonly timing?: { readonly search: number; readonly adjust: number };
	/** Of a record that is not periodic: the noise that it shows. */
	readonly noise?: number;
	/** Of a parameter that drifts: at the middle of each window, with its error, and in how many pieces it was followed. */
	readonly followed?: {
		readonly parameter: string;
		readonly pieces: number;
		readonly t: readonly number[];
		readonly value: readonly number[];
		readonly sd: readonly number[];
	};
	/** Of several records: whether they agree, what is left of each, and each by itself. */
	readonly agreement?: { readonly chiSquare: number; readonly degrees: number };
	readonly rms?: ByName;
	readonly records?: Readonly<Record<string, PeriodicSummary>>;
};

type ByName = Readonly<Record<string, number>>;

interface RecordFacts {
	readonly cycles: number;
	readonly harmonics: number;
	readonly noise: number;
	readonly periodOfSeries: number;
}
