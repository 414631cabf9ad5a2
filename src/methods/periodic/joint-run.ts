/**
 * Several periodic records of one model, or several outputs of one record: each is worked on by itself, the later ones from the
 * answer of the first; then one least squares on simulations of all of them, which share the parameters. (A mean of
 * the answers, weighted by their errors, would not do: they lie along a curve, not a line.)
 */
import type { Progress } from "../../estimate/run/progress.ts";
import type { Problem } from "../problem.ts";
import { missesRecord } from "./answer/doubts.ts";
import { isSame } from "./answer/prediction.ts";
import { type PeriodicCheckpoint, PeriodicRun } from "./periodic-run.ts";
import { type Polished, polish } from "./polish/polish.ts";
import { noiseVariances } from "./polish/weights.ts";
import type { PeriodicOptions } from "./question.ts";

export interface JointCheckpoint {
	readonly runs: readonly PeriodicCheckpoint[];
	readonly joined: boolean;
}

/** What there are several of. */
export interface JointPlan {
	readonly noun: "record" | "output";
	readonly count: number;
	/** One of them, as a problem of its own that begins at `start`. */
	part(index: number, start: Readonly<Record<string, number>>): Problem;
	/** All together, from the answers of those at `answered`. */
	join(runs: readonly PeriodicRun[], answered: readonly number[]): Promise<Polished | undefined>;
}

export class JointRun<Plan extends JointPlan = JointPlan> {
	readonly runs: PeriodicRun[] = [];
	#joined: Polished | undefined;
	#done = false;

	private constructor(
		readonly problem: Problem,
		readonly options: PeriodicOptions,
		readonly plan: Plan,
	) {}

	static async of<Plan extends JointPlan>(
		problem: Problem,
		options: PeriodicOptions,
		plan: Plan,
	): Promise<JointRun<Plan>> {
		const joint = new JointRun(problem, options, plan);
		// Every one is looked at before any is worked on: what is wrong with the last is said at once.
		for (let k = 1; k < plan.count; k++) await joint.#runOf(k, problem.start);
		joint.runs.push(await joint.#runOf(0, problem.start));
		return joint;
	}

	/** Parameters and initial values of all; undefined before it is done, and where there is no answer. */
	get joined(): Polished | undefined {
		return this.#joined;
	}
	/** Those that have an answer, by their position. */
	get answered(): number[] {
		return this.runs.flatMap((run, k) => (run.natural && !missesRecord(run) ? [k] : []));
	}

	async advance(): Promise<Progress> {
		const { count, noun } = this.plan;
		const last = this.runs[this.runs.length - 1];
		if (last.phase === "done" && this.runs.length === count) {
			await this.#join();
			return { done: true, fraction: 1, label: `all ${noun}s together` };
		}
		const { done, fraction, label } = await last.advance();
		const place = `${noun} ${this.runs.length} of ${count}`;
		const share = (0.9 * (this.runs.length - 1 + fraction)) / count;
		if (done && this.runs.length < count) await this.#next();
		return { done: false, fraction: share, label: `${place}: ${label}` };
	}

	save(): JointCheckpoint {
		return { runs: this.runs.map((run) => run.save()), joined: this.#done };
	}

	async restore({ runs, joined }: JointCheckpoint): Promise<void> {
		for (const [k, saved] of runs.entries()) {
			if (k > 0) await this.#next();
			await this.runs[k].restore(saved);
		}
		if (joined) await this.#join();
	}

	/** The next one, from the first answer: of several that mirror one another the same one is found. */
	async #next(): Promise<void> {
		const found = this.runs.flatMap(({ natural }) => natural?.params ?? []).reverse();
		const values = Object.fromEntries(found.map(({ name, value }) => [name, value]));
		this.runs.push(await this.#runOf(this.runs.length, { ...this.problem.start, ...values }));
	}

	async #join(): Promise<void> {
		this.#joined = await this.plan.join(this.runs, this.answered);
		this.#done = true;
	}

	#runOf(index: number, start: Readonly<Record<string, number>>): Promise<PeriodicRun> {
		return PeriodicRun.of(this.plan.part(index, start), { ...this.options, polish: false }, this.plan.noun);
	}
}

/** The records of a problem. */
export class RecordsPlan implements JointPlan {
	readonly noun = "record";
	constructor(readonly problem: Problem) {}

	get count(): number {
		return this.problem.train.length;
	}

	part(index: number, start: Readonly<Record<string, number>>): Problem {
		const { problem } = this;
		const test = problem.test.filter(
			({ conditions }) => problem.train.findIndex((each) => isSame(each.conditions, conditions)) === index,
		);
		return { ...problem, train: [problem.train[index]], test, start };
	}

	async join(runs: readonly PeriodicRun[], answered: readonly number[]): Promise<Polished | undefined> {
		if (answered.length === 0) return undefined;
		const train = answered.map((k) => this.problem.train[k]);
		const variances = noiseVariances(
			runs[0].question.model,
			train,
			(k) => runs[answered[k]].question.record.variance,
		);
		const parts = answered.map((k, e) => ({
			question: runs[k].question,
			variances: variances[e],
			natural: runs[k].natural!,
			simulated: runs[k].simulated,
		}));
		return polish({ ...this.problem, train }, parts);
	}
}
