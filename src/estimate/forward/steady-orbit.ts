/**
 * Where a record begins whose doses have been repeated for ever, and whose equations are not linear: the state that one interval of
 * doses leads back to itself, by Newton's method with the exact derivatives of that interval. Derivatives of the start follow
 * from those: dx = (I - M)⁻¹ ∂P, with M = ∂P/∂x. It counts where doses lead there (no eigenvalue of M is 1 or more).
 */
import { integrateBatchInline } from "../../compute/integrate-batch.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import type { Kernel } from "../../lower/ir.ts";
import { type Grid, planGrid } from "../../lower/kernels/grid.ts";
import { rungeKuttaKernel } from "../../lower/kernels/runge-kutta.ts";
import { Differentiator } from "../../model/derivative.ts";
import type { Model } from "../../model/model.ts";
import { spectralRadius } from "../../num/linear/least-squares.ts";
import { luFactorInto, luSolveInto } from "../../num/linear/lu.ts";
import type { InputSignal } from "../../solve/piecewise-inputs.ts";

/** A record whose doses come back after a time. */
export interface Repeated {
	readonly times: Float64Array;
	readonly orbit?: number;
	readonly inputs: ReadonlyMap<string, InputSignal>;
}

/** Lanes side by side, as kernels take them; NaN where there is no such state: a record cannot begin there. */
export interface OrbitStarts {
	readonly x: Float64Array;
	/** By the unknown parameters: components × parameters. */
	readonly slopes: Float64Array;
	/** Lanes in which it was found. */
	readonly found: readonly boolean[];
}

/** Steps of an interval: to come near, usually, and where these are too long for the model. */
const steps = [32, 128, 1024] as const;
/** How far off a state may be after an interval, beside its size and that of the boluses: at the end, and to begin with. */
const [tolerance, nearby] = [1e-11, 1e-3];
const [mostRounds, mostHalvings] = [40, 10];

/** States and slopes at the end of an interval, lanes side by side. */
type Solved = (
	t0: number,
	t1: number,
	inputs: Repeated["inputs"],
	lanes: {
		readonly params: Float64Array;
		readonly x0: Float64Array;
		readonly s0: Float64Array;
		readonly count: number;
	},
) => { readonly xEnd: Float64Array; readonly sEnd: Float64Array };

/** A solver of such intervals: `stiff-interval.ts` has one, which not everybody who integrates carries along. */
export type StiffInterval = (
	model: Model,
	params: readonly string[],
	sensitiveTo: readonly string[],
) => Solved;

/** One lane on its way. */
interface Lane {
	readonly b: number;
	x: Float64Array;
	before: Float64Array;
	step: Float64Array;
	off: number;
	halvings: number;
}

/** What an interval makes of a lane. */
interface Interval {
	readonly end: Float64Array;
	/** The end less the boluses: as large as what was taken away, where next to nothing is left. */
	readonly fallen: Float64Array;
	/** By parameters, then by the state. */
	readonly slopes: Float64Array;
}

export class SteadyOrbits {
	readonly #kernel: Kernel;
	readonly #inputs: readonly string[];
	readonly #lifted: (...args: (number | Float64Array)[]) => void;
	readonly #paths = new WeakMap<Repeated["inputs"], readonly (Grid | "adaptive")[]>();
	readonly #stiff: Solved | undefined;
	readonly #n: number;

	constructor(
		model: Model,
		/** Parameters and conditions, as they come; and those that derivatives are wanted by. */
		readonly params: readonly string[],
		readonly sensitiveTo: readonly string[],
		/** For models that no steps of one length can follow. */
		stiff?: StiffInterval,
	) {
		const { graph, components, rhs } = model;
		this.#stiff = stiff?.(model, params, sensitiveTo);
		this.#n = components.length;
		this.#inputs = model.inputs.map(({ name }) => name);
		this.#kernel = rungeKuttaKernel({
			graph,
			components,
			rhs,
			params,
			inputs: this.#inputs,
			outputs: [graph.sym(components[0])],
			sensitivities: [...sensitiveTo, ...components],
			initialSensitivities: true,
		});
		const lifted = model.lifted ?? components.map((name) => graph.sym(name));
		const d = new Differentiator(graph);
		this.#lifted = compileFunction(
			[...lifted, ...d.jacobian(lifted, components), ...d.jacobian(lifted, sensitiveTo)],
			[
				{ name: "x", symbols: components },
				{ name: "u", symbols: this.#inputs },
				{ name: "p", symbols: params },
			],
		);
	}

	/** `declared`: where to begin the search. */
	starts(record: Repeated, params: Float64Array, declared: Float64Array, batch: number): OrbitStarts {
		const n = this.#n;
		const p = this.sensitiveTo.length;
		const x = new Float64Array(n * batch).fill(Number.NaN);
		const slopes = new Float64Array(n * p * batch).fill(Number.NaN);
		const found: boolean[] = new Array(batch).fill(false);
		const laneOf = (b: number, start: Float64Array): Lane => ({
			b,
			x: start,
			before: start,
			step: new Float64Array(n),
			off: Number.POSITIVE_INFINITY,
			halvings: 0,
		});
		const begin = (b: number): Lane =>
			laneOf(
				b,
				Float64Array.from({ length: n }, (_, i) => declared[i * batch + b]),
			);
		/** Lanes from which finer steps begin: those that came near by long ones, and those that long ones cannot follow. */
		let lanes = Array.from({ length: batch }, (_, b) => begin(b));
		for (const [level, path] of this.#pathsOf(record).entries()) {
			// Steps that are too long for the model may lead astray as well; the finest can be believed.
			const isCoarse = level < steps.length - 1;
			const next: Lane[] = [];
			for (let round = 0; round < mostRounds && lanes.length > 0; round++) {
				const maps = this.#interval(record, path, params, batch, lanes);
				lanes = lanes.filter((lane, k) => {
					const end = advance(lane, maps[k], n, p, level === 0 ? nearby : tolerance);
					if (end === "on") return true;
					if (end === "blown" || end === "lost") {
						if (end === "blown" || isCoarse) next.push(begin(lane.b));
					} else if (level === 0) next.push(laneOf(lane.b, lane.x));
					else {
						found[lane.b] = true;
						for (let i = 0; i < n; i++) x[i * batch + lane.b] = lane.x[i];
						for (let i = 0; i < n * p; i++) slopes[i * batch + lane.b] = end[i];
					}
					return false;
				});
			}
			lanes = isCoarse ? [...next, ...lanes.map(({ b }) => begin(b))] : next;
		}
		return { x, slopes, found };
	}

	/** Steps of one interval: few to come near, more to be exact, very many, and a solver for stiff models. */
	#pathsOf({ times: [t0], orbit, inputs }: Repeated): readonly (Grid | "adaptive")[] {
		const known = this.#paths.get(inputs);
		if (known) return known;
		const signals = this.#inputs.map((name) => {
			const signal = inputs.get(name)!;
			return { at: signal.at.bind(signal), knots: Float64Array.from(signal.knots) };
		});
		const grids = steps.map((count) =>
			planGrid(Float64Array.of(t0 + orbit!), t0, { maxStep: orbit! / count }, signals),
		);
		const made = this.#stiff ? [...grids, "adaptive" as const] : grids;
		this.#paths.set(inputs, made);
		return made;
	}

	/** What one interval makes of each lane, up to before the next dose. */
	#interval(
		{ times: [t0], orbit, inputs }: Repeated,
		path: Grid | "adaptive",
		params: Float64Array,
		batch: number,
		lanes: readonly Lane[],
	): Interval[] {
		const n = this.#n;
		const p = this.sensitiveTo.length;
		const width = p + n;
		const count = lanes.length;
		const own = new Float64Array(Math.max(1, this.params.length) * count);
		const x0 = new Float64Array(n * count);
		const s0 = new Float64Array(n * width * count);
		for (const [k, { b, x }] of lanes.entries()) {
			for (let j = 0; j < this.params.length; j++) own[j * count + k] = params[j * batch + b];
			for (let i = 0; i < n; i++) {
				x0[i * count + k] = x[i];
				s0[(i * width + p + i) * count + k] = 1;
			}
		}
		const { xEnd, sEnd } =
			path === "adaptive"
				? this.#stiff!(t0, t0 + orbit!, inputs, { params: own, x0, s0, count })
				: integrateBatchInline(
						this.#kernel,
						path,
						{ batch: count, params: own, x0, s0 },
						{ nStates: n, nOutputs: 1, nSens: width },
					);
		// Boluses so far, as a sample before the next one sees them.
		const u = Float64Array.from(this.#inputs, (name) => inputs.get(name)!.at(t0 + orbit!));
		const out = new Float64Array(n * (1 + width));
		return lanes.map((_, k) => {
			const lane = (values: Float64Array, size: number): Float64Array =>
				Float64Array.from({ length: size }, (_, i) => values[i * count + k]);
			const [z, S] = [lane(xEnd, n), lane(sEnd, n * width)];
			this.#lifted(z, u, lane(own, this.params.length), out);
			const slopes = new Float64Array(n * width);
			for (let i = 0; i < n; i++)
				for (let j = 0; j < width; j++) {
					let sum = j < p ? out[n + n * n + i * p + j] : 0;
					for (let m = 0; m < n; m++) sum += out[n + i * n + m] * S[m * width + j];
					slopes[i * width + j] = sum;
				}
			return { end: out.slice(0, n), fallen: z, slopes };
		});
	}
}

/** The same of one point; what is declared where it is none, or not found. */
export function orbitStart(
	model: Model,
	params: readonly string[],
	values: Float64Array,
	declared: Float64Array,
	record: Repeated,
	stiff: StiffInterval,
): Float64Array {
	if (model.steady !== "orbit" || record.orbit === undefined) return declared;
	const { x, found } = new SteadyOrbits(model, params, [], stiff).starts(record, values, declared, 1);
	return found[0] ? x : declared;
}

/**
 * One step of Newton's: slopes by parameters where it has arrived; `blown` where the interval has no end, `lost` where no step leads
 * nearer, or doses do not lead there.
 */
function advance(
	lane: Lane,
	{ end, fallen, slopes }: Interval,
	n: number,
	p: number,
	near: number,
): Float64Array | "on" | "blown" | "lost" {
	const width = p + n;
	const F = end.map((value, i) => value - lane.x[i]);
	const off = F.reduce(
		(most, each, i) =>
			each === 0
				? most
				: Math.max(most, Math.abs(each) / Math.max(...[end[i], lane.x[i], fallen[i]].map(Math.abs))),
		0,
	);
	if (!(off < lane.off) && off !== 0) {
		// A step that went too far.
		if (lane.off === Number.POSITIVE_INFINITY) return "blown";
		if (lane.halvings++ >= mostHalvings) return Number.isNaN(off) ? "blown" : "lost";
		lane.step = lane.step.map((each) => each / 2);
		lane.x = lane.before.map((each, i) => each + lane.step[i]);
		return "on";
	}
	const matrix = Float64Array.from({ length: n * n }, (_, at) => {
		const [i, j] = [Math.floor(at / n), at % n];
		return (i === j ? 1 : 0) - slopes[i * width + p + j];
	});
	const M = matrix.map((each, at) => (at % (n + 1) === 0 ? 1 : 0) - each);
	const pivots = new Int32Array(n);
	if (!luFactorInto(matrix, pivots, n)) return "lost";
	if (off <= near) {
		if (!(spectralRadius(M, n) < 1)) return "lost";
		const found = new Float64Array(n * p);
		for (let j = 0; j < p; j++) {
			const column = Float64Array.from({ length: n }, (_, i) => slopes[i * width + j]);
			luSolveInto(column, matrix, pivots, n);
			for (let i = 0; i < n; i++) found[i * p + j] = column[i];
		}
		return found;
	}
	luSolveInto(F, matrix, pivots, n);
	Object.assign(lane, { before: lane.x, step: F, off, halvings: 0 });
	lane.x = lane.x.map((each, i) => each + F[i]);
	return "on";
}
