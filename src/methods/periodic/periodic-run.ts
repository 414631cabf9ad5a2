/**
 * A run of the method, advanced step by step:
 *
 *   search   one start after the other, on explicit integrals
 *   adjust   record, period and parameters together, to the most likely answer
 *   check    the answer simulated directly over the record
 *   polish   least squares on simulations, where asked for or where the check fails
 */

import { breathed } from "../../compute/breathing.ts";
import type { Progress } from "../../estimate/run/progress.ts";
import { type PhaseShares, WorkDone } from "../../estimate/run/progress.ts";
import { squared } from "../../num/whole-power.ts";
import type { Problem } from "../problem.ts";
import { type Adjusted, adjust, excessOf } from "./adjustment/adjustment.ts";
import { type Adjuster, tryDirections } from "./adjustment/finite-steps.ts";
import { heldUnknowns, type OpenDirection, openDirections, openNames } from "./adjustment/identifiability.ts";
import { isLoose, scalesOf, type WeakDirection, weakDirections } from "./adjustment/influence.ts";
import { type Natural, naturalOf } from "./adjustment/natural.ts";
import { missesRecord, relativeMisfit } from "./answer/doubts.ts";
import { type Polished, polish } from "./polish/polish.ts";
import { polishedNatural, polishRefusal } from "./polish/polished-answer.ts";
import { leavesRecord, type Simulated, simulateAnswer } from "./polish/simulation.ts";
import { type PeriodicOptions, type Question, questionOf } from "./question.ts";
import { modelSeries } from "./record/model-series.ts";
import { closedFormMirrors } from "./search/closed-form-mirrors.ts";
import { linearUnknowns } from "./search/linear-unknowns.ts";
import { type Given, type Mirror, mirrorsOf } from "./search/mirrors.ts";
import { bestOf, type Found, Objective, search } from "./search/search.ts";
import { startingPoints } from "./search/starts.ts";

type Phase = "search" | "adjust" | "check" | "polish" | "done";

const shares: PhaseShares<Phase> = {
	search: [0, 0.7],
	adjust: [0.7, 0.85],
	check: [0.85, 0.9],
	polish: [0.9, 1],
	done: [1, 1],
};

/** A record by itself, one of several that are polished together, an output among several, or a window of one in which a parameter drifts. */
export type RecordRole = "alone" | "record" | "output" | "window";

export interface PeriodicCheckpoint {
	readonly phase: Phase;
	readonly found: readonly Found[];
}

export class PeriodicRun {
	phase: Phase = "search";
	found: Found[] = [];
	adjusted: Adjusted | undefined;
	natural: Natural | undefined;
	simulated: Simulated | undefined;
	/** Parameters that the record hardly tells apart, and the names of all values that are not known where it matters. */
	weak: readonly WeakDirection[] = [];
	loose: ReadonlySet<string> = new Set();
	polished: Polished | undefined;
	/** Why what polishing found was not taken. */
	polishRefused: string | undefined;
	readonly seconds = { search: 0, adjust: 0 };
	readonly #objective: Objective;
	readonly #starts: Float64Array[];
	/** Unknowns that stay at their start, because others can make up for them. */
	readonly #held: ReadonlySet<number>;
	readonly #linear: readonly number[];
	readonly #work = new WorkDone();
	/** Directions of λ whose errors come from finite steps. */
	#curved: readonly Float64Array[] = [];
	/** Directions of λ of which nothing is known. */
	#untold: readonly Float64Array[] = [];
	/** Directions that the record does not determine, at the answer. */
	open: readonly OpenDirection[] = [];
	/** Other values that explain the record just as well. */
	mirrors: readonly Mirror[] = [];

	static async of(
		problem: Problem,
		options: PeriodicOptions,
		role: RecordRole = "alone",
	): Promise<PeriodicRun> {
		const question = questionOf(problem, options, role === "window");
		const { unknowns, coarse, record } = question;
		const representation = coarse(record.series.c, record.series.omega);
		const objective = new Objective(representation, unknowns);
		const informed = unknowns.every((unknown) => unknown.informed || unknown.kind === "initial");
		const automatic = unknowns.length === 0 ? 1 : informed ? 4 : 16;
		const count = options.starts === "auto" ? automatic : options.starts;
		// Where a start was given it is a good one, and searching from it costs half as much.
		const linear = linearUnknowns(question.form, unknowns).filter(
			(j) => unknowns[j].kind === "initial" || !unknowns[j].informed,
		);
		const { seed, compute } = problem;
		const starts = await startingPoints(objective, representation, unknowns, linear, count, seed, compute);
		return new PeriodicRun(problem, options, question, objective, starts, linear, role);
	}

	private constructor(
		readonly problem: Problem,
		readonly options: PeriodicOptions,
		readonly question: Question,
		objective: Objective,
		starts: Float64Array[],
		linear: readonly number[],
		readonly role: RecordRole,
	) {
		this.#objective = objective;
		this.#starts = starts;
		this.#linear = linear;
		this.#held = heldUnknowns(objective, question.unknowns);
	}

	get starts(): number {
		return this.#starts.length;
	}
	/** The best start so far. */
	get best(): Found | undefined {
		return bestOf(this.found);
	}
	get iterations(): number {
		return this.found.reduce((sum, { iterations }) => sum + iterations, 0) + (this.adjusted?.iterations ?? 0);
	}
	/** Unknowns that are told apart by finite steps only. */
	get curvedNames(): string[][] {
		return this.#curved.map((d) => this.#namesOf(d));
	}
	/** Unknowns of whose difference nothing is known. */
	get untoldNames(): string[] {
		return [...new Set(this.#untold.flatMap((d) => this.#namesOf(d)))];
	}
	#namesOf(d: Float64Array): string[] {
		return this.question.unknowns.flatMap(({ name }, j) => (Math.abs(d[j]) > 0.3 ? [name] : []));
	}
	get evaluations(): number {
		return this.found.reduce((sum, { evaluations }) => sum + evaluations, 0);
	}

	async advance(): Promise<Progress> {
		const start = performance.now();
		switch (this.phase) {
			case "search":
				this.#searchNext();
				this.seconds.search += (performance.now() - start) / 1000;
				break;
			case "adjust":
				await this.#adjust();
				this.seconds.adjust += (performance.now() - start) / 1000;
				break;
			case "check":
				this.#check();
				this.phase = this.natural && (this.options.polish || this.#needsPolish()) ? "polish" : "done";
				break;
			case "polish":
				await this.#polish();
				this.phase = "done";
				break;
			case "done":
		}
		const searched = this.phase === "search" ? this.found.length / this.starts : 0;
		const fraction = this.#work.inPhase(shares[this.phase], searched);
		return { done: this.phase === "done", fraction, label: this.#label() };
	}

	#searchNext(): void {
		this.found.push(this.#searchFrom(this.#starts[this.found.length]));
		if (this.found.length === this.#starts.length || this.#settled())
			this.phase = this.best ? "adjust" : "done";
	}

	#searchFrom(start: Float64Array): Found {
		const { unknowns } = this.question;
		const { optimizer, maxEvaluations } = this.options;
		return search(this.#objective, unknowns, start, optimizer, maxEvaluations, this.#held, this.#linear);
	}

	/** Whether the best start explains the record down to its noise, or to rounding: more starts cannot do better. */
	#settled(): boolean {
		const { best } = this;
		if (best?.outcome !== "converged" || this.options.starts !== "auto") return false;
		return best.cost < this.#explained;
	}

	/** A cost that noise or rounding explains. */
	get #explained(): number {
		const { series, variance } = this.question.record;
		let power = 0;
		for (let m = 1; m < series.c.length; m++) power += squared(series.c[m]) / 2;
		const noise = (variance * (2 * series.harmonics + 1)) / this.question.t.length / power;
		return Math.max(2 * noise, 5e-15);
	}

	async #adjust(): Promise<void> {
		const { record, fine, unknowns, t, y } = this.question;
		const lambda = this.#objective.natural(this.best!.z);
		const series =
			this.options.harmonics === "auto" ? modelSeries(t, y, record, fine, lambda) : record.series;
		const { variance } = this.question;
		const { compute } = this.problem;
		const adjuster: Adjuster = async (from, held) => {
			if (!from.every((value, j) => value >= unknowns[j].lo && value <= unknowns[j].hi)) return undefined;
			const how = { correct: this.options.adjust, bounds: unknowns, held };
			return breathed(adjust(fine, series, from, variance, how), compute);
		};
		this.adjusted = await adjuster(lambda, this.#held);
		if (this.adjusted) {
			// A search that came to nothing has no directions worth a step.
			const isNear = this.best!.outcome === "converged" && relativeMisfit(this.adjusted) < 0.1;
			({
				adjusted: this.adjusted,
				curved: this.#curved,
				untold: this.#untold,
			} = this.options.adjust && isNear
				? await tryDirections(this.adjusted, adjuster, this.#held, variance)
				: { adjusted: this.adjusted, curved: [], untold: [] });
			this.open = openDirections(this.#objective, this.question, this.adjusted.lambda, [
				...this.#curved,
				...this.#untold,
			]);
		}
		if (this.adjusted) {
			const { question, adjusted, problem } = this;
			// Where the record is missed by more than its noise, errors are as large as what is missed.
			const missed = variance * Math.max(1, excessOf(adjusted, variance));
			this.natural = naturalOf(
				{ ...question, record: { variance: missed, degrees: question.record.noise.degrees } },
				adjusted,
				problem.start,
			);
			const representation = question.coarse(record.series.c, record.series.omega);
			const open = new Set(openNames(this.open));
			const { lambda: at } = adjusted;
			const law = new Map(question.model.params.map(({ name, knowledge }) => [name, knowledge.kind]));
			const given: Given = (name) => name in problem.start || law.get(name) === "distribution";
			const closed = new Map(
				this.natural.params.flatMap(({ name, value, from }) =>
					from === "closed form" ? [[name, value] as const] : [],
				),
			);
			this.mirrors = [
				...(await mirrorsOf(compute, representation, unknowns, at, open, given)),
				...closedFormMirrors(
					representation,
					this.#objective,
					question.form,
					unknowns,
					at,
					closed,
					open,
					given,
					this.#explained,
					(z) => this.#searchFrom(z),
				),
			];
		}
		this.phase = "check";
	}

	#check(): void {
		const { natural, question } = this;
		if (!natural) return;
		this.simulated = simulateAnswer(question, natural);
		const { cycle } = this.simulated;
		const scales = cycle.length > 0 ? scalesOf(question, natural, cycle) : undefined;
		if (scales) this.weak = weakDirections(natural, scales, new Set(openNames(this.open)));
		const values = [
			...natural.params,
			...natural.combinations,
			...natural.initial.map((value) => ({ ...value, name: `${value.name}(0)` })),
		];
		this.loose = new Set([
			...values.filter((value) => isLoose(value, scales)).map(({ name }) => name),
			...this.weak.flatMap(({ parts, grave }) => (grave ? parts.map(({ name }) => name) : [])),
		]);
	}

	/** Where the answer's own simulation leaves the record, the integrals have not said all that the record says. */
	#needsPolish(): boolean {
		return this.role === "alone" && !missesRecord(this) && leavesRecord(this.question, this.simulated);
	}

	async #polish(): Promise<void> {
		const { question, natural, simulated, open } = this;
		this.polished = await polish(this.problem, [{ question, natural: natural!, simulated }]);
		this.polishRefused = polishRefusal(this.polished, simulated, open.length);
		if (this.polishRefused !== undefined) return;
		this.natural = polishedNatural(natural!, this.polished, question.record.noise.correlation);
		this.#check();
	}

	save(): PeriodicCheckpoint {
		return { phase: this.phase, found: this.found };
	}

	/** Goes on from a checkpoint: what follows the search is quick, and is done again. */
	async restore({ phase, found }: PeriodicCheckpoint): Promise<void> {
		this.found = [...found];
		if (phase === "search") return;
		this.phase = this.best ? "adjust" : "done";
		while (this.phase !== phase) await this.advance();
	}

	#label(): string {
		const tried = `${this.found.length} of ${this.starts} starts`;
		const { best } = this;
		return best ? `${tried}, best misfit ${Math.sqrt(2 * best.cost).toExponential(1)} of the record` : tried;
	}
}
