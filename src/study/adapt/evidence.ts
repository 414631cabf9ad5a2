/** What is known beside the model when it is to be changed: earlier answers, and the records. */

export interface AnswerOf {
	readonly estimate: number;
	readonly sd?: number;
	readonly lo?: number;
	readonly hi?: number;
}

export interface Evidence {
	/** What a method found of an unknown, by its name: `k`, `x(0)`, `x(0) of run2`. */
	readonly answers: Readonly<Record<string, AnswerOf>>;
	/** Of each output: its samples, and the root mean square of what an answer leaves of it, if there is one. */
	readonly outputs: Readonly<Record<string, { readonly nSamples: number; readonly rms?: number }>>;
	/** Where handles stand: a search begins there. */
	readonly values: Readonly<Record<string, number>>;
}

/** Standard errors on either side of an answer within which a value is looked for. */
export const errorsWide = 10;

/** Centre and standard error of an unknown, over all records that have one of their own. */
export function answerOf(name: string, { answers }: Evidence): { centre: number; sd: number } | undefined {
	const own = Object.entries(answers)
		.filter(([each]) => each === name || each.startsWith(`${name} of `))
		.map(([, answer]) => answer)
		.filter(({ estimate }) => Number.isFinite(estimate));
	if (own.length === 0) return undefined;
	const lo = Math.min(...own.map((each) => each.estimate - sdOf(each)));
	const hi = Math.max(...own.map((each) => each.estimate + sdOf(each)));
	return { centre: (lo + hi) / 2, sd: (hi - lo) / 2 };
}

/** An answer that does not say how sure it is may be wrong by a third of its size. */
function sdOf({ estimate, sd, lo, hi }: AnswerOf): number {
	if (sd !== undefined && sd > 0 && Number.isFinite(sd)) return sd;
	const half = lo !== undefined && hi !== undefined ? (hi - lo) / 4 : Number.NaN;
	return half > 0 && Number.isFinite(half) ? half : Math.abs(estimate) / 3 || 1;
}
