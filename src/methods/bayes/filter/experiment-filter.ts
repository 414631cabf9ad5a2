/** The filter of one experiment: kernel, uniform buffers, and the state that it carries from call to call. */
import type { Compute } from "../../../compute/compute.ts";
import type { Model } from "../../../model/model.ts";
import { type GridData, gridBuffers, type StepGrid } from "./filter-grid.ts";
import { type FilterKernel, type FilterSpec, filterKernel } from "./filter-kernel.ts";
import { jumpTimes } from "./jumps/input-jumps.ts";

/** Moments, diffusion and log-likelihood of `batch` particles at one sample. */
export interface FilterState {
	readonly batch: number;
	readonly mean: Float64Array;
	readonly cov: Float64Array;
	readonly diffusion: Float64Array;
	readonly logLik: Float64Array;
}

/** Columns of the particles: `params` and `initial` as the kernel takes them. */
export interface FilterParticles {
	readonly params: Float64Array;
	readonly initial: Float64Array;
}

/** (to - from) × nOutputs × batch each. */
export interface Moments {
	readonly value: Float64Array;
	readonly variance: Float64Array;
	readonly noise: Float64Array;
}

/** What a smoother needs; see `smoothing-record.ts`. Numbers of one sample stand together, each in columns of `batch`. */
export interface SmoothingOutputs {
	readonly means: Float64Array;
	readonly covs: Float64Array;
	readonly maps: Float64Array;
	readonly rows: Float64Array;
	readonly innovations: Float64Array;
	readonly noises: Float64Array;
	/** Rows and columns of the entries of `covs`. */
	readonly covPairs: readonly (readonly [number, number])[];
}

type Outputs = Readonly<Record<string, Float64Array>>;

export class ExperimentFilter {
	readonly nSamples: number;
	readonly grid: StepGrid;
	readonly #spec: Omit<FilterSpec, "output" | "update" | "calibrate">;
	readonly #simulated: boolean;
	readonly #data: GridData;
	readonly #made = new Map<string, { filter: FilterKernel; shared: Record<string, Float64Array> }>();

	constructor(
		spec: Omit<
			FilterSpec,
			"output" | "update" | "calibrate" | "uniformSteps" | "oneStep" | "jumps" | "gaps" | "diffusion"
		>,
		/** `simulated`: Γ of a particle comes from its own simulation, in which no data push the state about. */
		diffusion: "running" | "simulated" | "off",
		data: GridData,
	) {
		this.#simulated = diffusion === "simulated";
		this.#spec = {
			...spec,
			diffusion: diffusion === "simulated" ? "given" : diffusion,
			uniformSteps: data.grid.uniform,
			oneStep: data.grid.oneStep,
			// A Rosenbrock step knows of no derivatives that could jump.
			jumps: !spec.stiff && jumpTimes(data.signals, data.grid.t0, Number.POSITIVE_INFINITY).length > 0,
			gaps: data.present.some((there) => there === 0),
		};
		this.#data = data;
		this.grid = data.grid;
		this.nSamples = data.grid.sampleTimes.length;
	}

	newState(batch: number, update = true): FilterState {
		const { layout } = this.#spec;
		const { filter } = this.#kernel("none", update);
		return {
			batch,
			mean: new Float64Array(layout.nCoordinates * batch),
			cov: new Float64Array(Math.max(filter.covPairs.length, 1) * batch),
			diffusion: new Float64Array((this.#spec.gammaRange ? 2 : 1) * layout.blocks.length * batch),
			logLik: new Float64Array(batch),
		};
	}

	/** Samples `from` below `to`; from 0 the state is set up anew. */
	async advance(
		compute: Compute,
		particles: FilterParticles,
		state: FilterState,
		from: number,
		to: number,
	): Promise<void> {
		await this.#run(compute, "none", true, particles, state, from, to, {});
	}

	/** The same, with the log-likelihood of each output of a sample, given all that was before: (to - from) × nOutputs × batch. */
	async increments(
		compute: Compute,
		particles: FilterParticles,
		state: FilterState,
		from: number,
		to: number,
	): Promise<Float64Array> {
		const increments = new Float64Array((to - from) * this.#spec.model.measures.length * state.batch);
		await this.#run(compute, "increments", true, particles, state, from, to, { increments });
		return increments;
	}

	/** The same, outputs of a sample in sum: (to - from) × batch. */
	async sampleIncrements(
		compute: Compute,
		particles: FilterParticles,
		state: FilterState,
		from: number,
		to: number,
	): Promise<Float64Array> {
		const each = await this.increments(compute, particles, state, from, to);
		const { batch } = state;
		const sums = new Float64Array((to - from) * batch);
		const perSample = each.length / (to - from);
		for (let k = 0; k < each.length; k++) sums[Math.floor(k / perSample) * batch + (k % batch)] += each[k];
		return sums;
	}

	/** Prediction without data, for each sample and output: value, its variance by integration, that of the measurement. */
	async moments(
		compute: Compute,
		particles: FilterParticles,
		state: FilterState,
		from: number,
		to: number,
	): Promise<Moments> {
		const size = (to - from) * this.#spec.model.measures.length * state.batch;
		const out = {
			value: new Float64Array(size),
			variance: new Float64Array(size),
			noise: new Float64Array(size),
		};
		await this.#run(compute, "moments", false, particles, state, from, to, out);
		return out;
	}

	/** The filter through the whole record, and what it leaves for a smoother. */
	async smoothing(compute: Compute, particles: FilterParticles, batch: number): Promise<SmoothingOutputs> {
		const { layout, model } = this.#spec;
		const { filter } = this.#kernel("smoothing", true);
		const n = layout.nCoordinates;
		const nOutputs = model.measures.length;
		const numbers = (count: number): Float64Array => new Float64Array(this.nSamples * count * batch);
		const out = {
			means: numbers(n),
			covs: numbers(filter.covPairs.length),
			maps: numbers(n * n),
			rows: numbers(nOutputs * n),
			innovations: numbers(nOutputs),
			noises: numbers(nOutputs),
		};
		const state = this.newState(batch);
		const cov = new Float64Array(filter.covPairs.length * batch);
		await this.#run(compute, "smoothing", true, particles, { ...state, cov }, 0, this.nSamples, out);
		return { ...out, covPairs: filter.covPairs };
	}

	async #run(
		compute: Compute,
		output: FilterSpec["output"],
		update: boolean,
		{ params, initial }: FilterParticles,
		state: FilterState,
		from: number,
		to: number,
		outputs: Outputs,
	): Promise<void> {
		if (from === to) return;
		if (from === 0 && (this.#simulated || this.#spec.gammaRange))
			await this.#calibrate(compute, params, initial, state);
		const { filter, shared } = this.#kernel(output, update);
		const { batch, mean, cov, diffusion, logLik } = state;
		await compute.run(filter.kernel, {
			batch,
			buffers: { ...shared, params, initial, mean, cov, diffusion, logLik, ...outputs },
			scalars: { from, to },
		});
	}

	/** Γ of each particle from the residuals of its own simulation over the whole record. [longbottom2024] eq. (19) */
	async #calibrate(
		compute: Compute,
		params: Float64Array,
		initial: Float64Array,
		{ batch, diffusion: kept }: FilterState,
	): Promise<void> {
		// The last rows: with a running Γ the first ones are its sums.
		const diffusion = new Float64Array(this.#spec.layout.blocks.length * batch);
		const { filter, shared } = this.#kernel("calibrate", false);
		const scratch = new Float64Array(this.#spec.layout.nCoordinates * batch);
		const cov = new Float64Array(Math.max(filter.covPairs.length, 1) * batch);
		const logLik = new Float64Array(batch);
		await compute.run(filter.kernel, {
			batch,
			buffers: { ...shared, params, initial, mean: scratch, cov, diffusion, logLik },
			scalars: { from: 0, to: this.nSamples },
		});
		const nSteps = Math.max(1, this.grid.h.length);
		for (let k = 0; k < diffusion.length; k++) diffusion[k] /= nSteps;
		kept.set(diffusion, kept.length - diffusion.length);
	}

	#kernel(
		output: FilterSpec["output"] | "calibrate",
		update: boolean,
	): { filter: FilterKernel; shared: Record<string, Float64Array> } {
		const key = `${output} ${update}`;
		let made = this.#made.get(key);
		if (!made) {
			const spec: FilterSpec =
				output === "calibrate"
					? {
							...this.#spec,
							output: "none",
							update: false,
							// EKF1's gains follow from its covariances, of unit Γ; without them the solver is explicit.
							diffusion: this.#spec.linearisation === "ekf1" ? "unit" : "off",
							gammaRange: undefined,
							calibrate: true,
						}
					: {
							...this.#spec,
							...(output === "smoothing" ? { form: "covariance" } : {}),
							output,
							update,
							flows: !update && this.#spec.linearisation === "ekf0",
						};
			const filter = kernelOf(spec);
			const [other] = this.#made.values();
			made = { filter, shared: other?.shared ?? gridBuffers(spec, filter, this.#data) };
			this.#made.set(key, made);
		}
		return made;
	}
}

/** Kernels by model and all else that they are made for: steps of another length need no other. */
const kernels = new WeakMap<Model, Map<string, FilterKernel>>();

function kernelOf(spec: FilterSpec): FilterKernel {
	const { model, layout, ...rest } = spec;
	const own = kernels.get(model) ?? new Map<string, FilterKernel>();
	kernels.set(model, own);
	const key = JSON.stringify([layout.name, layout.blocks.map(({ q, order }) => [q, order]), rest]);
	const made = own.get(key) ?? filterKernel(spec);
	own.set(key, made);
	return made;
}
