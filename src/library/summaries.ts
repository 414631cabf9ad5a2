/** The methods' own parts of a summary, as in summary.json. */

/** By name. */
type Named<T> = Readonly<Record<string, T>>;

/** A parameter, and how sure it is. */
interface Estimated {
	readonly estimate: number;
	/** Absent where the data give no standard error or no end of the interval. */
	readonly sd?: number;
	readonly lo?: number;
	readonly hi?: number;
	/** Share of cases in which lo..hi holds the truth. */
	readonly level?: number;
	readonly verdict: string;
}

export interface FitSummary {
	readonly parameters: Named<Estimated>;
	readonly iterations: number;
	readonly starts: { readonly agree: number; readonly tried: number };
}

export interface BayesSummary {
	readonly parameters: Named<{
		readonly mean: number;
		readonly sd: number;
		readonly q05: number;
		readonly q50: number;
		readonly q95: number;
		readonly lo: number;
		readonly hi: number;
		readonly level: number;
	}>;
	readonly logEvidence: number;
	/** What steps half as long would add to it, where they were tried. */
	readonly stepShift?: number;
	readonly particles: number;
	/** Root mean square errors over the particles, by output; that of the mean prediction is in summary.json. */
	readonly test?: {
		readonly rmseOver: Named<{ readonly mean: number; readonly min: number; readonly max: number }>;
	};
}

export interface GuaranteedSummary {
	readonly parameters: Named<{ readonly lo: number; readonly hi: number; readonly level: 1 }>;
	readonly boxes: number;
	readonly innerBoxes: number;
	/** Where the set became empty, when the outcome is `refuted`. */
	readonly empty?: { readonly t: number; readonly output: string; readonly record: string };
}

export interface PeriodicSummary {
	readonly period: number;
	readonly parameters: Named<Estimated>;
	readonly states: Named<number>;
	readonly iterations: number;
	readonly evaluations: number;
}

export interface InversionSummary {
	readonly terms: readonly {
		readonly of: string;
		readonly term: string;
		readonly weight: number;
		readonly sd: number;
		readonly lo?: number;
		readonly hi?: number;
		readonly level?: number;
	}[];
	readonly dropped: readonly unknown[];
	readonly residualSd: Named<number>;
}

export interface KrigingSummary {
	readonly parameters: Named<Estimated>;
	readonly hyper: Named<unknown>;
	/** Names of the files that hold them. */
	readonly derivatives: string;
	readonly functions: Named<string>;
	/** Polynomials that the functions are near to. */
	readonly hints: readonly unknown[];
	readonly test: {
		/** By output. */
		readonly rmse: Named<number>;
		readonly coverage95: Named<number>;
		/** The last time with a band, by record, where it ends before the record does. */
		readonly bandUntil: Named<number>;
	};
}

export interface AllSummary {
	readonly methods: Named<Named<unknown>>;
	readonly agreement: readonly {
		readonly parameter: string;
		readonly verdict: "agree" | "contradict" | "single";
		readonly why: string;
		readonly methods: readonly string[];
	}[];
}
