/**
 * Which terms are there. Terms are taken out one at a time, the one that is smallest in standard errors first, with a fit
 * after each ([whiten2014], section 3.2): the elimination path. Each set of terms is judged by its evidence and its BIC. With
 * `select: evidence` the best set is then improved: the problem is linearised at its fit with all terms, sets that differ in
 * one or two terms or more are judged there, and the promising ones are fitted. Departure from the paper: it drops by a
 * threshold alone, which loses weak terms beside correlated ones.
 */

import { squared } from "../../../num/whole-power.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";
import { takenDown } from "../descent/continuation.ts";
import { Descent, type DescentOptions } from "../descent/descent.ts";
import {
	byTriangle,
	type FittedModel,
	fittedModel,
	movedAlong,
	standardErrors,
	termSize,
} from "../descent/fitted-model.ts";
import type { LinearFit, LinearPoint } from "../descent/linear-fit.ts";
import type { Support } from "../descent/start-results.ts";
import { bicOf, type Criterion } from "../evidence/bic.ts";
import { evidenceOf } from "../evidence/evidence.ts";
import { agreesWithin } from "../forward/departure.ts";
import { residualOf, sumOfSquares, type WeightedProblem } from "../forward/linearisation.ts";
import { refit, type Workspace } from "../workspace.ts";
import { combined } from "./combinations.ts";
import {
	chanceOf,
	type Judged,
	keyOf,
	type PathStep,
	type Proposal,
	rivalWithin,
	type SelectionState,
	sureFrom,
	type TermSelection,
} from "./judged.ts";
import { type Multiple, multiplesOf } from "./multiples.ts";
import { proposalsFrom, slack } from "./proposals.ts";

/** The path ends where the evidence has fallen so far behind the best that nothing can come any more. */
const hopeless = 150;
/** Terms whose squares differ by less than this are a near-tie. */
const tieWithin = 1;
/** Sets that are explored beside the best: how many at most, how much worse, and by how many terms different. */
const mostExplored = 3;
const exploredWithin = 12;
const farFrom = 3;
/** A refit whose sum of squares rises by so many variances more than expected may have gone astray. */
const strayed = 30;
/** Terms that are larger, in standard errors, are needed in any case. */
const clearlyThere = 10;
/** Fall of the sum of squares that means nothing, in variances. */
const negligibleFall = 1e-3;
const refitOptions = { tolerance: 1e-7, maxIterations: 40 };
/** The same in segments, which are nearly linear: a fit that takes longer leads nowhere. */
const segmentedIterations = 12;

export class Selection implements TermSelection {
	readonly judged = new Map<string, Judged>();
	readonly path: PathStep[] = [];
	stage: "eliminate" | "improve" | "done" = "eliminate";
	iterations = 0;
	#queue: Proposal[] = [];
	/** Errors of the fits that were made in this process. */
	readonly #models = new Map<string, FittedModel>();
	#supports: readonly Support[] = [];
	readonly #explored = new Set<string>();
	/** The best set when rivals were last combined. */
	#combinedAt = "";
	#multiples: Multiple[] | undefined;
	/** The problem linearised at the last fit. */
	#linear: LinearFit | undefined;
	#linearAt: { readonly active: readonly number[]; readonly point: ArrayLike<number> } | undefined;

	constructor(
		readonly work: Workspace,
		readonly problem: WeightedProblem,
		readonly scales: EffectScales,
		readonly criterion: Criterion,
	) {}

	get variance(): number {
		return this.criterion.variance;
	}

	/** The fit of all terms, where the path begins; and sets that something else supports. */
	async begin(full: Descent, supports: readonly Support[]): Promise<void> {
		const judged = await this.#judge(full);
		this.#supports = supports;
		if (this.work.options.select === "evidence")
			for (const { active, point } of supports) await this.#fit(active, Float64Array.from(point));
		this.path.push({ dropped: null, t: null, tie: null, ...this.#left(judged) });
		if (this.work.options.select === "none") this.stage = "done";
	}

	/** One more fit. */
	async step(): Promise<void> {
		if (this.stage === "eliminate") await this.#eliminate();
		else if (this.stage === "improve") await this.#improve();
	}

	/** The set that the chosen rule takes. */
	get chosen(): Judged {
		const onPath = this.path.map(({ key }) => this.judged.get(key)!);
		switch (this.work.options.select) {
			case "none":
				return onPath[0];
			case "bic":
				return least(onPath, ({ bic }) => bic);
			case "threshold": {
				const { threshold } = this.work.options;
				const small = ({ sizes }: Judged): boolean => sizes.some((size) => (size ?? 0) < threshold);
				return onPath.find((judged) => !small(judged)) ?? onPath[onPath.length - 1];
			}
			default:
				return least([...this.judged.values()], ({ evidence }) => evidence);
		}
	}

	/** Other sets that the evidence supports almost as well: at most `within` behind, best first. */
	rivals(within: number): Judged[] {
		const { chosen } = this;
		return [...this.judged.values()]
			.filter((judged) => judged !== chosen && judged.evidence - chosen.evidence <= within)
			.sort((a, b) => a.evidence - b.evidence);
	}

	async #eliminate(): Promise<void> {
		const here = this.judged.get(this.path[this.path.length - 1].key)!;
		const ranked = this.work
			.terms(here.active)
			.map((u, k) => ({ u, t: here.sizes[k] ?? 0 }))
			.sort((a, b) => a.t - b.t);
		// The last term stays: an empty model is never the end of a path.
		if (ranked.length <= 1 || this.#isHopeless(here)) return this.#endPath();
		const [smallest, second] = ranked;
		const goes = this.work.sets.membersOf(smallest.u);
		const active = here.active.filter((u) => !goes.includes(u));
		let judged = (await this.#byLinear(active)) ?? (await this.#fit(active, await this.#without(here, goes)));
		// A fit that went astray beside one with few terms that holds: from there it may find the way.
		for (const support of this.#supports)
			if (
				judged.sse > here.sse + strayed * this.variance &&
				support.sse < judged.sse &&
				support.active.every((u) => active.includes(u))
			)
				judged = await this.#fit(active, Float64Array.from(support.point), judged);
		if (smallest.t < clearlyThere)
			judged = await this.#untilNotAstray(
				here,
				judged,
				(strayed + 3 * goes.length * squared(smallest.t)) * this.variance,
			);
		this.path.push({
			...this.#left(judged),
			dropped: smallest.u,
			t: smallest.t,
			tie: squared(second.t) - squared(smallest.t) < tieWithin ? { term: second.u, t: second.t } : null,
		});
	}

	/** The same set in small strides from another fit, where its sum of squares is higher than that by more than `rise`. */
	async #untilNotAstray(from: Judged, judged: Judged, rise: number): Promise<Judged> {
		const isAstray = (sse: number): boolean => !(sse <= from.sse + rise);
		// In segments nothing grows along a record: small strides would find no more.
		if (!isAstray(judged.sse) || this.problem.segmented) return judged;
		const { problem, work } = this;
		const found = await takenDown(problem, from.point, judged.active, this.#limits, work.nWeights, isAstray);
		return found && found.sse < judged.sse ? this.#judge(found) : judged;
	}

	#left(judged: Judged): Pick<PathStep, "key" | "terms" | "sse" | "bic" | "evidence"> {
		const { active, sse, bic, evidence } = judged;
		return { key: keyOf(active), terms: this.work.terms(active).length, sse, bic, evidence };
	}

	/** Where a fit goes to first order when a term is taken out, or just the others as they are if that is better. */
	async #without(here: Judged, goes: readonly number[]): Promise<Float64Array> {
		const plain = Float64Array.from(here.point);
		for (const u of goes) plain[u] = 0;
		const model = await this.#modelAt(here);
		const n = model.active.length;
		if (!goes.every((u) => model.covariance[model.active.indexOf(u) * (n + 1)] > 0)) return plain;
		const moved = movedAlong(
			model,
			Float64Array.from(here.point),
			goes,
			goes.map((u) => -here.point[u]),
		);
		for (const u of goes) moved[u] = 0;
		const [a, b] = await this.problem.forward.evaluate([moved, plain], false);
		return sumOfSquares(this.problem, a) <= sumOfSquares(this.problem, b) ? moved : plain;
	}

	/** The same bits whether it was fitted in this process or before a resume. */
	async #modelAt({
		active,
		point,
		byLinear,
		quick,
	}: Judged): Promise<Pick<FittedModel, "active" | "covariance" | "follow">> {
		const linear = byLinear && (await this.#linearised());
		if (linear && active.every((u) => linear.active.includes(u)))
			return { active, ...byTriangle(this.#within(linear, active).system, active.length) };
		const known = this.#models.get(keyOf(active));
		if (known) return known;
		const limits = { ...refitOptions, maxIterations: 0, quick };
		return fittedModel(new Descent(this.problem, active, Float64Array.from(point), limits));
	}

	/** Fewer terms in the linearised problem. */
	#within(linear: LinearFit, active: readonly number[]): LinearPoint {
		const inside = new Set(active);
		const held = linear.point.map((value, u) => (u < this.work.nWeights && !inside.has(u) ? 0 : value));
		return linear.fitOf(active, held);
	}

	#isHopeless(here: Judged): boolean {
		const best = Math.min(...this.path.map(({ key }) => this.judged.get(key)!.evidence));
		return !(here.evidence <= best + hopeless) || !(here.bic < Number.POSITIVE_INFINITY);
	}

	/** What was said of sets that matter by a problem linearised nearby is made sure of. */
	async #endPath(): Promise<void> {
		const within = this.chosen.evidence + rivalWithin + slack;
		for (const { active, point, byLinear, evidence } of [...this.judged.values()]) {
			if (!byLinear || !(evidence <= within)) continue;
			const { problem, work } = this;
			const near = Float64Array.from(point);
			const judged = await this.#judge(await refit(problem, active, near, this.#limits, work.nWeights).run());
			const at = this.path.findIndex(({ key }) => key === keyOf(active));
			this.path[at] = { ...this.path[at], ...this.#left(judged) };
		}
		this.stage = this.work.options.select === "evidence" ? "improve" : "done";
	}

	async #improve(): Promise<void> {
		const next = this.#queue.shift();
		if (next) {
			const known = this.judged.get(keyOf(next.active));
			const judged = await this.#fit(next.active, Float64Array.from(next.point), known);
			const from = this.judged.get(next.from)!;
			if (next.behind !== null && judged.evidence > from.evidence + next.behind + strayed)
				await this.#untilNotAstray(from, judged, 2 * strayed * this.variance);
			return;
		}
		const { chosen } = this;
		const from = this.#explored.has(keyOf(chosen.active)) ? this.#elsewhere() : chosen;
		if (!from) {
			const key = keyOf(chosen.active);
			if (this.#combinedAt !== key) this.#queue = this.#combinations();
			this.#combinedAt = key;
			if (this.#queue.length === 0) await this.#multiply();
			return;
		}
		this.#explored.add(keyOf(from.active));
		this.#queue = await proposalsFrom(this, from);
	}

	/** Where the answer is not sure and a state is fast: what is near a law with one of its equations multiplied. */
	async #multiply(): Promise<void> {
		const { work, problem, scales, variance, judged, chosen } = this;
		this.#multiples ??= chanceOf(this) < sureFrom ? multiplesOf(work, scales, chosen) : [];
		const next = this.#multiples.shift();
		if (!next) {
			this.stage = "done";
			return;
		}
		const from = await this.#fit(next.active, Float64Array.from(next.point));
		// It has more terms: one that fits worse leads nowhere.
		if (from.sse <= chosen.sse + rivalWithin * variance)
			this.#queue = await proposalsFrom({ work, problem, scales, variance, judged, chosen: from }, from);
	}

	/** Rivals in several functions at once. */
	#combinations(): Proposal[] {
		const { chosen, work } = this;
		const variants = this.rivals(rivalWithin).map((rival) => ({
			...rival,
			behind: rival.evidence - chosen.evidence,
		}));
		const functionOf = (u: number): string | undefined =>
			work.sets.of(u) === undefined ? undefined : work.setting.candidates.weights[u].of;
		return combined(chosen, variants, rivalWithin, functionOf)
			.filter(({ active }) => !this.judged.has(keyOf(active)))
			.map((variant) => ({ ...variant, from: keyOf(chosen.active) }));
	}

	/** The best set that is far from all that were explored: the linearised problem says little of sets far away. */
	#elsewhere(): Judged | undefined {
		if (this.#explored.size >= mostExplored) return undefined;
		const { work } = this;
		const explored = [...this.#explored].map((key) => work.terms(this.judged.get(key)!.active));
		const far = [...this.judged.values()].filter(
			({ active, evidence }) =>
				evidence <= this.chosen.evidence + exploredWithin &&
				explored.every((other) => distance(work.terms(active), other) >= farFrom),
		);
		return far.length > 0 ? least(far, ({ evidence }) => evidence) : undefined;
	}

	get #limits(): DescentOptions {
		const maxIterations = this.problem.segmented ? segmentedIterations : refitOptions.maxIterations;
		return { ...refitOptions, maxIterations, negligible: negligibleFall * this.variance, quick: true };
	}

	/** Fits from a point nearby; where `than` is given, only a better fit replaces it. */
	async #fit(active: readonly number[], near: Float64Array, than?: Judged): Promise<Judged> {
		const known = than ? undefined : this.judged.get(keyOf(active));
		if (known) return known;
		const descent = await refit(this.problem, active, near, this.#limits, this.work.nWeights).run();
		return than && !(descent.sse < than.sse) ? than : this.#judge(descent);
	}

	/** A fit as the problem linearised nearby gives it; undefined where its simulation departs from that. */
	async #byLinear(active: readonly number[]): Promise<Judged | undefined> {
		const linear = await this.#linearised();
		if (!linear || this.judged.has(keyOf(active)) || !active.every((u) => linear.active.includes(u)))
			return undefined;
		const { point, system } = this.#within(linear, active);
		const [there] = await this.problem.forward.evaluate([point], false);
		if (!(linear.departure(there, point).squares < agreesWithin * this.variance)) return undefined;
		const model = {
			...byTriangle(system, active.length),
			active,
			point,
			sse: sumOfSquares(this.problem, there),
			iterations: 0,
			quick: true,
			residual: residualOf(this.problem, there),
			value: there.value,
			spread: there.spread,
		};
		return this.#keep(model, { byLinear: true });
	}

	/** Linearised at the last fit; made again where a saved run goes on. */
	async #linearised(): Promise<LinearFit | undefined> {
		if (this.#linearAt && !this.#linear) {
			const { active, point } = this.#linearAt;
			this.#linear = await new Descent(this.problem, active, Float64Array.from(point), this.#limits).linear();
		}
		return this.#linear;
	}

	async #judge(descent: Descent): Promise<Judged> {
		this.iterations += descent.iterations;
		const model = await fittedModel(descent);
		this.#linear = await descent.linear();
		this.#linearAt = this.#linear;
		return this.#keep(model);
	}

	#keep(model: FittedModel, how: Pick<Judged, "byLinear"> = {}): Judged {
		const { variance, scales, work } = this;
		const values = Float64Array.from(model.active, (u) => model.point[u]);
		const se = standardErrors(model, variance);
		const judged: Judged = {
			active: model.active,
			point: [...model.point],
			sse: model.sse,
			iterations: model.iterations,
			quick: model.quick,
			t: [...values].map((value, k) => (Number.isNaN(se[k]) ? null : Math.abs(value) / se[k])),
			sizes: work.terms(model.active).map((term) => termSize(model, work.sets.membersOf(term), variance)),
			evidence: evidenceOf(scales, { ...model, values }, variance),
			bic: bicOf(this.criterion, model.sse, model.active.length),
			...how,
		};
		this.judged.set(keyOf(judged.active), judged);
		if (!how.byLinear) this.#models.set(keyOf(judged.active), model);
		return judged;
	}

	save(): SelectionState {
		return {
			judged: [...this.judged.values()],
			path: this.path,
			stage: this.stage,
			queue: this.#queue,
			explored: [...this.#explored],
			combinedAt: this.#combinedAt,
			...(this.#multiples ? { multiples: this.#multiples } : {}),
			iterations: this.iterations,
			...(this.#linearAt
				? { linear: { active: this.#linearAt.active, point: Array.from(this.#linearAt.point) } }
				: {}),
		};
	}

	restore(state: SelectionState, supports: readonly Support[]): void {
		this.#supports = supports;
		for (const judged of state.judged) this.judged.set(keyOf(judged.active), judged);
		this.path.push(...state.path);
		this.stage = state.stage;
		this.#queue = [...state.queue];
		this.#linearAt = state.linear;
		this.#combinedAt = state.combinedAt ?? "";
		this.#multiples = state.multiples && [...state.multiples];
		for (const key of state.explored) this.#explored.add(key);
		this.iterations = state.iterations;
	}
}

/** Terms that are in one set only. */
function distance(a: readonly number[], b: readonly number[]): number {
	const other = new Set(b);
	const common = a.filter((u) => other.has(u)).length;
	return a.length + b.length - 2 * common;
}

function least(all: readonly Judged[], cost: (judged: Judged) => number): Judged {
	return all.reduce((a, b) => (cost(b) < cost(a) ? b : a));
}
