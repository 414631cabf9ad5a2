/**
 * All methods on one question, one after the other; then what their answers give reason to ask:
 *
 *   blame    the proved set is empty: without which output is it not?
 *   search   the model does not explain the data: which term would?
 */
import { operationsPerSecond } from "../../compute/work.ts";
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import { type Progress, WorkDone } from "../../estimate/run/progress.ts";
import { fromBase64, toBase64 } from "../../num/base64.ts";
import type { Method } from "../method.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { type Candidate, candidatesFor } from "./candidate-terms.ts";
import { Member } from "./member.ts";
import { membersFor } from "./members.ts";
import { explainedBy } from "./misfit-test.ts";
import { bestTerm, type FoundTerm, type Trial } from "./missing-term.ts";
import { sigmasFor } from "./noise-bound.ts";
import type { crossCheckOptions } from "./options.ts";
import { withoutOutput } from "./without-output.ts";

export type CrossCheckOptions = OptionValues<typeof crossCheckOptions>;

/** Shares of the progress bar. */
const share = { members: 0.85, blame: 0.05 };

export class CrossCheckRun {
	readonly members: readonly Member[];
	/** For each output: the proved set without it, once that is asked. */
	blame: readonly { readonly output: string; readonly member: Member }[] | undefined;
	found: FoundTerm | undefined;
	/** Terms that were tried. */
	readonly trials: Trial[] = [];
	#waiting: Candidate[] | undefined;
	#trial: { readonly candidate: Candidate; readonly member: Member } | undefined;
	/** Operations of the trials that are over. */
	#tried = 0;
	readonly #work = new WorkDone();
	done = false;

	constructor(
		methods: readonly Method[],
		readonly problem: Problem,
		readonly options: CrossCheckOptions,
	) {
		const { sigmas } = options;
		const nSamples = problem.train.reduce((sum, { outputs }) => {
			for (const { values } of outputs.values()) sum += values.length;
			return sum;
		}, 0);
		this.members = membersFor(methods, problem, sigmas === "auto" ? sigmasFor(nSamples) : sigmas);
	}

	member(name: string): Member | undefined {
		return this.members.find((each) => each.name === name);
	}

	/** That of the method that is asked now, under its name. */
	get glimpse(): Glimpse {
		const member = this.members.find((each) => !each.done);
		const { figures, levels } = member?.glimpse ?? nothingSeen;
		const named = <T extends { readonly title: string }>(seen: T): T => ({
			...seen,
			title: `${member!.name}: ${seen.title}`,
		});
		return { figures: figures.map(named), ...(levels ? { levels: named(levels) } : {}) };
	}

	async advance(): Promise<Progress> {
		const member = this.members.find((each) => !each.done);
		if (member) {
			await member.advance();
			return this.#progress(`${member.name}: ${member.refusal ?? member.label}`);
		}
		this.blame ??= this.#blameMembers();
		const asked = this.blame.find((each) => !each.member.done);
		if (asked) {
			await asked.member.advance();
			return this.#progress(`guaranteed without ${asked.output}`);
		}
		this.#waiting ??= this.#searched() ? candidatesFor(this.problem.model, this.#sizeOf) : [];
		if (await this.#try()) return this.#progress(`looking for a missing term: ${this.trials.length} tried`);
		if (this.trials.length > 0) this.found = bestTerm(explainedBy(this.member("fit")!.result!), this.trials);
		this.done = true;
		return this.#progress("compared");
	}

	/** One unit of work on the terms; false when there is none left. */
	async #try(): Promise<boolean> {
		if (this.#isSpent) return false;
		const { method, problem, options } = this.member("fit")?.spec ?? {};
		const next = this.#trial ? undefined : this.#waiting!.shift();
		if (next && method && problem)
			this.#trial = {
				candidate: next,
				member: new Member({
					method,
					problem: { ...problem, model: next.model, start: this.#fitted() },
					options: { ...options, profile: false, starts: 4, candidates: 32 },
					assumptions: [],
				}),
			};
		if (!this.#trial) return false;
		const { candidate, member } = this.#trial;
		await member.advance();
		if (!member.done) return true;
		if (member.result) this.trials.push({ candidate, result: member.result });
		this.#tried += member.operations;
		this.#trial = undefined;
		return true;
	}

	/** Whether the trials took as long as they may. */
	get #isSpent(): boolean {
		return this.#tried + (this.#trial?.member.operations ?? 0) >= operationsPerSecond * this.options.effort;
	}

	/** Changes that were not tried, since the effort was spent. */
	get untried(): number {
		return (this.#waiting?.length ?? 0) + (this.#trial ? 1 : 0);
	}

	/** The parameters as fitted: where the search for one more begins. */
	#fitted(): Record<string, number> {
		const { result } = this.member("fit")!;
		const names = new Set(this.problem.model.params.map(({ name }) => name));
		return Object.fromEntries(
			result!.parameters.flatMap(({ name, estimate }) => (names.has(name) ? [[name, estimate]] : [])),
		);
	}

	#blameMembers(): { output: string; member: Member }[] {
		const { measures } = this.problem.model;
		const guaranteed = this.member("guaranteed");
		if (guaranteed?.result?.outcome !== "refuted" || measures.length < 2) return [];
		return measures.map(({ name }) => ({
			output: name,
			member: new Member({ ...guaranteed.spec, problem: withoutOutput(guaranteed.spec.problem, name) }),
		}));
	}

	/** Whether there is something that the model leaves unexplained; one bad output, or a term, may be the reason. */
	#searched(): boolean {
		const { result } = this.member("fit") ?? {};
		if (!this.options.missingTerm || !result?.answered || this.problem.model.unknowns.length > 0)
			return false;
		if (this.refutedAtOnce) return false;
		// Doses are in no text that a term could be added to; and a law of many records takes long to fit once.
		if (this.problem.model.doses || this.problem.model.params.some(({ byRecord }) => byRecord)) return false;
		const isRefuted = this.member("guaranteed")?.result?.outcome === "refuted";
		return isRefuted || explainedBy(result).strange.length > 0;
	}

	/** The set is empty where the record begins, and initial values are known: no term of an equation is to blame for that. */
	get refutedAtOnce(): boolean {
		const { model, train } = this.problem;
		const empty = this.member("guaranteed")?.result?.summary.empty as { t: number } | undefined;
		return (
			empty !== undefined &&
			train.some(({ times }) => times[0] === empty.t) &&
			model.initial.every(({ kind }) => kind === "exact")
		);
	}

	/** Root mean square of a state that is measured; 1 of others. */
	readonly #sizeOf = (component: string): number => {
		const measure = this.problem.model.measures.find(({ value }) => value.name === component);
		const values = this.problem.train.flatMap(({ outputs }) =>
			measure ? [...(outputs.get(measure.name)?.values ?? [])] : [],
		);
		return Math.sqrt(values.reduce((sum, y) => sum + y * y, 0) / values.length) || 1;
	};

	#progress(label: string): Progress {
		const mean = (parts: readonly Member[]): number =>
			parts.length === 0 ? 1 : parts.reduce((sum, { fraction }) => sum + fraction, 0) / parts.length;
		const left = this.#waiting?.length ?? 0;
		const tried = this.trials.length / Math.max(this.trials.length + left, 1);
		const now = this.done
			? 1
			: share.members * mean(this.members) +
				(this.blame ? share.blame * mean(this.blame.map(({ member }) => member)) : 0) +
				(1 - share.members - share.blame) * tried;
		return { done: this.done, fraction: this.#work.rise(now), label };
	}

	/** The states of the methods; what is asked after them is asked again. */
	save(): string {
		return JSON.stringify(
			this.members.map((member) => {
				const bytes = member.save();
				return bytes ? { done: member.done, state: toBase64(bytes) } : { refusal: member.refusal ?? null };
			}),
		);
	}

	async restore(text: string): Promise<void> {
		const saved = JSON.parse(text) as { done?: boolean; state?: string; refusal?: string | null }[];
		if (saved.length !== this.members.length)
			throw new Error(`${saved.length} states for ${this.members.length} methods`);
		for (const [i, { done, state, refusal }] of saved.entries()) {
			if (state !== undefined) await this.members[i].load(fromBase64(state), done!);
			else if (refusal) this.members[i].refuse(refusal);
		}
	}
}
