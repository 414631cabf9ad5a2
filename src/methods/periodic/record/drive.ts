/** What drives a record, as functions of its phase; and the period with which all of it repeats. */
import type { Experiment } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import { evaluate } from "../../../model/evaluate.ts";
import type { Model } from "../../../model/model.ts";
import type { PeriodicForm } from "../form/form.ts";
import { timeWaves } from "../form/time-waves.ts";
import { fewestPeriods } from "./period.ts";
import { PeriodicSignal } from "./periodic-signal.ts";
import { periodicRecord } from "./record.ts";

export interface RecordDrive {
	/** Undefined where what drives is constant: then the oscillation is the model's own. */
	readonly period: number | undefined;
	/** Samples a period, where inputs repeat with a whole number of them: there they jump or bend. */
	readonly knots: number | undefined;
	/** Each of the form's drives at the times of a period that begins at `origin`. */
	at(origin: number, period: number): ((phi: number) => number)[];
}

/** Periods of several drives that are multiples of one another, or have a common multiple that is not longer than this. */
const mostMultiples = 60;
/** Samples of an input that are held against others: a fraction of a second. */
const mostCompared = 2e8;
/** Relative difference that rounding of times and values leaves. */
const rounding = 1e-9;

export function recordDrive(model: Model, form: PeriodicForm, experiment: Experiment): RecordDrive {
	const inputs = form.drives.filter((name) => name !== "t");
	const found = inputs.map((name) => inputPeriod(experiment, name));
	const periods = [
		...found.flatMap(({ period }) => (period === undefined ? [] : [period])),
		...wavePeriods(model, form, experiment),
	];
	const knots = found.map((each) => each.samples).filter((samples) => samples !== undefined);
	return {
		period: periods.length === 0 ? undefined : commonPeriod(periods, experiment.name),
		knots: knots.length > 0 && knots.every((each) => each === knots[0]) ? knots[0] : undefined,
		at: (origin, period) =>
			form.drives.map((name) => {
				if (name === "t") return (phi) => origin + (phi / (2 * Math.PI)) * period;
				const signal = experiment.inputs.get(name)!;
				if (signal instanceof PeriodicSignal)
					return (phi) => signal.at(origin + (phi / (2 * Math.PI)) * period);
				const end = experiment.times[experiment.times.length - 1];
				// The mean over all periods that are there: inputs may be measured, too.
				const cycles = Math.max(1, Math.floor((end - origin) / period + rounding));
				return (phi) => {
					const first = origin + (phi / (2 * Math.PI)) * period;
					let sum = 0;
					for (let k = 0; k < cycles; k++) sum += signal.at(first + k * period);
					return sum / cycles;
				};
			}),
	};
}

function inputPeriod(
	{ inputs, times, name: record }: Experiment,
	name: string,
): { period?: number; samples?: number } {
	const signal = inputs.get(name);
	if (!signal)
		throw new InputError(`${record}, input ${name}`, "has no samples", "Map its column under  columns:.");
	if (signal instanceof PeriodicSignal) return { period: signal.period };
	const u = times.map((time) => signal.at(time));
	if (u.every((value) => value === u[0])) return {};
	const samples = repetition(times, u);
	if (samples !== undefined)
		return { period: (samples * (times[times.length - 1] - times[0])) / (times.length - 1), samples };
	const { period } = periodicRecord(times, u, `${record}, input ${name}`);
	return { period };
}

/** The number of samples after which an evenly sampled input repeats itself. */
function repetition(t: Float64Array, u: Float64Array): number | undefined {
	const n = t.length;
	const step = (t[n - 1] - t[0]) / (n - 1);
	if (!t.every((time, i) => Math.abs(time - t[0] - i * step) <= 1e-6 * step)) return undefined;
	const size = u.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	let compared = 0;
	for (let lag = 2; lag * fewestPeriods < n && compared < mostCompared; lag++) {
		let i = 0;
		while (i + lag < n && Math.abs(u[i + lag] - u[i]) <= rounding * size) i++;
		if (i + lag === n) return lag;
		compared += i + 1;
	}
	return undefined;
}

function wavePeriods(model: Model, form: PeriodicForm, { conditions }: Experiment): number[] {
	if (!form.drives.includes("t")) return [];
	const waves = timeWaves(model.graph, model.rhs, new Set(form.constants));
	if ("problem" in waves) throw new InputError(waves.subject, waves.problem, waves.remedy);
	return waves.frequencies.map((node) => {
		const frequency = Math.abs(evaluate(node, (name) => conditions[name]));
		return (2 * Math.PI) / frequency;
	});
}

/** The shortest time that all periods divide. */
function commonPeriod(periods: readonly number[], where: string): number {
	const longest = Math.max(...periods);
	for (let k = 1; k <= mostMultiples; k++) {
		const whole = periods.every((period) => {
			const times = (k * longest) / period;
			return Math.abs(times - Math.round(times)) < 1e-6 * times;
		});
		if (whole) return k * longest;
	}
	throw new InputError(
		where,
		`is driven with periods that have no common multiple (${periods.map((period) => Number(period.toPrecision(6))).join(", ")}): nothing repeats`,
		"Use  method: fit, which simulates the model and knows no such limit.",
	);
}
