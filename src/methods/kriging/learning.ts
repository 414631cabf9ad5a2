/**
 * Learning the unknown functions, pass by pass:
 *
 *   derivatives   from the derivatives of step 1, with their errors (the paper's step 2)
 *   joint         again, with the errors of the arguments, by the gradients just learned
 *   trajectory    Gauss–Newton on the measured trajectories, until it stands still
 *
 * A pass takes functions, parameters and first states to new ones; it depends on nothing else, so a run can be taken up
 * again after any of them.
 */
import { InputError } from "../../errors.ts";
import { callArguments, derivativeData, type SmoothedRecord, smoothedState } from "./derivative-data.ts";
import type { Dynamics } from "./dynamics.ts";
import { fieldCovariance } from "./field-covariance.ts";
import { FieldDesign, type FieldFunction } from "./field-design.ts";
import { estimateFieldHyper, type FieldFit } from "./field-hyper.ts";
import { type FlowData, flowData, type Segment } from "./flow-data.ts";
import type { KernelSum } from "./kernel-sum.ts";
import { LearnedField } from "./learned-field.ts";
import type { Criterion } from "./likelihood.ts";
import { monomials } from "./monomials.ts";
import { segmentsOf } from "./segments.ts";

export type PassKind = "derivatives" | "joint" | "trajectory";

export interface LearningOptions {
	readonly field: string;
	readonly criterion: Criterion;
	readonly errors: PassKind;
}

/** What a pass starts from. */
export interface Present {
	readonly functions: readonly KernelSum[];
	readonly params: Float64Array;
	/** First state of each segment; none before the first trajectory. */
	readonly starts: readonly Float64Array[];
	/** How far towards the data the next trajectory pass goes. */
	readonly step: number;
}

export interface Pass {
	readonly kind: PassKind;
	readonly before: Present;
	readonly fit: FieldFit;
	readonly field: LearnedField;
	readonly flow?: FlowData;
	/** Root mean square of the residuals of `before`, in units of the noise (trajectory passes). */
	readonly rms: number;
}

/** Most trajectory passes, and the change of the misfit at which they stop. */
const mostTrajectories = 12;
const standstill = 1e-3;

export class Learning {
	readonly functions: readonly FieldFunction[];
	passes: Pass[] = [];
	segments: readonly Segment[] = [];
	/** Why the trajectory passes were given up, if they were. */
	givenUp: string | undefined;
	/** How often a step was too long. */
	halvings = 0;

	constructor(
		readonly dynamics: Dynamics,
		readonly records: readonly SmoothedRecord[],
		readonly params: Float64Array,
		readonly options: LearningOptions,
		/** The noise is the model's to find. */
		readonly noiseIsOpen: boolean,
	) {
		this.functions = fieldFunctions(dynamics, records, params, options.field);
	}

	/** The last pass that holds. */
	get last(): Pass {
		const { passes } = this;
		const kind = this.givenUp === undefined ? undefined : "trajectory";
		return passes.findLast((pass) => pass.kind !== kind) ?? passes[passes.length - 1];
	}

	get present(): Present {
		const pass = this.passes[this.passes.length - 1];
		if (!pass) return { functions: [], params: this.params, starts: [], step: 1 };
		return after(pass, this.dynamics);
	}

	/** One pass; false when there is nothing more to do. */
	advance(): boolean {
		const kind = this.next();
		if (!kind) return false;
		if (kind === "trajectory") this.#trajectory();
		else this.passes.push(this.derivativePass(kind, this.present));
		return this.next() !== undefined;
	}

	next(): PassKind | undefined {
		const { errors } = this.options;
		const kinds = this.passes.map(({ kind }) => kind);
		if (kinds.length === 0) return "derivatives";
		if (errors === "derivatives") return undefined;
		if (kinds.length === 1) return "joint";
		if (errors === "joint" || this.givenUp !== undefined) return undefined;
		const flows = this.passes.filter(({ kind }) => kind === "trajectory");
		const [a, b] = flows.slice(-2);
		const still = b && Math.abs(a.rms - b.rms) < standstill * b.rms && b.before.step === 1;
		return still || flows.length >= mostTrajectories ? undefined : "trajectory";
	}

	derivativePass(kind: "derivatives" | "joint", before: Present, fit?: FieldFit): Pass {
		const { dynamics, records, functions, options } = this;
		const carried = before.functions.length > 0 ? before.functions : undefined;
		const data = derivativeData({
			dynamics,
			records,
			functions,
			params: before.params,
			current: carried,
			pass:
				kind === "joint"
					? { kind: "joint", functions: before.functions }
					: { kind: options.errors === "derivatives" ? "independent" : "derivatives" },
		});
		const design = new FieldDesign(functions, before.params.length);
		checkCount(design, data.y.length);
		const found = fit ?? estimateFieldHyper(design, data, { criterion: this.criterion });
		return { kind, before, fit: found, field: new LearnedField(design, data, found.hyper), rms: Number.NaN };
	}

	trajectoryPass(before: Present, fit?: FieldFit): Pass | undefined {
		const { dynamics, functions, segments } = this;
		const flow = flowData({
			dynamics,
			segments,
			starts: before.starts,
			functions: before.functions,
			designs: functions,
			params: before.params,
			noise: dynamics.layout.tracks.map(() => 1),
			step: before.step,
		});
		if (flow.broken) return undefined;
		const rms = Math.sqrt(flow.residual.reduce((sum, r) => sum + r * r, 0) / flow.residual.length);
		const design = new FieldDesign(functions, dynamics.nParams + dynamics.n * segments.length);
		checkCount(design, flow.data.y.length);
		const earlier = this.passes.filter(({ kind }) => kind === "trajectory");
		const found =
			fit ??
			estimateFieldHyper(design, flow.data, {
				criterion: this.criterion,
				from: earlier.length > 1 ? earlier[earlier.length - 1].fit.hyper : undefined,
				noise: this.noiseIsOpen ? { lo: 0.2, hi: 5 } : undefined,
			});
		const noise = flow.data.noise.map((value) => value * found.noiseFactor ** 2);
		const field = new LearnedField(design, { ...flow.data, noise }, found.hyper);
		return { kind: "trajectory", before, fit: found, field, flow, rms };
	}

	/** Present with a free first state for each segment, from step 1. */
	beginTrajectories(): Present {
		const { functions, params } = this.present;
		const { dynamics, records } = this;
		this.segments = segmentsOf(dynamics, records, functions, params);
		const starts = this.segments.map(({ record, from }) =>
			smoothedState(dynamics, records.find((each) => each.record === record)!, from),
		);
		return { functions, params, starts, step: 1 };
	}

	get criterion(): Criterion {
		// A generalised covariance has no likelihood of its own, only one of contrasts.
		return this.options.field === "generalized" ? "reml" : this.options.criterion;
	}

	#trajectory(): void {
		const flows = this.passes.filter(({ kind }) => kind === "trajectory");
		const previous = flows[flows.length - 1];
		const before = previous ? this.present : this.beginTrajectories();
		const pass = this.trajectoryPass(before);
		const worse = previous && pass && !(pass.rms < 1.2 * Math.max(previous.rms, 1));
		if (pass && !worse) {
			this.passes.push(pass);
			return;
		}
		// Too far: the pass before is repeated with half the step.
		this.halvings++;
		if (!previous || this.halvings > 4) {
			this.givenUp = previous
				? "fits to the trajectories grew worse"
				: "the field learned from derivatives cannot be followed along the record";
			return;
		}
		this.passes.pop();
		const again = this.trajectoryPass({ ...previous.before, step: previous.before.step / 2 });
		if (again) this.passes.push(again);
	}
}

/** Functions, parameters and first states as a pass left them. */
export function after({ field, before, kind }: Pass, { nParams, n }: Dynamics): Present {
	const { free } = field;
	const starts = before.starts.map((_, g) => free.slice(nParams + g * n, nParams + (g + 1) * n));
	return {
		functions: field.functions,
		params: free.slice(0, nParams),
		starts: kind === "trajectory" ? starts : [],
		step: 1,
	};
}

function fieldFunctions(
	dynamics: Dynamics,
	records: readonly SmoothedRecord[],
	params: Float64Array,
	covariance: string,
): FieldFunction[] {
	const { functions, calls } = dynamics.layout;
	const args = callArguments(dynamics, records, params);
	return functions.map(({ name, argNames, trend }, fn) => {
		const own = calls.filter((call) => call.fn === fn);
		const centre = new Float64Array(argNames.length);
		const scale = new Float64Array(argNames.length);
		for (let a = 0; a < argNames.length; a++) {
			const values = own.flatMap(({ start }) => args.map((each) => each[start + a]));
			const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
			const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
			centre[a] = mean;
			// An argument that moves by rounding only does not move.
			scale[a] = variance > 1e-20 * mean * mean ? Math.sqrt(variance) : 1;
		}
		return {
			name,
			argNames,
			centre,
			scale,
			basis: monomials(argNames.length, trend),
			covariance: fieldCovariance(covariance, trend),
		};
	});
}

function checkCount(design: FieldDesign, nRows: number): void {
	if (nRows > design.nMean + 1) return;
	const names = design.functions.map(({ name }) => name).join(", ");
	throw new InputError(
		`unknown ${names}`,
		`has ${design.nTrend} trend terms and the model ${design.nFree} other unknowns, for ${nRows} observations`,
		"Give more samples, or a lower trend:  ~ kriging(trend: 1).",
	);
}
