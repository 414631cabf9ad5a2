/** What inversion says in summary.json. */
import type { Goodness } from "../../estimate/observe/goodness.ts";

/** With the figures by which it is held against other fits, where a start could be simulated. */
export type InversionSummary = Partial<Goodness> & {
	/** Those kept. */
	readonly terms: readonly (Term & { readonly weight: number; readonly sd?: number })[];
	/** The equations with these numbers, and with their intervals; other laws that come near. */
	readonly law?: {
		readonly equations: readonly string[];
		readonly intervals: readonly string[];
		readonly rivals: readonly { readonly equations: readonly string[]; readonly words: string }[];
	};
	/** Those left out, each with how large it could be if it alone were put back. */
	readonly dropped: readonly (Term & {
		readonly lo?: number;
		readonly hi?: number;
		readonly level?: number;
	})[];
	readonly iterations: number;
	readonly selections: number;
	/** By output. */
	readonly residualSd: ByName;
	/** From here on absent where no start could be simulated. */
	readonly initialValues?: ByName;
	/** How the model was integrated, in words, and its error in standard deviations of the noise. */
	readonly integration?: string;
	readonly integrationError?: number;
	readonly starts?: {
		readonly tried: readonly (Fit & { readonly iterations: number })[];
		/** The chosen terms again from elsewhere. */
		readonly others: readonly Fit[];
	};
	readonly path?: readonly PathStep[];
	/** Sets of terms that are not ruled out, and the chance of the answer among all that were tried. */
	readonly rivals?: readonly string[];
	readonly chance?: number;
	readonly design?: readonly {
		readonly design: string;
		readonly found: number;
		readonly of: number;
		readonly share: number;
	}[];
	readonly correlatedPairs?: readonly {
		readonly a: string;
		readonly b: string;
		readonly correlation: number;
	}[];
	/** Weights that the data leave open, in words. */
	readonly unidentifiable?: readonly string[];
};

type ByName = Readonly<Record<string, number>>;

interface Term {
	readonly of: string;
	readonly term: string;
	/** Whose weight it is, where weights differ from record to record. */
	readonly record?: string;
	/** How often it would be chosen under other noise. */
	readonly frequency?: number;
}

interface Fit {
	readonly from: string;
	readonly sse: number;
	readonly outcome: string;
}

/** A step of the elimination path. */
interface PathStep {
	readonly dropped: string | null;
	readonly standardErrors: number | null;
	readonly terms: number;
	readonly sse: number;
	readonly bic: number;
	readonly evidence: number | null;
	/** A term that might have been dropped as well. */
	readonly nearTie: { readonly term: string; readonly standardErrors: number } | null;
	readonly chosen: boolean;
}
