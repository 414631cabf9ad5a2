/** What a method answers: one shape for the command line, the run folder, the report and the workbench. */
import type { Figure } from "./figure.ts";
import type { ResidualSeries } from "./judge/series.ts";

/** One row of the table of parameters. Every number a user sees of a parameter is here. */
export interface ParameterRow {
	readonly name: string;
	/** `[kg]` from the comment behind its declaration is not parsed: units are the user's. */
	readonly estimate: number;
	readonly sd?: number;
	readonly lo?: number;
	readonly hi?: number;
	/** The interval is proved: it is shown rounded outward. */
	readonly proved?: boolean;
	/** In a word or two: `identifiable`, `practically unidentifiable`, … */
	readonly verdict?: string;
}

/** Prediction of one output in one experiment, beside what was measured. */
export interface Prediction {
	readonly experiment: string;
	readonly output: string;
	readonly part: "train" | "test";
	readonly t: Float64Array;
	readonly y: Float64Array;
	readonly lo?: Float64Array;
	readonly hi?: Float64Array;
	/** Measured samples; their times are a subset of t. */
	readonly data?: {
		readonly t: Float64Array;
		readonly y: Float64Array;
		/** -1 where the sample is only known to lie below its value, 1 where above. */
		readonly limits?: Int8Array;
	};
	/** Nobody asked whether its residuals are independent: nothing may be said of that. */
	readonly unasked?: true;
	/** Residuals as they are judged, where that is not measured minus predicted: of remembered errors, what is new in each. */
	readonly judged?: Float64Array;
	/** Of time and output, where the record says them. */
	readonly units?: { readonly t?: string; readonly y?: string };
}

/** A reason for doubt, in words: what was seen, why it matters, what to try. */
export interface Doubt {
	/** For scripts: stays the same where the words change, and is the same in every method. */
	readonly code: string;
	readonly title: string;
	readonly text: string;
	/** Outputs that it is about, where it is about some and not all. */
	readonly outputs?: readonly string[];
	/** A grave one makes the answer untrustworthy; it is said beside the answer, not below it. */
	readonly grave: boolean;
}

/** A fact beside the answer that is no evidence against it: an interval that the data leave open, a start that led elsewhere. */
export interface Note {
	readonly code: string;
	readonly title: string;
	readonly text: string;
	readonly outputs?: readonly string[];
	/** Never: what questions the answer is a doubt. */
	readonly grave?: undefined;
}

/** What is said of an answer. */
export type Remark = Doubt | Note;

/** The answer of one of several methods to the same question. */
export interface MethodAnswer {
	readonly method: string;
	readonly outcome: string;
	readonly message: string;
	readonly answered: boolean;
	readonly parameters: readonly ParameterRow[];
	readonly intervalName: string;
}

/** Whether the answers to one question agree, and why that is said. */
export interface Agreement {
	/** A parameter; the highest derivative of a state, for its equation; or `model`, for all of it. */
	readonly parameter: string;
	readonly verdict: "agree" | "contradict" | "single";
	readonly why: string;
	readonly methods: readonly string[];
}

/** Several methods on one question: only `all` has it. */
export interface Comparison {
	readonly answers: readonly MethodAnswer[];
	/** Methods that did not answer, and why. */
	readonly refusals: readonly { readonly method: string; readonly why: string }[];
	readonly agreement: readonly Agreement[];
}

/** An equation for people: as text, in TeX and in MathML. */
export interface LawEquation {
	/** The record that it holds for; undefined where it holds for all. */
	readonly record?: string;
	readonly plain: string;
	readonly tex: string;
	readonly mathml: string;
}

/** As text, with the record that it holds for. */
export const ofRecord = ({ record, plain }: Pick<LawEquation, "record" | "plain">): string =>
	record === undefined ? plain : `${record}: ${plain}`;

/** Equations that a method found: numbers stand where the model had unknown terms. */
export interface FoundLaw {
	readonly equations: readonly LawEquation[];
	/** The same with the interval of each number in its place, as text. */
	readonly intervals: readonly string[];
	/** Other laws that the data support almost as well, and by how much less. */
	readonly rivals: readonly { readonly words: string; readonly equations: readonly LawEquation[] }[];
	/** Terms that were left out, each with how large it could be. */
	readonly leftOut?: readonly string[];
}

/** `Summary` is a type of its own of each method. */
export interface Result<Summary = Readonly<Record<string, unknown>>> {
	readonly method: string;
	readonly outcome: string;
	/** The outcome in one sentence that the user reads first. */
	readonly message: string;
	/** False when there is no answer (exit 1). */
	readonly answered: boolean;
	readonly parameters: readonly ParameterRow[];
	/** Heading of the lo..hi columns: `95 % profile interval`. */
	readonly intervalName: string;
	readonly predictions: readonly Prediction[];
	/** Residuals of the training records as the judge read them, of methods that others ask. */
	readonly judged?: readonly ResidualSeries[];
	/** The method's own part of summary.json; plain JSON. */
	readonly summary: Summary;
	readonly doubts: readonly Doubt[];
	/** Facts that do not question the answer. */
	readonly notes?: readonly Note[];
	readonly assumptions: readonly string[];
	readonly figures: readonly Figure[];
	/** The method's own files of the run folder. */
	readonly files: readonly { readonly name: string; readonly content: string | Uint8Array<ArrayBuffer> }[];
	/** Keys of docs/references.bib. */
	readonly references: readonly string[];
	readonly comparison?: Comparison;
	/** Only of methods that find terms. */
	readonly law?: FoundLaw;
}
