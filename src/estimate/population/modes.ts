/**
 * The most likely eta of one unit, for many values of what all share at once: Gauss–Newton with damping on the rows of the
 * likelihood and of the law of eta. One batch of simulations advances all of them.
 */

import { log } from "../../num/elementary/number.ts";
import { choleskyInto, choleskyLogDeterminant, choleskySolveInto } from "../../num/linear/cholesky.ts";
import { type LikelihoodProblem, type Misfit, misfits } from "../observe/likelihood.ts";

/** Where the search for eta ended, at one value of what is shared. */
export interface Mode {
	/** Search coordinates of the shared, then eta. */
	readonly z: Float64Array;
	/** Minus log density of samples and eta together; Infinity where nothing could be simulated. */
	readonly cost: number;
	/** By eta, Fisher's information with that of its law: q × q, and the rows' slopes by all unknowns. */
	readonly information: Float64Array;
	readonly misfit: Misfit;
	/** Minus log of the integral over eta, by Laplace's method. */
	readonly marginal: number;
}

/** Newton decrement at which eta is found: the determinant changes with its first power, differences of it are taken. */
const found = 1e-16;
/** One at which it is near enough where that is all that can be had. */
const near = 1e-9;
const mostRounds = 40;

class Lane {
	z: Float64Array;
	best: Misfit | undefined;
	trial: Float64Array | undefined;
	damping = 0;
	readonly #from: number;
	readonly #q: number;
	#decrement = Number.POSITIVE_INFINITY;

	constructor(z: Float64Array, from: number) {
		this.z = z;
		this.trial = z;
		this.#from = from;
		this.#q = z.length - from;
	}

	tell(misfit: Misfit): void {
		const isBetter = misfit.cost <= (this.best?.cost ?? Number.POSITIVE_INFINITY);
		if (!this.best && !(misfit.cost < Number.POSITIVE_INFINITY)) {
			this.trial = undefined;
			return;
		}
		// Beside rounding a step cannot be judged by the cost.
		const isSettled =
			this.#decrement < near && misfit.cost - this.best!.cost < 1e-9 * Math.abs(misfit.cost) + 1e-9;
		if (isBetter || isSettled) {
			const stalled = isSettled && this.damping === 0 ? this.#decrement : Number.POSITIVE_INFINITY;
			this.best = misfit;
			this.z = this.trial!;
			this.damping = this.damping < 1e-3 ? 0 : this.damping / 5;
			this.#propose(stalled);
		} else {
			this.damping = Math.max(4 * this.damping, 0.05);
			if (this.damping > 1e8) this.trial = undefined;
			else this.#propose(Number.POSITIVE_INFINITY);
		}
	}

	#propose(before: number): void {
		const { information, gradient } = normalEquations(this.best!, this.z.length, this.#from);
		const q = this.#q;
		const damped = information.slice();
		for (let i = 0; i < q; i++) damped[i * q + i] *= 1 + this.damping;
		const step = gradient.slice();
		if (!choleskyInto(damped, q)) {
			this.trial = undefined;
			return;
		}
		choleskySolveInto(step, damped, q);
		this.#decrement = step.reduce((sum, each, i) => sum + each * gradient[i], 0);
		// Rounding keeps it from falling further.
		if (this.#decrement < found || !(this.#decrement < before) || !(this.#decrement >= 0)) {
			this.trial = undefined;
			return;
		}
		this.trial = this.z.slice();
		for (let i = 0; i < q; i++) this.trial[this.#from + i] -= step[i];
	}
}

/** JᵀJ and Jᵀρ by eta, the last of the unknowns. */
function normalEquations(
	{ residual, jacobian }: Misfit,
	n: number,
	from: number,
): { information: Float64Array; gradient: Float64Array } {
	const q = n - from;
	const information = new Float64Array(q * q);
	const gradient = new Float64Array(q);
	for (let row = 0; row < residual.length; row++) {
		const at = row * n + from;
		for (let i = 0; i < q; i++) {
			gradient[i] += jacobian[at + i] * residual[row];
			for (let j = 0; j <= i; j++) information[i * q + j] += jacobian[at + i] * jacobian[at + j];
		}
	}
	for (let i = 0; i < q; i++) for (let j = 0; j < i; j++) information[j * q + i] = information[i * q + j];
	return { information, gradient };
}

/** `starts`: shared coordinates and a first eta each; eta stands from `from` on. */
export async function modesOf(
	problem: LikelihoodProblem,
	starts: readonly Float64Array[],
	from: number,
	/** Fewer rounds leave etas that are near their modes only. */
	rounds = mostRounds,
): Promise<Mode[]> {
	const lanes = starts.map((z) => new Lane(z.slice(), from));
	for (let round = 0; round < rounds; round++) {
		const running = lanes.filter(({ trial }) => trial !== undefined);
		if (running.length === 0) break;
		const told = await misfits(
			problem,
			running.map(({ trial }) => trial!),
		);
		for (const [i, lane] of running.entries()) lane.tell(told[i]);
	}
	return lanes.map(({ z, best }) => modeOf(z, best, from));
}

/** A mode that was found before, without a search. */
export async function modeAt(
	problem: LikelihoodProblem,
	z: Float64Array,
	from: number,
	isFound: boolean,
): Promise<Mode> {
	const [best] = isFound ? await misfits(problem, [z]) : [];
	return modeOf(z, best, from);
}

function modeOf(z: Float64Array, best: Misfit | undefined, from: number): Mode {
	const q = z.length - from;
	if (!best) {
		const misfit = { residual: new Float64Array(), jacobian: new Float64Array(), cost: Infinity, unit: 1 };
		return { z, cost: Infinity, information: new Float64Array(q * q), misfit, marginal: Infinity };
	}
	const { information } = normalEquations(best, z.length, from);
	const factor = information.slice();
	const isDefinite = choleskyInto(factor, q);
	const marginal = isDefinite
		? best.cost - (q / 2) * log(2 * Math.PI) + choleskyLogDeterminant(factor, q) / 2
		: Number.POSITIVE_INFINITY;
	return { z, cost: best.cost, information, misfit: best, marginal };
}
