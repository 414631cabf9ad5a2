/**
 * Instants at which conditions of the time alone may change. Where an enclosure of what crosses tells that it does not,
 * nothing is overlooked, however narrow a pulse is; where it does not tell, the interval is halved.
 */
import { IntervalEvaluator } from "../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../lower/interval/tape.ts";
import type { Switch } from "../../model/structure/switches.ts";
import { symbolsOf } from "../../model/walk.ts";

/** Shares of the solution's time below which instants are not told apart. */
const nearest = 1e-9;
/** Enclosures for one condition; one that needs more changes too often, or is at its border all the time, and is looked at in steps like others. */
const mostEnclosures = 100_000;

interface Timed {
	readonly params: readonly number[];
	readonly evaluator: IntervalEvaluator;
	/** A floor changes at whole numbers, a comparison at 0. */
	readonly isFloor: boolean;
}

export class TimedSwitches {
	readonly #timed: readonly Timed[];
	#last: { readonly key: string; readonly knots: readonly number[] } | undefined;

	/** `params` in the order of the values that `knots` is given. */
	constructor(switches: readonly Switch[], params: readonly string[]) {
		this.#timed = switches.flatMap((each) => timed(each, params) ?? []);
	}

	knots(values: ArrayLike<number>, t0: number, t1: number): readonly number[] {
		if (this.#timed.length === 0 || t0 === t1) return [];
		const used = this.#timed.map(({ params }) => params.map((i) => values[i]).join());
		const key = [t0, t1, ...used].join(";");
		if (this.#last?.key !== key)
			this.#last = { key, knots: this.#timed.flatMap((each) => changes(each, values, t0, t1)) };
		return this.#last.knots;
	}
}

/** Undefined where it depends on more than the time, or has no enclosure. */
function timed({ value, crossing }: Switch, params: readonly string[]): Timed | undefined {
	const symbols = [...symbolsOf([crossing])];
	if (!symbols.every((name) => name === "t" || params.includes(name))) return undefined;
	const own = symbols.filter((name) => name !== "t");
	try {
		const evaluator = new IntervalEvaluator(tapeOf([crossing], ["t", ...own]), true);
		return { params: own.map((name) => params.indexOf(name)), evaluator, isFloor: value.op === "floor" };
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function changes(
	{ params, evaluator, isFloor }: Timed,
	values: ArrayLike<number>,
	t0: number,
	t1: number,
): number[] {
	const box = Float64Array.from([0, 0, ...params.flatMap((i) => [values[i], values[i]])]);
	const range = new Float64Array(2);
	const isSteady = (lo: number, hi: number): boolean => {
		box[0] = lo;
		box[1] = hi;
		evaluator.evaluate(box, range);
		const [below, above] = range;
		return isFloor ? Math.floor(below) === Math.floor(above) : below > 0 || above < 0;
	};
	const [first, last] = [Math.min(t0, t1), Math.max(t0, t1)];
	const found: number[] = [];
	const open = [[first, last]];
	for (let tried = 0; open.length > 0; tried++) {
		if (tried === mostEnclosures) return [];
		const [lo, hi] = open.pop()!;
		if (isSteady(lo, hi)) continue;
		const middle = lo + (hi - lo) / 2;
		if (hi - lo > nearest * (last - first) && middle > lo && middle < hi)
			open.push([middle, hi], [lo, middle]);
		else found.push(lo, hi);
	}
	return found;
}
