/**
 * Down the marginal likelihood of what is shared: quasi-Newton steps that begin with the information to first order, several
 * lengths of each step tried in one batch.
 */
import { choleskySolveInto } from "../../num/linear/cholesky.ts";
import { searchBounds } from "../least-squares/region.ts";
import { factored } from "./factored.ts";
import { type Marginal, type MarginalLikelihood, type MarginalSnapshot, snapshotOf } from "./marginal.ts";

/** Fall of minus log-likelihood, as the quadratic model promises it, at which there is nothing left. */
const small = 1e-6;
/** The same where differences do not resolve more. */
const resolved = 1e-4;
const lengths = [1, 0.4, 0.15, 0.04, 0.005];
/** The longest step on a logarithmic scale, and in standard errors. */
const longestLog = 1;
const mostIterations = 200;

/** A climb in plain values. */
export interface ClimbSnapshot {
	readonly marginal: MarginalSnapshot;
	readonly gradient: readonly number[];
	readonly hessian: readonly number[];
	readonly outcome: Climb["outcome"] | null;
	readonly iterations: number;
	readonly tried: number;
}

export class Climb {
	marginal: Marginal | undefined;
	gradient: Float64Array = new Float64Array();
	/** The quadratic model: p × p. */
	hessian: Float64Array = new Float64Array();
	outcome: "converged" | "maxSteps" | "diverged" | undefined;
	iterations = 0;
	#tried = 0;

	constructor(
		readonly likelihood: MarginalLikelihood,
		readonly start: Float64Array,
		readonly near?: Marginal,
	) {}

	get value(): number {
		return this.marginal?.value ?? Number.POSITIVE_INFINITY;
	}

	/** One iteration; false when it has come to an end. */
	async step(): Promise<boolean> {
		if (!this.marginal) {
			[this.marginal] = await this.likelihood.at([this.start], this.near);
			if (!(this.value < Number.POSITIVE_INFINITY)) return this.#end("diverged");
			await this.#look();
			this.#begin();
			return true;
		}
		if (this.iterations++ >= mostIterations) return this.#end("maxSteps");
		const { lo, hi } = searchBounds(this.likelihood.likelihood(0));
		const { shared } = this.marginal;
		const held = shared.map((z, i) =>
			(z <= lo[i] && this.gradient[i] > 0) || (z >= hi[i] && this.gradient[i] < 0) ? 1 : 0,
		);
		const step = this.#direction(held);
		const promised = -step.reduce((sum, each, i) => sum + each * this.gradient[i], 0) / 2;
		if (!(promised > small)) return this.#end("converged");
		const points = lengths.map((length) =>
			shared.map((z, i) => Math.min(Math.max(z + length * step[i], lo[i]), hi[i])),
		);
		const tried = await this.likelihood.at(points, this.marginal);
		const best = tried.reduce((a, b) => (b.value < a.value ? b : a));
		if (!(best.value < this.value)) {
			// The model may be a bad one: begin it anew, once.
			if (promised < resolved || this.#tried++ > 0)
				return this.#end(promised < 100 * resolved ? "converged" : "maxSteps");
			this.#begin();
			return true;
		}
		this.#tried = 0;
		const before = { shared, gradient: this.gradient };
		this.marginal = best;
		await this.#look();
		this.#update(before);
		return true;
	}

	#end(outcome: "converged" | "maxSteps" | "diverged"): false {
		this.outcome = outcome;
		return false;
	}

	/** Of a climb that has taken its first step. */
	snapshot(): ClimbSnapshot {
		return {
			marginal: snapshotOf(this.marginal!),
			gradient: [...this.gradient],
			hessian: [...this.hessian],
			outcome: this.outcome ?? null,
			iterations: this.iterations,
			tried: this.#tried,
		};
	}

	static async from(likelihood: MarginalLikelihood, snapshot: ClimbSnapshot): Promise<Climb> {
		const climb = new Climb(likelihood, Float64Array.from(snapshot.marginal.shared));
		climb.marginal = await likelihood.again(snapshot.marginal);
		climb.gradient = Float64Array.from(snapshot.gradient);
		climb.hessian = Float64Array.from(snapshot.hessian);
		climb.outcome = snapshot.outcome ?? undefined;
		climb.iterations = snapshot.iterations;
		climb.#tried = snapshot.tried;
		return climb;
	}

	async #look(): Promise<void> {
		[{ gradient: this.gradient }] = await this.likelihood.slopes([this.marginal!]);
	}

	/** The information to first order; what it says nothing of is as uncertain as a factor of e. */
	#begin(): void {
		const p = this.gradient.length;
		this.hessian = this.likelihood.information(this.marginal!);
		for (let i = 0; i < p; i++) this.hessian[i * p + i] = Math.max(this.hessian[i * p + i], 0) * 1.01 + 1;
	}

	#direction(held: Float64Array): Float64Array {
		const p = held.length;
		const { unknowns } = this.likelihood.problem;
		const matrix = this.hessian.slice();
		for (let i = 0; i < p; i++)
			if (held[i]) for (let j = 0; j < p; j++) matrix[i * p + j] = matrix[j * p + i] = i === j ? 1 : 0;
		const factor = factored(matrix, p);
		const step = this.gradient.map((g, i) => (held[i] ? 0 : -g));
		if (factor) choleskySolveInto(step, factor, p);
		const longest = step.reduce(
			(most, each, i) => Math.max(most, unknowns[i].scale === "log" ? Math.abs(each) : 0),
			0,
		);
		return longest > longestLog ? step.map((each) => (each * longestLog) / longest) : step;
	}

	/** BFGS, damped so that the model stays definite (Powell). */
	#update(before: { shared: Float64Array; gradient: Float64Array }): void {
		const p = this.gradient.length;
		const B = this.hessian;
		const s = this.marginal!.shared.map((z, i) => z - before.shared[i]);
		const y = this.gradient.map((g, i) => g - before.gradient[i]);
		const Bs = Float64Array.from(s, (_, i) => s.reduce((sum, each, j) => sum + B[i * p + j] * each, 0));
		const sBs = s.reduce((sum, each, i) => sum + each * Bs[i], 0);
		const sy = s.reduce((sum, each, i) => sum + each * y[i], 0);
		if (!(sBs > 0)) return;
		const theta = sy >= 0.2 * sBs ? 1 : (0.8 * sBs) / (sBs - sy);
		const r = y.map((each, i) => theta * each + (1 - theta) * Bs[i]);
		const sr = s.reduce((sum, each, i) => sum + each * r[i], 0);
		for (let i = 0; i < p; i++)
			for (let j = 0; j < p; j++) B[i * p + j] += (r[i] * r[j]) / sr - (Bs[i] * Bs[j]) / sBs;
	}
}
