/** One descent of multiple shooting: damped steps, each told whether it was one down. */
import type { Evaluation } from "../forward/forward.ts";
import type { ShootingPoint, ShootingProblem } from "./shooting.ts";

const firstDamping = 1e-1;
const leastDamping = 1e-9;
const mostDamping = 1e8;
/** After a step down, and after one that was none. */
const falls = 1 / 6;
const rises = 5;
/** A fall of the cost below which it has come to rest. */
const smallFall = 1e-4;

export class ShootingDescent {
	/** The point to evaluate next; undefined when it has come to rest. */
	trial: ShootingPoint | undefined;
	cost = Number.POSITIVE_INFINITY;
	#evaluation: Evaluation | undefined;
	#damping = firstDamping;

	constructor(
		readonly problem: ShootingProblem,
		public point: ShootingPoint,
		/** One over the size that a gap of each component may have. */
		readonly weights: Float64Array,
	) {
		this.trial = point;
	}

	tell(evaluation: Evaluation): void {
		const cost = this.problem.cost(this.trial!, evaluation, this.weights);
		const isFirst = this.#evaluation === undefined;
		if (cost < this.cost) {
			const isRest = this.cost - cost < smallFall * cost;
			this.point = this.trial!;
			this.cost = cost;
			this.#evaluation = evaluation;
			if (!isFirst) this.#damping = Math.max(this.#damping * falls, leastDamping);
			this.trial = isRest ? undefined : this.#next();
		} else this.trial = isFirst ? undefined : this.#shorter();
	}

	#shorter(): ShootingPoint | undefined {
		this.#damping *= rises;
		return this.#damping > mostDamping ? undefined : this.#next();
	}

	/** The next trial; steps that are no numbers are damped more. */
	#next(): ShootingPoint | undefined {
		const { problem, point, weights } = this;
		const { lo, hi } = problem.bounds;
		const held = new Set<number>();
		for (; this.#damping <= mostDamping; this.#damping *= rises) {
			let step = problem.step(point, this.#evaluation!, weights, this.#damping, held);
			if (!step) continue;
			// What stands on its bound and would leave it is held.
			const leaving = [...step.z.keys()].filter(
				(j) => (point.z[j] <= lo[j] && step!.z[j] < 0) || (point.z[j] >= hi[j] && step!.z[j] > 0),
			);
			if (leaving.length > 0) {
				for (const j of leaving) held.add(j);
				step = problem.step(point, this.#evaluation!, weights, this.#damping, held);
				if (!step) continue;
			}
			const { z, starts } = step;
			if (z.some((value, j) => Math.abs(value) > problem.reach[j])) continue;
			return {
				z: point.z.map((value, j) => Math.min(Math.max(value + z[j], lo[j]), hi[j])),
				starts: point.starts.map((value, i) => value + starts[i]),
			};
		}
		return undefined;
	}
}
