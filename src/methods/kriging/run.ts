/**
 * Kriging as a sequence of small steps: hyperparameters of each state in time, smoothing, passes over the field, then one
 * simulation a record. Each can be taken up again from what is saved.
 */
import { breathed } from "../../compute/breathing.ts";
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { withNumbers } from "../../estimate/observe/declared-spreads.ts";
import { spreadParams } from "../../estimate/observe/spread.ts";
import type { Progress } from "../../estimate/run/progress.ts";
import { unknownsOf } from "../../estimate/unknowns/unknowns.ts";
import { drained } from "../../num/drained.ts";
import { wholePower } from "../../num/whole-power.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { Dynamics } from "./dynamics.ts";
import { FieldError } from "./field/field-error.ts";
import type { FieldFit } from "./field/field-hyper.ts";
import { KernelSum } from "./field/kernel-sum.ts";
import { LearnedRecords } from "./field/learned-records.ts";
import { Learning, type Pass, type Present } from "./field/learning.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { krigingOptions } from "./options.ts";
import { type KrigingRecord, noiseBounds, noiseOf, recordOf, type Spreads, spreadsOf } from "./records.ts";
import { everyNth, isLong, type SmoothedRecord, timesShared } from "./time/smoothed-record.ts";
import type { AnySmoother } from "./time/smoother-choice.ts";
import { fitTrack, smoothers, smoothRecord, withNoise } from "./time/step1.ts";
import type { TimeFit } from "./time/time-hyper.ts";

export type KrigingOptions = OptionValues<typeof krigingOptions>;

/** Samples from which another record gets a covariance in time of its own. */
const fewest = 15;

export class KrigingRun {
	readonly layout: Layout;
	readonly dynamics: Dynamics;
	readonly records: readonly KrigingRecord[];
	fits: TimeFit[] = [];
	smoothers: AnySmoother[][] = [];
	/** Step 1 at every sample time, and at those that the field is learned from. */
	everySample: SmoothedRecord[] = [];
	smoothed: SmoothedRecord[] = [];
	learning: Learning | undefined;
	done = false;
	readonly #spreads: Spreads;
	#error: FieldError | undefined;

	constructor(
		readonly problem: Problem,
		readonly options: KrigingOptions,
	) {
		if (problem.train.length === 0)
			throw new InputError("data", "has no record to learn from", "Name a file under  data:.");
		// A column that is the same throughout is a number.
		this.layout = layoutOf(withNumbers(problem.model, [...problem.train, ...problem.test]));
		this.dynamics = new Dynamics(this.layout);
		this.#spreads = spreadsOf(this.layout, problem.train);
		this.records = problem.train.map((experiment) => recordOf(this.layout, experiment, this.#spreads));
		// Said at the start, not after the work: a covariance that is too rough is refused by step 1 of the first track.
		for (const track of this.layout.tracks) noiseOf(this.layout, track);
	}

	/** Free parameters to start from. */
	get startParams(): Float64Array {
		const { model, params } = this.layout;
		const unknowns = unknownsOf({
			model,
			experiments: [],
			start: this.problem.start,
			except: spreadParams(model),
			initialGuess: () => undefined,
		});
		return Float64Array.from(params, (name) => unknowns.find((each) => each.name === name)?.start ?? 1);
	}

	get pass(): Pass {
		return this.learning!.last;
	}

	/** Errors of the functions as the last pass left them. */
	get fieldError(): FieldError {
		const { field } = this.pass;
		if (this.#error?.field !== field) this.#error = new FieldError(field);
		return this.#error;
	}

	async advance(): Promise<Progress> {
		const { tracks } = this.layout;
		if (this.fits.length < tracks.length) {
			const fit = fitTrack(this.layout, this.records, this.fits.length, this.options);
			this.fits.push(await breathed(fit, this.problem.compute));
			if (this.fits.length === tracks.length) this.#smooth();
			return this.#progress(`smoothed ${tracks[this.fits.length - 1].name}`);
		}
		const more = await breathed(this.learning!.advance(), this.problem.compute);
		if (!more) this.done = true;
		return this.#progress(this.#label());
	}

	save(): KrigingCheckpoint {
		const passes = this.learning?.passes ?? [];
		return {
			fits: this.fits,
			passes: passes.map(({ kind, before, fit }) => ({ kind, before: packed(before), fit: packedFit(fit) })),
			givenUp: this.learning?.givenUp ?? null,
			isLongest: this.learning?.isLongest ?? false,
			done: this.done,
		};
	}

	restore(saved: KrigingCheckpoint): void {
		this.fits = saved.fits.slice();
		if (this.fits.length < this.layout.tracks.length) return;
		this.#smooth();
		const learning = this.learning!;
		for (const { kind, before: b, fit: f } of saved.passes) {
			const fit = { ...f, hyper: Float64Array.from(f.hyper) };
			learning.isFine =
				learning.functionWith(0, f.hyper.length / this.layout.functions.length).covariance.name === "fine";
			const before = this.#unpacked(b);
			learning.passes.push(
				kind === "trajectory"
					? drained(learning.trajectoryPass(before, drained(learning.follow(before)), fit))
					: drained(learning.derivativePass(kind, before, fit)),
			);
		}
		learning.isLongest = saved.isLongest;
		learning.givenUp = saved.givenUp ?? undefined;
		this.done = saved.done;
	}

	/** Step 1 of another record, and over how long a time a sample tells of others. */
	*smoothOther(experiment: Experiment): Generator<void, SmoothedRecord & { readonly reach: number }> {
		const record = this.#withNoise(recordOf(this.layout, experiment, this.#spreads));
		// It may move faster or slower than the records that were learned from; its noise is theirs.
		const fits: TimeFit[] = [];
		for (const [track, fit] of this.fits.entries())
			fits.push(
				record.tracks[track].t.length >= fewest
					? yield* fitTrack(this.layout, [record], track, this.options, fit)
					: { ...fit, noiseFactor: 1 },
			);
		const smoothed = smoothRecord(this.layout, record, smoothers(this.layout, record, fits, this.options));
		return { ...smoothed, reach: Math.min(...fits.map(({ length }) => length)) };
	}

	#smooth(): void {
		const records = this.records.map((record) => this.#withNoise(record));
		this.smoothers = this.records.map((record) => smoothers(this.layout, record, this.fits, this.options));
		this.everySample = records.map((record, r) => smoothRecord(this.layout, record, this.smoothers[r]));
		this.smoothed = this.everySample.map((each) =>
			isLong(each) ? everyNth(each, timesShared(this.layout, each)) : each,
		);
		const open = this.layout.tracks.every((track) => noiseBounds(this.layout, track) !== undefined);
		const { errors, field, criterion } = this.options;
		this.learning = new Learning(
			this.dynamics,
			new LearnedRecords(this.dynamics, this.smoothed, this.everySample, this.options.points),
			this.startParams,
			{
				field,
				criterion: criterion as "reml" | "ml",
				errors: errors as "trajectory" | "joint" | "derivatives",
			},
			open,
		);
	}

	#withNoise(record: KrigingRecord): KrigingRecord {
		return { ...record, tracks: record.tracks.map((samples, track) => withNoise(samples, this.fits[track])) };
	}

	#unpacked({ functions, params, starts, ...rest }: PackedPresent): Present {
		return {
			functions: functions.map(
				({ hyper, centres, weights, trend }, fn) =>
					new KernelSum(
						this.learning!.functionWith(fn, hyper.length),
						Float64Array.from(hyper),
						Float64Array.from(centres),
						Float64Array.from(weights),
						Float64Array.from(trend),
					),
			),
			params: Float64Array.from(params),
			starts: starts.map((start) => Float64Array.from(start)),
			...rest,
		};
	}

	#progress(label: string): Progress {
		const nTracks = this.layout.tracks.length;
		const passes = this.learning?.passes.length ?? 0;
		const fraction = this.done
			? 1
			: 0.3 * (this.fits.length / nTracks) + 0.65 * (1 - wholePower(0.6, passes));
		return { done: this.done, fraction, label };
	}

	#label(): string {
		const { passes } = this.learning!;
		const last = passes[passes.length - 1];
		const names = this.layout.functions.map(({ name }) => name).join(", ");
		if (last?.kind !== "trajectory")
			return `learned ${names} from ${last?.kind === "joint" ? "states and " : ""}derivatives`;
		return `fitted ${names} to trajectories, residuals ${last.rms.toPrecision(3)} of the noise`;
	}
}

interface PackedPresent {
	readonly functions: readonly {
		readonly hyper: readonly number[];
		readonly centres: readonly number[];
		readonly weights: readonly number[];
		readonly trend: readonly number[];
	}[];
	readonly params: readonly number[];
	readonly longest: number;
	readonly cuts: readonly (readonly number[])[];
	readonly starts: readonly (readonly number[])[];
	readonly step: number;
}

export interface KrigingCheckpoint {
	readonly fits: readonly TimeFit[];
	readonly passes: readonly {
		readonly kind: Pass["kind"];
		readonly before: PackedPresent;
		readonly fit: Omit<FieldFit, "hyper"> & { readonly hyper: readonly number[] };
	}[];
	readonly givenUp: string | null;
	readonly isLongest: boolean;
	readonly done: boolean;
}

function packed({ functions, params, starts, ...rest }: Present): PackedPresent {
	return {
		functions: functions.map(({ hyper, centres, weights, trend }) => ({
			hyper: [...hyper],
			centres: [...centres],
			weights: [...weights],
			trend: [...trend],
		})),
		params: [...params],
		starts: starts.map((start) => [...start]),
		...rest,
	};
}

function packedFit(fit: FieldFit): Omit<FieldFit, "hyper"> & { hyper: number[] } {
	return { ...fit, hyper: [...fit.hyper] };
}
