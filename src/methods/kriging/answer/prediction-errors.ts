/** How far predictions are from the samples, and how many of these lie in the bands. */
import type { Prediction } from "../../../estimate/result.ts";
import { squared, wholePower } from "../../../num/whole-power.ts";

export function rmseOf(predictions: readonly Prediction[]): number {
	const squares = predictions.flatMap((p) => atData(p).map(({ y, said }) => squared(y - said)));
	return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
}

/** Of the samples that have a band: one without bounds holds everything, and says nothing. */
export function coverageOf(predictions: readonly Prediction[]): number {
	const inside = predictions
		.flatMap((p) => atData(p).filter(({ lo, hi }) => hi - lo < Number.POSITIVE_INFINITY))
		.map(({ y, lo, hi }) => (y >= lo && y <= hi ? 1 : 0));
	return inside.reduce<number>((sum, value) => sum + value, 0) / inside.length;
}

/**
 * How often chance alone leaves as many samples outside 95 % bands, or more. Errors along one path hang together, so the
 * samples count as fewer: independent ones change sign every second time.
 */
export function chanceOf(predictions: readonly Prediction[]): number {
	let count = 0;
	for (const prediction of predictions) {
		const off = atData(prediction)
			.filter(({ lo, hi }) => hi - lo < Number.POSITIVE_INFINITY)
			.map(({ y, said }) => y - said > 0);
		const changes = off.filter((sign, i) => i > 0 && sign !== off[i - 1]).length;
		count += Math.min(2 * changes + 1, off.length);
	}
	// More than these no single path has.
	const n = Math.min(count, 1000);
	return n > 0 ? binomialTail(n, Math.floor((1 - coverageOf(predictions)) * n + 1e-9), 0.05) : 1;
}

/** Probability of k successes or more in n trials. */
function binomialTail(n: number, k: number, p: number): number {
	let term = wholePower(1 - p, n);
	let below = 0;
	for (let j = 0; j < k; j++) {
		below += term;
		term *= ((n - j) / (j + 1)) * (p / (1 - p));
	}
	return 1 - below;
}

function atData({ t, y, lo, hi, data }: Prediction): { y: number; said: number; lo: number; hi: number }[] {
	let at = 0;
	return Array.from(data?.t ?? [], (time, i) => {
		while (at + 1 < t.length && t[at] < time) at++;
		return { y: data!.y[i], said: y[at], lo: lo![at], hi: hi![at] };
	});
}
