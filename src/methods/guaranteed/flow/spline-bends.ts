/**
 * The second derivatives of the cubic spline with not-a-knot ends [deboor1978, ch. IV], enclosed. They solve a tridiagonal
 * system A·b = r in which every row's diagonal exceeds the rest; so |b - b̃| is within max_i |r - A·b̃|_i/(|a_ii| - Σ_j |a_ij|) of
 * any guess b̃, and a guess in plain floating point serves. Times and values are intervals.
 */
import { type Interval, interval } from "../../../interval/interval.ts";
import { mag, mid } from "../../../interval/measure.ts";
import { abs, add, div, mul, sqr, sub } from "../../../interval/operations.ts";

interface Row {
	readonly lower: Interval;
	readonly main: Interval;
	readonly upper: Interval;
	readonly right: Interval;
}
const zero = interval(0);

export function enclosedBends(times: readonly Interval[], values: readonly Interval[]): Interval[] {
	const n = times.length;
	if (n < 3) return times.map(() => zero);
	const step = times.slice(1).map((t, i) => sub(t, times[i]));
	const slope = step.map((h, i) => div(sub(values[i + 1], values[i]), h));
	if (n === 3) {
		const bend = div(mul(interval(2), sub(slope[1], slope[0])), sub(times[2], times[0]));
		return times.map(() => bend);
	}
	const rows = step.slice(1).map((after, k): Row => {
		const before = step[k];
		let main = mul(interval(2), add(before, after));
		let lower = k === 0 ? zero : before;
		let upper = k === n - 3 ? zero : after;
		if (k === 0) {
			const ratio = div(sqr(before), after);
			main = add(main, add(before, ratio));
			upper = sub(after, ratio);
		}
		if (k === n - 3) {
			const ratio = div(sqr(after), before);
			main = add(main, add(after, ratio));
			lower = sub(before, ratio);
		}
		return { lower, main, upper, right: mul(interval(6), sub(slope[k + 1], slope[k])) };
	});
	const inner = enclosedSolution(rows);
	const first = add(inner[0], mul(sub(inner[0], inner[1]), div(step[0], step[1])));
	const [z, y] = [inner[n - 3], inner[n - 4]];
	const last = add(z, mul(sub(z, y), div(step[n - 2], step[n - 3])));
	return [first, ...inner, last];
}

function enclosedSolution(rows: readonly Row[]): Interval[] {
	const guess = solved(rows);
	const at = (i: number): Interval => ({ lo: guess[i] ?? 0, hi: guess[i] ?? 0 });
	let worst = 0;
	rows.forEach(({ lower, main, upper, right }, i) => {
		const product = add(mul(main, at(i)), add(mul(lower, at(i - 1)), mul(upper, at(i + 1))));
		const rest = sub(right, product);
		const dominance = sub(main, add(abs(lower), abs(upper)));
		const ratio = div({ lo: 0, hi: mag(rest.lo, rest.hi) }, { lo: dominance.lo, hi: dominance.lo });
		worst = dominance.lo > 0 ? Math.max(worst, ratio.hi) : Number.POSITIVE_INFINITY;
	});
	return Array.from(guess, (value) => add({ lo: value, hi: value }, { lo: -worst, hi: worst }));
}

/** The middles' system by elimination. */
function solved(rows: readonly Row[]): Float64Array {
	const middle = ({ lo, hi }: Interval): number => mid(lo, hi);
	const out = new Float64Array(rows.length);
	const main = Float64Array.from(rows, (row) => middle(row.main));
	rows.forEach(({ lower, right }, i) => {
		const factor = i === 0 ? 0 : middle(lower) / main[i - 1];
		if (i > 0) main[i] -= factor * middle(rows[i - 1].upper);
		out[i] = middle(right) - (i === 0 ? 0 : factor * out[i - 1]);
	});
	for (let i = rows.length - 1; i >= 0; i--)
		out[i] = (out[i] - (i === rows.length - 1 ? 0 : middle(rows[i].upper) * out[i + 1])) / main[i];
	return out;
}
