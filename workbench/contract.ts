/** Everything that passes between the page and its engine, which runs in a worker of its own. */

import type { Column, Reading, ReadOrder, RecordMeaning, TableChoices } from "../src/data/index.ts";
import type { HelpCard, HelpPage } from "../src/help/index.ts";
import type {
	Accent,
	Applicability,
	Figure,
	OptionSpec,
	ParameterRow,
	Result,
} from "../src/methods/index.ts";
import type { Diagnostic, ModelDescription } from "../src/model/index.ts";
import type { FigureGroup } from "../src/report/index.ts";
import type { Adaptation, Evidence, Grouping, Played, Study, Track } from "../src/study/index.ts";

/** Rows of a record, from 0, half-open; `to` absent: to the end. */
export interface RowRange {
	readonly from: number;
	readonly to?: number;
}

export interface PlanRecord extends RecordMeaning, Partial<Grouping> {
	/** As shown, and as initial values are named; absent: the name of its file. */
	readonly name?: string;
	/** Name of the file, which is also the key of its table. */
	readonly file: string;
	/** How the file is read, where it does not tell by itself. */
	readonly reading?: TableChoices;
	/** Absent: all rows. */
	readonly train?: RowRange | "none";
	/** Absent: none. */
	readonly test?: RowRange | "none";
}

/** A study as the page holds it: what its panes show and change. */
export interface Plan {
	readonly title: string;
	readonly model: string;
	readonly records: readonly PlanRecord[];
	readonly method: string;
	/** Options that differ from the defaults, by method. */
	readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	readonly seed: number;
	/** Rows of each test record that tell how it starts; absent: all of them do. */
	readonly warmUp?: number;
	readonly set: Readonly<Record<string, number>>;
	/** What is known of parameters together, as the study says it. */
	readonly prior?: Study["prior"];
}

/** All that a reader says of a column: what were left out here would be unknown to the methods. */
export type TableColumn = Readonly<Column>;

/** A file that was read. */
export interface TableData {
	readonly source: string;
	readonly nRows: number;
	readonly columns: readonly TableColumn[];
	readonly skipped: readonly { readonly name: string; readonly why: string }[];
	/** How the file was understood. */
	readonly reading?: Reading;
	/** The file itself, to be read in another way or to go into an archive; it stays in the page. */
	readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** What the model says, as understood; or what is wrong with it, each error at its place. */
export interface ModelCheck {
	readonly errors: readonly Diagnostic[];
	readonly warnings: readonly Diagnostic[];
	/** Absent while there are errors. */
	readonly description?: ModelDescription;
	/** Equations and named expressions in TeX. */
	readonly tex: readonly string[];
}

/** A method, as the page shows it before its code is there. */
export interface MethodFacts {
	readonly name: string;
	readonly says: string;
	readonly accent: Accent;
	readonly options: Readonly<Record<string, OptionSpec>>;
}

export interface OpenedStudy {
	readonly plan: Plan;
	/** The model's file where the study names one. */
	readonly modelFile?: string;
}

export interface RunFile {
	readonly name: string;
	readonly content: string | Uint8Array<ArrayBuffer>;
}

/** A run that ended, or one that was opened. */
export interface Finished {
	readonly title: string;
	readonly result: Result;
	/** Measured and predicted, and what is left: one group a record and output. */
	readonly fits: readonly FigureGroup[];
	readonly summary: Readonly<Record<string, unknown>>;
	/** Root mean square of measured minus predicted, as plotted: by output. */
	readonly rmse: Readonly<Record<"train" | "test", Readonly<Record<string, number>>>>;
	/** The same in sentences. */
	readonly sentences: readonly string[];
	readonly seconds: number;
	readonly files: readonly RunFile[];
}

/** A run that ended; or the answer so far of one that was stopped, and the state to go on from, if there is one. */
export type RunAnswer =
	| { readonly kind: "done"; readonly finished: Finished }
	| { readonly kind: "stopped"; readonly finished?: Finished; readonly from?: Uint8Array };

/** The answer so far, while a method runs. */
export interface LiveView {
	readonly parameters: readonly ParameterRow[];
	readonly intervalName: string;
	/** The method that found the parameters, where several answer. */
	readonly of?: string;
	readonly figures: readonly Figure[];
}

/** What the model is simulated with while its handles move. Tables that the engine has already are not sent again. */
export interface PlayAsk {
	readonly model: string;
	readonly records: readonly PlanRecord[];
	readonly set: Readonly<Record<string, number>>;
	readonly tables: readonly TableData[];
}

/** One track for each unknown; or why nothing can be simulated. */
export type PlaySetup = { readonly tracks: readonly Track[] } | { readonly why: string };

/** A model to begin with, as a menu shows it. */
export interface TemplateFacts {
	readonly name: string;
	readonly title: string;
	readonly says: string;
	/** Its sample record, as SVG. */
	readonly picture: string;
}

/** A template made into a study: with its own sample record, or for the columns of a file at hand. */
export interface MadeTemplate {
	readonly title: string;
	readonly model: string;
	/** Of a file at hand. */
	readonly time?: string;
	readonly columns: Readonly<Record<string, string>>;
	/** Its own, as CSV. */
	readonly record?: string;
}

/** What there is to read: the language and each method on a card, and the docs. */
export interface HelpTexts {
	readonly cards: readonly HelpCard[];
	readonly pages: readonly HelpPage[];
}

/** Where the engine runs a batch. */
export interface ComputePlace {
	/** Workers beside the engine's own. */
	readonly workers: number;
	readonly shared: boolean;
}

/** Questions that have one answer. */
export interface Questions {
	check: { ask: { source: string; fileName: string }; answer: ModelCheck };
	verdicts: { ask: { source: string; fileName: string }; answer: readonly Applicability[] };
	/** The change of the model that a method asks for. */
	adapt: { ask: { source: string; method: string; evidence: Evidence }; answer: Adaptation };
	table: {
		ask: { name: string; bytes: Uint8Array<ArrayBuffer>; choices?: TableChoices };
		answer: TableData;
	};
	openStudy: { ask: { text: string; fileName: string; model?: string }; answer: OpenedStudy };
	/** A PEtab problem or a model in SBML, with the texts of the files beside it, as files of a study; else nothing. */
	foreign: {
		ask: { name: string; text: string; beside: Readonly<Record<string, string>> };
		answer: readonly RunFile[] | undefined;
	};
	openRun: { ask: { name: string; study: string; result: string; summary: string }; answer: Finished };
	studyText: { ask: { plan: Plan }; answer: string };
	/** Sets the stage for `play`, which then answers with the curves at the given values. */
	stage: { ask: PlayAsk; answer: PlaySetup };
	play: { ask: { values: Readonly<Record<string, number>> }; answer: readonly Played[] };
	/** Slopes at points of the plane of two states, pairs in a row; nothing where the model has no such plane. */
	field: {
		ask: { values: Readonly<Record<string, number>>; points: Float64Array };
		answer: Float64Array | undefined;
	};
	help: { ask: { methods: readonly MethodFacts[] }; answer: HelpTexts };
	templates: { ask: Record<string, never>; answer: readonly TemplateFacts[] };
	template: { ask: { name: string; table?: TableData; time?: string }; answer: MadeTemplate };
	/** A study and its records as one archive, and back. */
	pack: { ask: { plan: Plan; files: readonly RunFile[] }; answer: Uint8Array<ArrayBuffer> };
	unpack: { ask: { name: string; bytes: Uint8Array }; answer: readonly RunFile[] };
	recordText: { ask: { table: TableData }; answer: string };
	run: {
		ask: {
			plan: Plan;
			tables: readonly TableData[];
			place: ComputePlace;
			/** A state to go on from. */
			from?: Uint8Array;
			/** Nothing is run: what had been found at this share of the way, of that state. */
			soFar?: number;
		};
		answer: RunAnswer;
	};
}
export type QuestionKind = keyof Questions;

/** What the page tells a run that is under way. */
export type Control = "pause" | "resume" | "stop";

export type ToEngine =
	| { [K in QuestionKind]: { id: number; kind: K; ask: Questions[K]["ask"] } }[QuestionKind]
	| { control: Control }
	/** To a worker that was started for it. */
	| { read: ReadOrder };

export interface Failure {
	readonly kind: "input" | "bug";
	readonly message: string;
	readonly problem: string;
	readonly remedy: string;
	/** Errors of a study or a model, each with what to do. */
	readonly details: readonly { readonly message: string; readonly remedy: string }[];
	/** In the place of a number: may stand for no value. */
	readonly word?: string;
}

export type FromEngine =
	| { id: number; answer: unknown }
	| { id: number; failure: Failure }
	| { event: "progress"; fraction: number; label: string }
	/** A state to go on from should the page be left. */
	| { event: "checkpoint"; bytes: Uint8Array }
	/** It heard that it is to stop: what there is of an answer comes next. */
	| { event: "stopped" }
	| { event: "live"; live: LiveView };
