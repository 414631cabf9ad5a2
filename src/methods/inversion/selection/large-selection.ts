/**
 * Selection among very many terms: at the fit of a few, the problem is linearised with all terms, terms are eliminated one at a
 * time in the linear problem (sweep.ts), and what is left is fitted by simulation; again, until the set no longer changes.
 */
import { choleskyInto, solveLowerInto } from "../../../num/linear/cholesky.ts";
import { squared } from "../../../num/whole-power.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";
import { Descent, type DescentOptions } from "../descent/descent.ts";
import { formingNormalEquations, type NormalEquations } from "../descent/normal-equations.ts";
import { bicOf, type Criterion } from "../evidence/bic.ts";
import { sumOfSquares, type WeightedProblem } from "../forward/linearisation.ts";
import type { AsyncSlices, Slices } from "../slices.ts";
import { refit, type Workspace } from "../workspace.ts";
import { type Exchange, exchanges } from "./exchanges.ts";
import { type Judged, keyOf, type PathStep, type SelectionState, type TermSelection } from "./judged.ts";
import { type SweepStep, sweeping } from "./sweep.ts";

const rounds = 3;
/** A term that is out is looked at again where its square would be so large, in standard errors. */
const lookAgainFrom = 4;
/** A term does nothing when it moves the residuals so much less than the strongest one. */
const idleBelow = 1e-8;
/** Another term is as good as a chosen one when the sum of squares rises by less, in variances. */
const exchangeWithin = 3;

/** What a sweep leaves, with the weights that it has there. */
interface Swept {
	readonly active: readonly number[];
	readonly near: Float64Array;
	readonly steps: readonly SweepStep[];
}

export class LargeSelection implements TermSelection {
	path: PathStep[] = [];
	stage: "eliminate" | "improve" | "done" = "eliminate";
	iterations = 0;
	readonly judged = new Map<string, Judged>();
	idle: readonly number[] = [];
	exchanges: readonly Exchange[] = [];
	#chosen: Judged | undefined;
	#round = 0;
	/** The fit of the terms that the last sweep left, as long as it runs. */
	#refit: Descent | undefined;

	constructor(
		readonly work: Workspace,
		readonly problem: WeightedProblem,
		readonly scales: EffectScales,
		readonly criterion: Criterion,
	) {}

	get variance(): number {
		return this.criterion.variance;
	}

	async begin(fit: Descent): Promise<void> {
		this.#keep(fit);
	}

	get chosen(): Judged {
		return this.#chosen!;
	}
	rivals(): Judged[] {
		return [];
	}

	/** One sweep, or one iteration of the fit that follows it. */
	async *step(): AsyncSlices<void> {
		if (!this.#refit) return yield* this.#sweep();
		yield* this.#refit.evaluating();
		if (await this.#refit.iterate()) return;
		this.#keep(this.#refit);
		this.#refit = undefined;
	}

	async *#sweep(): AsyncSlices<void> {
		const { work, problem, chosen } = this;
		const point = Float64Array.from(chosen.point);
		const all = [...Array(work.nUnknowns).keys()];
		const [here] = yield* problem.forward.evaluating([point], true);
		const equations = yield* formingNormalEquations(problem, here, all);
		const { scales, variance } = this;
		function* sweepOf(unknowns: readonly number[]): Slices<Swept> {
			const { active, values, steps } = yield* sweeping({
				unknowns,
				point,
				equations: unknowns === all ? equations : part(equations, all.length, unknowns),
				scales,
				variance,
				mayDrop: (u) => work.terms([u]).length > 0,
			});
			const near = new Float64Array(work.nUnknowns);
			active.forEach((u, k) => {
				near[u] = values[k];
			});
			return { active, near, steps };
		}
		// The first time from all terms; then from those that are in and those that would now stand out beside them.
		let swept = this.#round === 0 ? yield* sweepOf(all) : undefined;
		const path = swept ? this.#pathOf(swept.steps) : this.path;
		// So many terms may lead so far away that the linear problem no longer holds.
		if (swept) {
			const [there] = await problem.forward.evaluate([swept.near], false);
			if (!(sumOfSquares(problem, there) < chosen.sse)) swept = undefined;
		}
		const { active, near } =
			swept ?? (yield* sweepOf(promising(equations, all, chosen.active, this.variance)));
		this.path = path;
		this.idle = idleTerms(equations, work);
		this.exchanges = exchanges(
			equations,
			chosen.point,
			chosen.active,
			(u) => work.terms([u]).length > 0,
			exchangeWithin * this.variance,
		);
		this.#round++;
		if (keyOf(active) === keyOf(chosen.active) || this.#round > rounds) {
			this.stage = "done";
			return;
		}
		this.#refit = refit(problem, active, near, this.#limits, work.nWeights);
	}

	get #limits(): DescentOptions {
		// Less than a variance decides on no term.
		return { tolerance: 0, maxIterations: 20, negligible: this.variance, once: true };
	}

	#pathOf(steps: readonly SweepStep[]): PathStep[] {
		const { work, chosen } = this;
		return steps.map(({ dropped, t, next, rise }, k) => {
			const terms = work.selectable.length - k - 1;
			const sse = chosen.sse + rise - (steps[steps.length - 1]?.rise ?? 0);
			return {
				key: "",
				dropped,
				t,
				tie: next && squared(next.t) - squared(t) < 1 ? next : null,
				terms,
				sse,
				bic: bicOf(this.criterion, sse, terms),
				evidence: null,
			};
		});
	}

	#keep({ active, point, sse, iterations, options: { quick = false } }: Descent): void {
		this.iterations += iterations;
		this.#chosen = {
			active,
			point: [...point],
			sse,
			iterations,
			quick,
			t: active.map(() => null),
			sizes: this.work.terms(active).map(() => null),
			evidence: sse / this.variance,
			bic: bicOf(this.criterion, sse, active.length),
		};
		this.judged.set(keyOf(active), this.#chosen);
	}

	save(): SelectionState {
		return {
			judged: [this.chosen, ...[...this.judged.values()].filter((each) => each !== this.chosen)],
			path: this.path,
			stage: this.stage,
			queue: [],
			explored: [String(this.#round)],
			iterations: this.iterations,
			idle: this.idle,
			exchanges: this.exchanges,
			...(this.#refit ? { refit: { active: this.#refit.active, descent: this.#refit.snapshot() } } : {}),
		};
	}

	restore(state: SelectionState): void {
		[this.#chosen] = state.judged;
		for (const judged of state.judged) this.judged.set(keyOf(judged.active), judged);
		this.iterations = state.iterations;
		this.path = [...state.path];
		this.stage = state.stage;
		this.idle = state.idle ?? [];
		this.exchanges = state.exchanges ?? [];
		this.#round = Number(state.explored[0]);
		if (state.refit) {
			const { active, descent } = state.refit;
			this.#refit = new Descent(this.problem, active, Float64Array.from(descent.point), this.#limits);
			this.#refit.restore(descent);
		}
	}
}

function idleTerms({ gram }: NormalEquations, { selectable, nUnknowns: n }: Workspace): number[] {
	let largest = 0;
	for (let u = 0; u < n; u++) largest = Math.max(largest, gram[u * n + u]);
	return selectable.filter((u) => !(gram[u * n + u] > squared(idleBelow * Math.sqrt(largest))));
}

/** The active unknowns, and those that would be large in standard errors if one alone were added to them. */
function promising(
	{ gram, right }: NormalEquations,
	all: readonly number[],
	active: readonly number[],
	variance: number,
): number[] {
	const n = all.length;
	const k = active.length;
	const l = new Float64Array(k * k);
	for (let i = 0; i < k; i++) for (let j = 0; j <= i; j++) l[i * k + j] = gram[active[i] * n + active[j]];
	if (!choleskyInto(l, k)) return [...all];
	const inside = new Set(active);
	const gradient = Float64Array.from(active, (u) => right[u]);
	solveLowerInto(gradient, l, k);
	const cross = new Float64Array(k);
	return all.filter((u) => {
		if (inside.has(u)) return true;
		for (let i = 0; i < k; i++) cross[i] = gram[u * n + active[i]];
		solveLowerInto(cross, l, k);
		let slope = right[u];
		let left = gram[u * n + u];
		for (let i = 0; i < k; i++) {
			slope -= cross[i] * gradient[i];
			left -= cross[i] * cross[i];
		}
		return slope * slope > lookAgainFrom * variance * left;
	});
}

/** The equations of some of the unknowns. */
function part({ gram, right }: NormalEquations, n: number, unknowns: readonly number[]): NormalEquations {
	const k = unknowns.length;
	const small = new Float64Array(k * k);
	for (let i = 0; i < k; i++)
		for (let j = 0; j < k; j++) small[i * k + j] = gram[unknowns[i] * n + unknowns[j]];
	return { gram: small, right: Float64Array.from(unknowns, (u) => right[u]) };
}
