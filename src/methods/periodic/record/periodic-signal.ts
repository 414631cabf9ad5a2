/** What was measured beside the output that is worked on, as a signal that repeats itself: its Fourier series. */
import type { Signal } from "../../../data/signal/signal.ts";
import { type HarmonicFit, seriesAt } from "../../../num/harmonic-fit.ts";

export class PeriodicSignal implements Signal {
	readonly knots = new Float64Array(0);
	readonly period: number;

	constructor(readonly series: HarmonicFit) {
		this.period = (2 * Math.PI) / series.omega;
	}

	at(t: number): number {
		const { c, omega, origin } = this.series;
		return seriesAt(c, omega * (t - origin));
	}
}
