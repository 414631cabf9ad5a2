/** A model to begin with: what it says, what is measured, and a truth by which a sample record is made. */

export interface TemplateSignal {
	/** In the model, and in the header of the sample record. */
	readonly name: string;
	/** What it is, in a word or two: `angle`. */
	readonly means: string;
	readonly unit: string;
	/** Other names that columns of it have, in lower case. */
	readonly alsoCalled: readonly string[];
	/** Whether its size counts from 0 (a level, a population), or only how far it swings. */
	readonly isPositive: boolean;
}

/** How a number scales when the units of time and signals change: the power of each. */
export type Dimensions = Readonly<Record<string, number>>;

export interface TemplateUnknown {
	readonly name: string;
	readonly means: string;
	/** In the sample record. */
	readonly truth: number;
	/** A positive number that scales so; or one that lies within a signal's range. */
	readonly scales: Dimensions | { readonly within: string };
}

export interface TemplateInput {
	/** The value at an instant; held until the next sample. */
	at(t: number): number;
}

export interface Template {
	/** For commands and files: `dc-motor`. */
	readonly name: string;
	readonly title: string;
	/** One sentence: what it describes. */
	readonly sentence: string;
	readonly field: "mechanics" | "electricity" | "processes" | "biology" | "medicine";
	readonly inputs: readonly TemplateSignal[];
	readonly outputs: readonly TemplateSignal[];
	readonly unknowns: readonly TemplateUnknown[];
	/** Lines of the model between its parameters and its measurements; `start` writes what is known of an initial value. */
	readonly body: readonly string[];
	/** Initial values: of a state that starts somewhere within a signal's range, with the value of the sample record. */
	readonly starts: readonly TemplateStart[];
	/** Parameters that are known, with their values. */
	readonly known?: readonly { readonly name: string; readonly value: number; readonly means: string }[];
	/** What each output is in the model, and whether its error is a share of it. */
	readonly measured: Readonly<Record<string, { readonly of: string; readonly isRelative: boolean }>>;
	/** Spread of the noise in the sample record: a share of the output's swing, or of its value. */
	readonly noise: number;
	readonly times: { readonly to: number; readonly samples: number };
	readonly input?: TemplateInput;
}

export interface TemplateStart {
	readonly state: string;
	readonly truth: number;
	/** The signal whose first value it is near; or the scale of a hidden one, around 0. */
	readonly near?: string;
	readonly scales?: Dimensions;
	/** A hidden one that is positive. */
	readonly isPositive?: boolean;
}
