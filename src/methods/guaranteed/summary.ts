/** What guaranteed says in summary.json. */

export type GuaranteedSummary = {
	/** Empty when the outcome is `refuted`. */
	readonly parameters: Readonly<Record<string, { readonly lo: number; readonly hi: number }>>;
	/** Enclosures of the states at the instants of the data. */
	readonly states: readonly StateRow[];
	readonly boxes: number;
	readonly innerBoxes: number;
	/** How much of all boxes these are, by volume, at least; null where nothing was paved. */
	readonly innerShare: number | null;
	/** The hull of all boxes that hold consistent values only. */
	readonly inner: Readonly<Record<string, readonly [number, number]>> | null;
	readonly models: number;
	readonly passes: number;
	readonly steps: number;
	/** Where the set became empty, when the outcome is `refuted`. */
	readonly empty?: { readonly t: number; readonly output: string; readonly record: string };
	/** Samples that may be beyond their largest errors, at least how many are, and those that surely are. */
	readonly outliers?: {
		readonly allowed: number;
		readonly atLeast: number;
		readonly samples: readonly { readonly t: number; readonly output: string; readonly record: string }[];
	};
	/** Where an enclosure could not be carried on. */
	readonly stopped?: { readonly t: number; readonly why: string };
};

/** `t`, the `record` where there are several, and the bounds of each state by its name. */
export interface StateRow {
	readonly t: number;
	readonly [name: string]: number | string | readonly [number, number];
}
