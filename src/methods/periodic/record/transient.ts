/**
 * A record that begins beside its cycle and comes to it. Without its beginning such a record is periodic: the series of what
 * is left explains it far better, while leaving out as much at the end helps nothing (a drift is told from it by that).
 */
import { fitHarmonics, type HarmonicFit, seriesAt } from "../../../num/harmonic-fit.ts";
import { type Departure, departureOf } from "./departures.ts";
import { fewestPeriods } from "./period.ts";
import { isDetermined, neighbourCorrelation, residualsOf } from "./record-noise.ts";

/** What is left of noise alone shows less correlation of neighbours. */
const smooth = 0.3;
/** Mean squares that have to fall by so much. */
const fall = 9;

export function transientOf(
	t: Float64Array,
	y: Float64Array,
	fit: HarmonicFit,
	rest: Float64Array,
): Departure | undefined {
	if (!(neighbourCorrelation(rest) > smooth)) return undefined;
	const period = (2 * Math.PI) / fit.omega;
	const span = t[t.length - 1] - t[0];
	const whole = meanSquare(t, y, fit)?.square ?? 0;
	let least = whole;
	let found: Departure | undefined;
	for (let skip = 0.5 * period; span - skip >= fewestPeriods * period; skip += 0.5 * period) {
		const from = t.findIndex((time) => time > t[0] + skip);
		const to = t.length - t.findIndex((_, i) => t[t.length - 1 - i] < t[t.length - 1] - skip);
		const late = meanSquare(t.subarray(from), y.subarray(from), fit);
		const early = meanSquare(t.subarray(0, to), y.subarray(0, to), fit);
		if (!late || !early || !(fall * late.square < Math.min(least, early.square))) continue;
		const tail = t.subarray(from);
		const left = residualsOf(tail, y.subarray(from), late.fit);
		const size = y.reduce((sum, value) => sum + value * value, 0);
		const cycles = (tail[tail.length - 1] - tail[0]) / period;
		if (departureOf(tail, left, late.fit, cycles, late.fit.rss < 1e-14 * size).departure) continue;
		const { c, omega, origin } = late.fit;
		const off = (i: number): number => Math.abs(y[i] - seriesAt(c, omega * (t[i] - origin)));
		const range = Math.max(...y) - Math.min(...y);
		let most = 0;
		for (let i = 0; i < from; i++) most = Math.max(most, off(i));
		least = late.square;
		found = { kind: "transient", steady: true, change: tail[0], share: most / range };
	}
	return found;
}

/** Of what a series of as many harmonics leaves, or of twice as many where that leaves less. */
function meanSquare(
	t: Float64Array,
	y: Float64Array,
	{ harmonics, omega }: HarmonicFit,
): { fit: HarmonicFit; square: number } | undefined {
	let best: { fit: HarmonicFit; square: number } | undefined;
	for (const K of [harmonics, 2 * harmonics]) {
		const degrees = t.length - 2 * K - 2;
		const fit = degrees > t.length / 3 ? fitHarmonics(t, y, K, { omega, origin: t[0] }) : undefined;
		if (!fit || !isDetermined(fit, t.length) || Math.abs(fit.omega / omega - 1) > 0.1) continue;
		const square = fit.rss / degrees;
		if (!best || square < best.square) best = { fit, square };
	}
	return best;
}
