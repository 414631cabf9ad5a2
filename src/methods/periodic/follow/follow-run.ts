/**
 * A parameter that drifts slowly over many periods, followed by explicit integrals: the use for which [tyukin2016] made
 * them. The record is cut into windows of a few periods. Each is nearly periodic, and the integrals give its parameters and
 * hidden states, from those of the window before. Then the drifting parameter is one smooth function of time for all
 * windows, and the others are shared: least squares on simulations in which it drifts, so that no window need be exactly
 * periodic. The function has as many pieces as the record asks for.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import { isTooLarge } from "../../../estimate/judge/size.ts";
import { counted } from "../../../estimate/judge/words.ts";
import type { Progress } from "../../../estimate/run/progress.ts";
import { triangulate } from "../../../num/linear/least-squares.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Problem } from "../../problem.ts";
import type { Natural, NaturalValue } from "../adjustment/natural.ts";
import { missesRecord } from "../answer/doubts.ts";
import { type PeriodicCheckpoint, PeriodicRun } from "../periodic-run.ts";
import { type Polished, polish } from "../polish/polish.ts";
import type { PeriodicOptions, Question } from "../question.ts";
import { guessPeriod } from "../record/period.ts";
import { stretchOf } from "../record/stretch.ts";
import {
	coefficientName,
	type DriftBasis,
	driftBasis,
	driftingParam,
	splinesAt,
	withoutDrift,
	withSplines,
} from "./drift.ts";
import { sharedOf } from "./shared.ts";

/** Periods in a window, at least, and windows at most and at least. */
const fewestPeriods = 3;
const mostWindows = 40;
const fewestWindows = 6;
/** Of a window the integrals see so many periods, in which it has hardly drifted. */
const periodsSeen = 2.2;
/** Numbers of pieces that are tried one after the other. */
const pieces = [1, 2, 4, 8, 16];

/** A window and what the integrals found at its beginning. */
export interface Window {
	readonly experiment: Experiment;
	readonly run: PeriodicRun;
}

export interface Followed {
	readonly basis: DriftBasis;
	/** The windows' model with splines in the place of the parameter. */
	readonly question: Question;
	readonly polished: Polished;
	/** Sum of squares of what is left, in units of the noise. */
	readonly chiSquare: number;
	readonly nSamples: number;
}

export interface FollowCheckpoint {
	readonly windows: readonly (PeriodicCheckpoint | null)[];
	readonly tried: number;
}

export class FollowRun {
	readonly name: string;
	readonly cut: readonly Experiment[];
	/** By window; undefined where the integrals have no answer. */
	readonly windows: (Window | undefined)[] = [];
	readonly tried: Followed[] = [];
	done = false;
	#present: PeriodicRun | undefined;
	readonly #problem: Problem;
	readonly #options: PeriodicOptions;

	constructor(problem: Problem, options: PeriodicOptions) {
		const { model, train } = problem;
		this.name = driftingParam(model)!.name;
		refuseOthers(problem, options, this.name);
		this.#problem = { ...problem, model: withoutDrift(model), test: [] };
		this.#options = { ...options, polish: false };
		this.cut = cutRecord(train[0], model.measures[0].name, this.name, options.period);
	}

	get answered(): Window[] {
		return this.windows.filter((window) => window !== undefined);
	}
	get followed(): Followed | undefined {
		return this.tried[this.tried.length - 1];
	}
	get present(): PeriodicRun | undefined {
		return this.#present ?? this.answered.at(-1)?.run;
	}

	async advance(): Promise<Progress> {
		if (this.windows.length < this.cut.length) await this.#window();
		else await this.#fit();
		const { length } = this.windows;
		return {
			done: this.done,
			fraction: this.done ? 1 : (0.6 * length) / this.cut.length + 0.08 * this.tried.length,
			label:
				this.tried.length === 0
					? `window ${length} of ${this.cut.length}`
					: `${this.name} in ${counted(this.followed!.basis.count - 3, "piece")}`,
		};
	}

	save(): FollowCheckpoint {
		return {
			windows: this.windows.map((window) => window?.run.save() ?? null),
			tried: this.tried.length + (this.done ? 1 : 0),
		};
	}

	async restore({ windows, tried }: FollowCheckpoint): Promise<void> {
		for (const saved of windows) {
			if (!saved) {
				this.windows.push(undefined);
				continue;
			}
			const run = await this.#runOf(this.windows.length);
			await run.restore(saved);
			this.windows.push({ experiment: this.cut[this.windows.length], run });
		}
		for (let k = 0; k < tried && !this.done; k++) await this.#fit();
	}

	/** One step of the present window. A window that is not periodic enough has no answer, and the others go on. */
	async #window(): Promise<void> {
		const { length } = this.windows;
		try {
			this.#present ??= await this.#runOf(length);
			if (!(await this.#present.advance()).done) return;
		} catch (error) {
			if (!(error instanceof InputError) || length === 0) throw error;
			this.#present = undefined;
		}
		const run = this.#present;
		this.#present = undefined;
		const isFound = run?.natural && !missesRecord(run);
		this.windows.push(isFound ? { experiment: this.cut[length], run } : undefined);
	}

	async #runOf(index: number): Promise<PeriodicRun> {
		const window = this.cut[index];
		const { times } = window;
		const last = this.answered.at(-1)?.run.natural;
		const period = last?.period ?? (times[times.length - 1] - times[0]) / fewestPeriods;
		const seen = stretchOf(window, times[0], times[0] + periodsSeen * period);
		const found = Object.fromEntries(last?.params.map(({ name, value }) => [name, value]) ?? []);
		const start = { ...this.#problem.start, ...found };
		return PeriodicRun.of({ ...this.#problem, train: [seen], start }, this.#options, "window");
	}

	/** The next number of pieces, from what was found with fewer; done when more explain no more. */
	async #fit(): Promise<void> {
		const { answered, tried } = this;
		const intervals = pieces[tried.length];
		if (answered.length < fewestWindows || !(2 * intervals <= answered.length)) {
			this.done = true;
			return;
		}
		const next = await this.#fitWith(intervals);
		const before = this.followed;
		// In units of what is left: the noise of so short windows is known roughly.
		const unit = next.chiSquare / (next.nSamples - next.polished.values.length);
		if (
			before &&
			!isTooLarge((before.chiSquare - next.chiSquare) / unit, next.basis.count - before.basis.count)
		) {
			this.done = true;
			return;
		}
		tried.push(next);
	}

	async #fitWith(intervals: number): Promise<Followed> {
		const { answered, cut, name } = this;
		const last = cut[cut.length - 1].times;
		const basis = driftBasis(cut[0].times[0], last[last.length - 1], intervals);
		const [{ run: first }] = answered;
		const model = withSplines(first.question.model, name, basis);
		const variance = medianOf(answered.map(({ run }) => run.question.record.variance));
		const before = this.followed;
		const shared = sharedOf(
			answered.map(({ run }) => run.natural!),
			name,
		);
		const course = before
			? (t: number): number => courseOf(name, before).at(t).value
			: (_: number, k: number): number => shared.drifting[k];
		const coefficients = nearest(
			basis,
			answered.map(({ experiment }, k) => {
				const t = middleOf(experiment);
				return { t, value: course(t, k) };
			}),
		);
		const params = (natural: Natural): NaturalValue[] => [
			...natural.params
				.filter((param) => param.name !== name)
				.map((param) => ({
					...param,
					value: before ? lastValue(before, param) : (shared.values.get(param.name) ?? param.value),
				})),
			...Array.from(coefficients, (value, j) => ({
				name: coefficientName(name, j),
				value,
				sd: Number.NaN,
				from: "closed form" as const,
			})),
		];
		const parts = answered.map(({ run, experiment }) => {
			const natural = run.natural!;
			const initial = natural.initial.map((each) => ({
				...each,
				value: before ? lastValue(before, { ...each, name: ownName(each.name, experiment) }) : each.value,
			}));
			return {
				question: { model, record: { ...run.question.record, variance } },
				natural: { ...natural, params: params(first.natural!), initial },
				simulated: run.simulated,
			};
		});
		const train = answered.map(({ experiment }) => experiment);
		const polished = await polish({ train, compute: this.#problem.compute }, parts);
		const output = model.measures[0].name;
		const counts = train.map(({ outputs }) => outputs.get(output)!.times.length);
		return {
			basis,
			question: { ...first.question, model },
			polished,
			chiSquare: polished.rms.reduce((sum, rms, k) => sum + (counts[k] * squared(rms)) / variance, 0),
			nSamples: counts.reduce((a, b) => a + b, 0),
		};
	}
}

/** The initial value of a component in a window, as the least squares on all windows call it. */
export function ownName(component: string, window: Experiment): string {
	return `${component}(0) of ${window.name}`;
}

/** The parameter at a time, with its standard deviation. */
export function courseOf(
	name: string,
	{ basis, polished }: Pick<Followed, "basis" | "polished">,
): { at(t: number): { value: number; sd: number } } {
	const { values, covariance } = polished;
	const first = values.findIndex((value) => value.name === coefficientName(name, 0));
	return {
		at(t) {
			const weights = splinesAt(basis, t);
			let value = 0;
			let variance = 0;
			weights.forEach((a, i) => {
				value += a * values[first + i].value;
				weights.forEach((b, j) => {
					variance += a * b * covariance[(first + i) * values.length + first + j];
				});
			});
			return { value, sd: Math.sqrt(variance) };
		},
	};
}

function lastValue({ polished }: Followed, { name, value }: NaturalValue): number {
	return polished.values.find((each) => each.name === name)?.value ?? value;
}

export function middleOf({ times }: Experiment): number {
	return (times[0] + times[times.length - 1]) / 2;
}

function medianOf(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Coefficients of the splines that pass nearest to points; what these leave open is kept straight. */
function nearest(
	basis: DriftBasis,
	points: readonly { readonly t: number; readonly value: number }[],
): Float64Array {
	const n = basis.count;
	const rows = points.map(({ t }) => [...splinesAt(basis, t)]);
	for (let j = 1; j + 1 < n; j++)
		rows.push(Array.from({ length: n }, (_, i) => (i === j ? -2e-3 : Math.abs(i - j) === 1 ? 1e-3 : 0)));
	const b = Float64Array.from(rows, (_, i) => points[i]?.value ?? 0);
	const { r, qtb } = triangulate(Float64Array.from(rows.flat()), b, rows.length, n);
	const x = new Float64Array(n);
	for (let i = n - 1; i >= 0; i--) {
		let sum = qtb[i];
		for (let j = i + 1; j < n; j++) sum -= r[i * n + j] * x[j];
		x[i] = sum / r[i * (n + 1)];
	}
	return x;
}

function cutRecord(experiment: Experiment, output: string, name: string, given: number): Experiment[] {
	const series = experiment.outputs.get(output);
	if (!series) throw new InputError(`measure ${output}`, "has no samples", "Map its column under  columns:.");
	const where = `${experiment.name}, ${output}`;
	const { times, values } = series;
	const period = given > 0 ? given : guessPeriod(times, values, where);
	const [from, to] = [times[0], times[times.length - 1]];
	const cycles = (to - from) / period;
	const count = Math.min(Math.floor(cycles / fewestPeriods), mostWindows);
	if (!(count >= fewestWindows))
		throw new InputError(
			where,
			`is ${cycles.toFixed(1)} periods long, and ${fewestPeriods * fewestWindows} at least are needed to follow ${name}`,
			`Choose more rows, or take the declaration of ${name}' out to hold it constant.`,
		);
	const length = (to - from) / count;
	return Array.from({ length: count }, (_, k) => {
		const end = k + 1 < count ? from + (k + 1) * length : Number.POSITIVE_INFINITY;
		return { ...stretchOf(experiment, from + k * length, end), name: `window ${k + 1}` };
	});
}

function refuseOthers({ model, train }: Problem, options: PeriodicOptions, name: string): void {
	const other = model.params.find((param) => param.rate !== undefined && param.name !== name);
	if (other)
		throw new InputError(
			`param ${other.name}`,
			`drifts beside ${name}, and periodic follows one parameter`,
			`Take the declaration of ${other.name}' out to hold it constant.`,
		);
	if (train.length !== 1 || options.record === "long")
		throw new InputError(
			"data",
			`has to be one record that is nearly periodic, so that the drift of ${name} can be followed along it`,
			`Name one file under  data:, or take the declaration of ${name}' out.`,
		);
}
