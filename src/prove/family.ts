/** A kind of system that problems are drawn from: its equations, what is unknown of it, and what it lacks when it is wrong. */

/** Centre, and the logarithm of about the factor by which it is drawn off it. */
export type Drawn = readonly [centre: number, spread: number];

export interface Family {
	readonly name: string;
	readonly field: string;
	/** Unknown parameters, all positive. */
	readonly params: Readonly<Record<string, Drawn>>;
	/** Parameters that are exactly known. */
	readonly known?: Readonly<Record<string, number>>;
	/** Initial values: a number is known to the model; a pair is a range from which it is drawn for each record. */
	readonly states: Readonly<Record<string, number | readonly [number, number]>>;
	/** Right-hand sides, by what is on the left: `x'` or `x''`. */
	readonly equations: Readonly<Record<string, string>>;
	/** What may be measured, by the names of columns; the first always is. */
	readonly outputs: Readonly<Record<string, string>>;
	/** Why the unknowns cannot be told by the first output alone, where they cannot. */
	readonly openAlone?: string;
	/** Outputs that are positive, so that their errors may be in proportion. */
	readonly isPositive?: boolean;
	/** Size of the input u, where there is one. */
	readonly input?: number;
	readonly duration: number;
	/** A term that the given model has not, and in which equation it is; how strong it is, is found. */
	readonly missing: readonly [equation: string, term: string];
	/** An equation as someone might write it wrongly. */
	readonly wrong: readonly [equation: string, right: string];
}
