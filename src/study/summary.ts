/** summary.json: what scripts read. The common part is the same for all methods; the rest is the method's own. */
import type { Result } from "../estimate/result.ts";
import { rmseByOutput } from "./residuals.ts";

export interface SummaryFacts {
	readonly seed: number;
	readonly version: string;
	readonly seconds: number;
	/** Training samples. */
	readonly nSamples: number;
	/** What `detrend` took away, by record and column. */
	readonly detrended?: unknown;
}

/** Plain JSON. A number that is not finite (an interval without an end) becomes null. */
export function summaryOf(result: Result, facts: SummaryFacts): Record<string, unknown> {
	const { seed, version, seconds, nSamples, detrended } = facts;
	const summary = {
		method: result.method,
		outcome: result.outcome,
		message: result.message,
		seed,
		version,
		seconds: Math.round(seconds * 1e4) / 1e4,
		nSamples,
		train: { rmse: rmseByOutput(result.predictions, "train") },
		test: { rmse: rmseByOutput(result.predictions, "test") },
		...(detrended === undefined ? {} : { detrended }),
		doubts: result.doubts.map(({ code, title, text, grave }) => ({ code, title, text, grave })),
		...result.summary,
	};
	return JSON.parse(JSON.stringify(summary));
}
