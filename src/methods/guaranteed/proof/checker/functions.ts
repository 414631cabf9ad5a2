/** Elementary functions of the checker: sums of their series over a small argument, with the rest of the series bounded. */
import { log as nearLog } from "../../../../num/elementary/number.ts";
import { pow2 } from "../../../../num/elementary/primitives.ts";
import {
	add,
	type Bounds,
	divide,
	down,
	isNumber,
	multiply,
	negate,
	point,
	subtract,
	unit,
	up,
} from "./bounds.ts";

/** Both are between a double and the next. */
const ln2: Bounds = { lo: 0.6931471805599453, hi: 0.6931471805599454 };
export const pi: Bounds = { lo: 3.141592653589793, hi: 3.1415926535897936 };
const halfPi: Bounds = { lo: pi.lo / 2, hi: pi.hi / 2 };
const wholeTurn: Bounds = { lo: 2 * pi.lo, hi: 2 * pi.hi };
const nowhere = point(Number.NaN);
/** Terms of a series: what is left out of it for arguments up to 1 is below 2^-60. */
const terms = 24;

/** Σ from term `first` on, every `stride`-th of them, of a^k/k!, with signs that alternate or not; |a| <= 1. */
function series(a: Bounds, first: number, stride: number, alternates: boolean): Bounds {
	let term = first === 0 ? unit : a;
	let sum = term;
	for (let k = first + stride; k <= terms; k += stride) {
		for (let i = k - stride + 1; i <= k; i++) term = divide(multiply(term, a), point(i));
		if (alternates) term = negate(term);
		sum = add(sum, term);
	}
	const rest = 2 ** -60;
	return add(sum, { lo: -rest, hi: rest });
}

function expOf(x: number): Bounds {
	if (x < -690) return { lo: 0, hi: 2 ** -990 };
	const n = Math.round(x / ln2.lo);
	if (!(n < 1000)) return nowhere;
	const small = subtract(point(x), multiply(point(n), ln2));
	// Two factors, each of which is a double.
	const half = Math.trunc(n / 2);
	return multiply(multiply(series(small, 0, 1, false), point(pow2(half))), point(pow2(n - half)));
}

export function exp({ lo, hi }: Bounds): Bounds {
	return { lo: Math.max(0, expOf(lo).lo), hi: expOf(hi).hi };
}

/** About a guess: log x = g + log(x·exp(-g)), and d - d² <= log(1 + d) <= d for |d| <= 1/2. */
function logOf(x: number): Bounds {
	const guess = nearLog(x);
	const d = subtract(multiply(point(x), expOf(-guess)), unit);
	if (!(d.lo >= -0.5 && d.hi <= 0.5)) return nowhere;
	const square = up(Math.max(d.lo * d.lo, d.hi * d.hi));
	return add(point(guess), { lo: down(d.lo - square), hi: d.hi });
}

export function log({ lo, hi }: Bounds): Bounds {
	return lo > 0 ? { lo: logOf(lo).lo, hi: logOf(hi).hi } : nowhere;
}

/** The sine, so many quarters of a turn on. */
function sineOf(x: number, quarters: number): Bounds {
	const n = Math.round(x / halfPi.lo);
	if (!(Math.abs(n) < 2 ** 30)) return nowhere;
	const small = subtract(point(x), multiply(point(n), halfPi));
	const quadrant = (((n + quarters) % 4) + 4) % 4;
	const value = quadrant % 2 === 0 ? series(small, 1, 2, true) : series(small, 0, 2, true);
	return quadrant < 2 ? value : negate(value);
}

/** Whether a + 2πk is between two numbers for a whole k, if that is not ruled out. */
function mayPass({ lo, hi }: Bounds, a: Bounds): boolean {
	const from = divide(subtract(point(lo), a), wholeTurn);
	const to = divide(subtract(point(hi), a), wholeTurn);
	return Math.floor(to.hi) >= Math.ceil(from.lo);
}

function wave(x: Bounds, quarters: number, top: Bounds): Bounds {
	if (!isNumber(x)) return nowhere;
	const [a, b] = [sineOf(x.lo, quarters), sineOf(x.hi, quarters)];
	const lo = mayPass(x, subtract(top, pi)) ? -1 : Math.min(a.lo, b.lo);
	const hi = mayPass(x, top) ? 1 : Math.max(a.hi, b.hi);
	return { lo: Math.max(-1, lo), hi: Math.min(1, hi) };
}

export const sin = (x: Bounds): Bounds => wave(x, 0, halfPi);
export const cos = (x: Bounds): Bounds => wave(x, 1, point(0));
