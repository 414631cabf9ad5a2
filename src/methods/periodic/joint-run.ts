/**
 * Several periodic records of one model: each is worked on by itself, with its own period and hidden states, the later ones
 * from the answer of the first; then one least squares on simulations of all of them, which share the parameters. (A mean of
 * the answers, weighted by their errors, would not do: they lie along a curve, not a line.)
 */
import type { Progress } from "../../estimate/run/progress.ts";
import type { Problem } from "../problem.ts";
import { missesRecord } from "./answer/doubts.ts";
import { isSame } from "./answer/prediction.ts";
import { type PeriodicCheckpoint, PeriodicRun } from "./periodic-run.ts";
import { type Polished, polish } from "./polish/polish.ts";
import type { PeriodicOptions } from "./question.ts";

export interface JointCheckpoint {
	readonly runs: readonly PeriodicCheckpoint[];
	readonly joined: boolean;
}

export class JointRun {
	readonly runs: PeriodicRun[] = [];
	#joined: Polished | undefined;
	#done = false;

	private constructor(
		readonly problem: Problem,
		readonly options: PeriodicOptions,
	) {}

	static async of(problem: Problem, options: PeriodicOptions): Promise<JointRun> {
		// Every record is looked at before any is worked on: what is wrong with the last is said at once.
		for (let k = 1; k < problem.train.length; k++) await runOf(problem, options, k, problem.start);
		const joint = new JointRun(problem, options);
		joint.runs.push(await runOf(problem, options, 0, problem.start));
		return joint;
	}

	/** Parameters and initial values of all; undefined before it is done, and where no record has an answer. */
	get joined(): Polished | undefined {
		return this.#joined;
	}
	/** Records that have an answer, by their position in the data. */
	get answered(): number[] {
		return this.runs.flatMap((run, k) => (run.natural && !missesRecord(run) ? [k] : []));
	}

	async advance(): Promise<Progress> {
		const { length } = this.problem.train;
		const last = this.runs[this.runs.length - 1];
		if (last.phase === "done" && this.runs.length === length) {
			await this.#join();
			return { done: true, fraction: 1, label: "all records together" };
		}
		const { done, fraction, label } = await last.advance();
		const place = `record ${this.runs.length} of ${length}`;
		const share = (0.9 * (this.runs.length - 1 + fraction)) / length;
		if (done && this.runs.length < length) await this.#next();
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

	/** The next record, from the first answer: of several that mirror one another the same one is found. */
	async #next(): Promise<void> {
		const answer = this.runs.find(({ natural }) => natural)?.natural;
		const found = Object.fromEntries(answer?.params.map(({ name, value }) => [name, value]) ?? []);
		const start = { ...this.problem.start, ...found };
		this.runs.push(await runOf(this.problem, this.options, this.runs.length, start));
	}

	async #join(): Promise<void> {
		const { answered, problem, runs } = this;
		const train = answered.map((k) => problem.train[k]);
		const parts = answered.map((k) => ({
			question: runs[k].question,
			natural: runs[k].natural!,
			simulated: runs[k].simulated,
		}));
		if (parts.length > 0) this.#joined = await polish({ ...problem, train }, parts);
		this.#done = true;
	}
}

function runOf(
	problem: Problem,
	options: PeriodicOptions,
	index: number,
	start: Readonly<Record<string, number>>,
): Promise<PeriodicRun> {
	const train = [problem.train[index]];
	const test = problem.test.filter(
		({ conditions }) => problem.train.findIndex((each) => isSame(each.conditions, conditions)) === index,
	);
	return PeriodicRun.of({ ...problem, train, test, start }, { ...options, polish: false }, "joined");
}
