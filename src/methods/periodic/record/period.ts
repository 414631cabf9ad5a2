/**
 * First guess of the period of a record, at any sampling: the shift by which the record resembles itself best. The
 * guess need not be good: the Fourier series that is fitted next has the period among its unknowns.
 */
import { InputError } from "../../../errors.ts";
import { squared } from "../../../num/whole-power.ts";

/** A record has to hold at least so many periods. */
export const fewestPeriods = 1.5;
/** Share of the variance that may differ between a record and itself, one period later. */
const largestDifference = 0.5;
const mostPoints = 4096;

interface Resampled {
	readonly dt: number;
	/** How many steps of it lie between two samples. */
	readonly neighbour: number;
	readonly y: Float64Array;
}

/** `where` names the record in messages. */
export function guessPeriod(t: Float64Array, y: Float64Array, where: string): number {
	if (t.length < 16)
		throw new InputError(where, `has ${t.length} samples`, "A periodic record needs 16 at the very least.");
	if (y.every((value) => value === y[0]))
		throw new InputError(
			where,
			`is constant, ${y[0]}: it has no period`,
			"Choose rows in which something oscillates, or use  method: fit.",
		);
	const record = resample(t, y);
	const span = t[t.length - 1] - t[0];
	const found = bestShift(record, span / fewestPeriods);
	if (found !== undefined) return found;
	if (bestShift(withoutLine(record), span / fewestPeriods) !== undefined)
		throw new InputError(
			where,
			"repeats itself only after a straight line is taken off: it has a trend",
			"Write  detrend: linear  in the data section if the trend is none of the model's, or choose rows without it.",
		);
	const longer = bestShift(record, 0.9 * span);
	if (longer !== undefined)
		throw new InputError(
			where,
			`is ${(span / longer).toFixed(2)} periods long (a period of ${Number(longer.toPrecision(3))}), and at least one and a half are needed`,
			"Choose more rows, or use  method: fit.",
		);
	throw new InputError(
		where,
		`does not repeat itself within ${Number((span / fewestPeriods).toPrecision(3))}: no period was found`,
		"If it is periodic it is shorter than one and a half periods: choose more rows. If it is not, use  method: fit.",
	);
}

/** The shortest shift, up to `longest`, that is as good as the best; undefined when even the best is not good. */
function bestShift({ dt, neighbour, y }: Resampled, longest: number): number | undefined {
	const n = y.length;
	const last = Math.min(n - 8, Math.floor(longest / dt));
	const variance = varianceOf(y);
	if (!(variance > 0)) return undefined;
	const difference = new Float64Array(last + 1);
	for (let lag = 1; lag <= last; lag++) {
		let sum = 0;
		for (let i = 0; i + lag < n; i++) sum += squared(y[i + lag] - y[i]);
		difference[lag] = sum / (n - lag) / (2 * variance);
	}
	// Noise alone makes neighbours differ: the record has to differ from itself by more before it can come back.
	const floor = difference[Math.min(last, neighbour)];
	let lag = 1;
	while (lag <= last && difference[lag] < floor + 0.3 * (1 - floor)) lag++;
	let lowest = Number.POSITIVE_INFINITY;
	const minima: number[] = [];
	for (; lag < last; lag++) {
		if (!(difference[lag] <= difference[lag - 1] && difference[lag] <= difference[lag + 1])) continue;
		minima.push(lag);
		lowest = Math.min(lowest, difference[lag]);
	}
	if (!(lowest < largestDifference)) return undefined;
	const first = minima.find((at) => difference[at] <= 1.5 * lowest + 0.02)!;
	const [before, at, after] = [difference[first - 1], difference[first], difference[first + 1]];
	const bend = before - 2 * at + after;
	return dt * (first + (bend > 0 ? (before - after) / (2 * bend) : 0));
}

function resample(t: Float64Array, y: Float64Array): Resampled {
	const n = Math.min(mostPoints, Math.max(4 * t.length, 64));
	const dt = (t[t.length - 1] - t[0]) / (n - 1);
	let k = 0;
	const values = Float64Array.from({ length: n }, (_, i) => {
		const time = Math.min(t[0] + i * dt, t[t.length - 1]);
		while (k + 2 < t.length && t[k + 1] < time) k++;
		const share = (time - t[k]) / (t[k + 1] - t[k]);
		return y[k] + share * (y[k + 1] - y[k]);
	});
	return { dt, neighbour: Math.max(1, Math.round(n / t.length)), y: values };
}

function withoutLine({ dt, neighbour, y }: Resampled): Resampled {
	const n = y.length;
	const centre = (n - 1) / 2;
	let slope = 0;
	let size = 0;
	for (let i = 0; i < n; i++) {
		slope += (i - centre) * y[i];
		size += squared(i - centre);
	}
	return { dt, neighbour, y: y.map((value, i) => value - (slope / size) * (i - centre)) };
}

function varianceOf(y: Float64Array): number {
	const mean = y.reduce((a, b) => a + b, 0) / y.length;
	return y.reduce((sum, value) => sum + squared(value - mean), 0) / y.length;
}
