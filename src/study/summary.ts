/** summary.json: what scripts read. The common part is the same for all methods; the rest is the method's own. */

import { partsOf } from "../estimate/predict/residuals.ts";
import type { Result } from "../estimate/result.ts";

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
		...partsOf(result),
		...(detrended === undefined ? {} : { detrended }),
		doubts: result.doubts.map(({ code, title, text, grave }) => ({ code, title, text, grave })),
		notes: (result.notes ?? []).map(({ code, title, text }) => ({ code, title, text })),
		...result.summary,
		...partsOf(result),
	};
	return JSON.parse(JSON.stringify(summary));
}
