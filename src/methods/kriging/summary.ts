/** What kriging says in summary.json. */
import type { ParameterSummary } from "../../estimate/parameter-summary.ts";
import type { Hint } from "./answer/hints.ts";
import type { Pass } from "./field/learning.ts";

export type KrigingSummary = {
	/** Of each state in time, and of each function; all is absent where nothing could be learned. */
	readonly hyper?: Readonly<Record<string, Hyper>>;
	/** Constants beside the functions. */
	readonly parameters?: Readonly<Record<string, ParameterSummary>>;
	/** Names of the files that hold them. */
	readonly derivatives?: string;
	readonly functions?: Readonly<Record<string, string>>;
	/** Polynomials that the functions are near to. */
	readonly hints?: readonly Hint[];
	readonly passes?: readonly { readonly kind: Pass["kind"]; readonly rms?: number }[];
	readonly train?: { readonly rmse: ByName };
	readonly test?: {
		/** By output. */
		readonly rmse: ByName;
		readonly coverage95: ByName;
		/** The last time with a band, by record, where it ends before the record does. */
		readonly bandUntil: ByName;
	};
};

type ByName = Readonly<Record<string, number>>;

export interface Hyper {
	readonly covariance: string;
	/** Of a state. */
	readonly noiseSd?: number;
	readonly [name: string]: string | number | readonly number[] | undefined;
}
