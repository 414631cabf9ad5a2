/**
 * A run of the method, advanced step by step:
 *
 *   search   one start after the other, on explicit integrals
 *   adjust   record, period and parameters together, to the most likely answer
 *   check    the answer simulated directly over the record
 *   polish   (optional) least squares on simulations
 */
import type { Progress } from "../method.ts";
import type { Problem } from "../problem.ts";
import { type Adjusted, adjust, excessOf } from "./adjustment.ts";
import { heldUnknowns, type OpenDirection, openDirections, openNames } from "./identifiability.ts";
import { isLoose, scalesOf, type WeakDirection, weakDirections } from "./influence.ts";
import { linearUnknowns } from "./linear-unknowns.ts";
import { type Mirror, mirrorsOf } from "./mirrors.ts";
import { modelSeries } from "./model-series.ts";
import { type Natural, naturalOf } from "./natural.ts";
import { type Polished, polish } from "./polish.ts";
import { type PeriodicOptions, type Question, questionOf } from "./question.ts";
import { bestOf, type Found, Objective, search } from "./search.ts";
import { type Simulated, simulateAnswer } from "./simulation.ts";
import { startingPoints } from "./starts.ts";

type Phase = "search" | "adjust" | "check" | "polish" | "done";

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
	readonly seconds = { search: 0, adjust: 0 };
	readonly #objective: Objective;
	readonly #starts: Float64Array[];
	/** Unknowns that stay at their start, because others can make up for them. */
	readonly #held: ReadonlySet<number>;
	readonly #linear: readonly number[];
	/** Directions that the record does not determine, at the answer. */
	open: readonly OpenDirection[] = [];
	/** Other values that explain the record just as well. */
	mirrors: readonly Mirror[] = [];

	static async of(problem: Problem, options: PeriodicOptions): Promise<PeriodicRun> {
		const question = questionOf(problem, options);
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
		return new PeriodicRun(problem, options, question, objective, starts, linear);
	}

	private constructor(
		readonly problem: Problem,
		readonly options: PeriodicOptions,
		readonly question: Question,
		objective: Objective,
		starts: Float64Array[],
		linear: readonly number[],
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
				this.phase = this.options.polish && this.natural ? "polish" : "done";
				break;
			case "polish":
				this.polished = await polish(this.problem.train, [
					{ question: this.question, natural: this.natural! },
				]);
				this.phase = "done";
				break;
			case "done":
		}
		const share = {
			search: (0.7 * this.found.length) / this.starts,
			adjust: 0.7,
			check: 0.85,
			polish: 0.9,
			done: 1,
		};
		return { done: this.phase === "done", fraction: share[this.phase], label: this.#label() };
	}

	#searchNext(): void {
		const { unknowns } = this.question;
		const { optimizer, maxEvaluations } = this.options;
		const start = this.#starts[this.found.length];
		this.found.push(
			search(this.#objective, unknowns, start, optimizer, maxEvaluations, this.#held, this.#linear),
		);
		if (this.found.length === this.#starts.length || this.#settled())
			this.phase = this.best ? "adjust" : "done";
	}

	/** Whether the best start explains the record down to its noise, or to rounding: more starts cannot do better. */
	#settled(): boolean {
		const { best } = this;
		if (best?.outcome !== "converged" || this.options.starts !== "auto") return false;
		const { series, variance } = this.question.record;
		let power = 0;
		for (let m = 1; m < series.c.length; m++) power += series.c[m] ** 2 / 2;
		const noise = (variance * (2 * series.harmonics + 1)) / this.question.t.length / power;
		return 2 * best.cost < Math.max(4 * noise, 1e-14);
	}

	async #adjust(): Promise<void> {
		const { record, fine, unknowns, t, y } = this.question;
		const lambda = this.#objective.natural(this.best!.z);
		const series =
			this.options.harmonics === "auto" ? modelSeries(t, y, record, fine, lambda) : record.series;
		this.adjusted = adjust(fine, series, lambda, this.question.variance, {
			correct: this.options.adjust,
			bounds: unknowns,
			held: this.#held,
		});
		this.open = this.adjusted ? openDirections(this.#objective, this.question, this.adjusted.lambda) : [];
		if (this.adjusted) {
			const { question, adjusted, problem } = this;
			// Where the record is missed by more than its noise, errors are as large as what is missed.
			const variance = question.variance * Math.max(1, excessOf(adjusted, question.variance));
			this.natural = naturalOf({ ...question, record: { variance } }, adjusted, problem.start);
			const representation = question.coarse(record.series.c, record.series.omega);
			const open = new Set(openNames(this.open));
			this.mirrors = await mirrorsOf(problem.compute, representation, unknowns, adjusted.lambda, open);
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
