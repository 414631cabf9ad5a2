/** What starts of the fit of all terms came to, and what is kept of them on the way. */
import type { DescentState } from "./descent.ts";
import type { SettlingState } from "./settling.ts";

/** Where the fit of all terms is. */
export type Stage = "given" | "supports" | "starts" | "settle" | "done";

export interface StartResult {
	readonly from: "given" | "bridge" | "drawn" | "other";
	readonly point: readonly number[];
	readonly sse: number;
	readonly iterations: number;
	readonly outcome: string;
}

/** A set of terms with its fit. */
export interface Support {
	readonly active: readonly number[];
	readonly point: readonly number[];
	readonly sse: number;
	readonly iterations: number;
}

export interface FitStartsState extends SettlingState {
	readonly supports: readonly Support[];
	readonly stage: Stage;
	readonly results: readonly StartResult[];
	readonly bridged: boolean;
	readonly substeps: number;
	readonly sd: readonly number[];
	readonly floored: boolean;
	/** Samples of a segment, where records are cut. */
	readonly cut: number | null;
	readonly tightness: number;
	readonly descent: DescentState | null;
	readonly sparse: DescentState | null;
	readonly proposal: { readonly active: readonly number[]; readonly point: readonly number[] } | null;
	readonly iterations: number;
}
