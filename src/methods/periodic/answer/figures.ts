/** What is to be seen of an answer: the folded record, hidden states, the spectrum, simulation, singular values. */

import type { Figure } from "../../../estimate/figure.ts";
import { log } from "../../../num/elementary/number.ts";
import { seriesAt } from "../../../num/harmonic-fit.ts";
import { squared } from "../../../num/whole-power.ts";
import type { PeriodicRun } from "../periodic-run.ts";

export function figuresOf(run: PeriodicRun): Figure[] {
	if (!run.adjusted || !run.natural) return [];
	return [folded(run), ...hidden(run), spectrum(run), ...simulation(run), ...singularValues(run)];
}

function folded({ question, adjusted, natural }: PeriodicRun): Figure {
	const { t, y, form } = question;
	const { period } = natural!;
	const phase = t.map((time) => time - t[0] - period * Math.floor((time - t[0]) / period));
	const x = Float64Array.from({ length: 401 }, (_, i) => (i * period) / 400);
	return {
		name: "folded",
		title: "One period",
		caption: `All samples folded onto one period of ${Number(period.toPrecision(6))}, and the periodic solution that fits them.`,
		xLabel: "time within the period",
		yLabel: form.output,
		marks: [
			{ type: "points", x: phase, y, role: "data", label: "measured" },
			{
				type: "line",
				x,
				y: x.map((time) => seriesAt(adjusted!.c, adjusted!.omega * time)),
				role: "model",
				label: "periodic solution",
			},
		],
		section: "fit",
	};
}

function hidden({ question, adjusted }: PeriodicRun): Figure[] {
	const { grid, scans } = adjusted!.representation;
	const x = Float64Array.from({ length: grid.intervals + 1 }, (_, k) => k * grid.h);
	return question.form.hidden.map(({ component, closure }, i) => ({
		name: `hidden-${component}`,
		title: closure?.scale ? `${closure.scale}·${component}` : component,
		caption: "Never measured: it follows from the record and the parameters by integrals.",
		xLabel: "time within the period",
		yLabel: closure?.scale ? `${closure.scale}·${component}` : component,
		marks: [{ type: "line", x, y: scans[i].starts.slice(), role: "accent" }],
		section: "fit",
		small: true,
	}));
}

function spectrum({ question }: PeriodicRun): Figure {
	const { series, variance } = question.record;
	const x = Float64Array.from({ length: series.harmonics }, (_, k) => k + 1);
	const amplitude = x.map((k) => log10(Math.sqrt(squared(series.c[2 * k - 1]) + squared(series.c[2 * k]))));
	const noise = log10(Math.sqrt((4 * variance) / question.t.length));
	return {
		name: "spectrum",
		title: "Harmonics of the record",
		caption:
			"Amplitudes on a logarithmic scale (powers of ten): the series ends where they sink into the noise.",
		xLabel: "harmonic",
		yLabel: "log10 amplitude",
		marks: [
			{ type: "points", x, y: amplitude, role: "data" },
			{ type: "rule", axis: "y", at: noise, role: "guide", label: "noise" },
		],
		section: "doubt",
		small: true,
	};
}

function simulation({ question, simulated }: PeriodicRun): Figure[] {
	if (!simulated) return [];
	const { t, y, form } = question;
	return [
		{
			name: "simulation",
			title: "Direct simulation of the answer",
			caption: `The model integrated over the whole record from the initial values found: root mean square difference ${simulated.rms.toPrecision(2)}.`,
			xLabel: "t",
			yLabel: form.output,
			marks: [
				{ type: t.length > 400 ? "line" : "points", x: t, y, role: "data", label: "measured" },
				{ type: "line", x: t, y: simulated.y, role: "model", label: "simulated" },
			],
			section: "doubt",
			zoom: true,
		},
	];
}

function singularValues({ adjusted }: PeriodicRun): Figure[] {
	const { singular } = adjusted!;
	if (singular.length < 2) return [];
	return [
		{
			name: "singular-values",
			title: "How much each direction is seen",
			caption: `Singular values of the sensitivities to relative changes, relative to the largest; the smallest is ${(singular[singular.length - 1] / singular[0]).toExponential(1)} of it.`,
			xLabel: "direction",
			yLabel: "log10 of the share",
			marks: [
				{
					type: "bars",
					x: Float64Array.from(singular, (_, i) => i + 1),
					y: singular.map((s) => log10(Math.max(s / singular[0], 1e-16))),
					role: "accent",
				},
			],
			section: "sure",
			small: true,
		},
	];
}

function log10(value: number): number {
	return log(Math.max(value, 1e-300)) / Math.LN10;
}
