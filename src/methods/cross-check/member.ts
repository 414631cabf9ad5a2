/** One method inside a cross-check: what it is asked, how far it is, what it answered or why it did not. */
import { InputError } from "../../errors.ts";
import type { Result } from "../../estimate/result.ts";
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import type { Method } from "../method.ts";
import type { GivenOptions } from "../options.ts";
import type { Problem } from "../problem.ts";
import { Session } from "../session.ts";

export interface MemberSpec {
	readonly method: Method;
	readonly problem: Problem;
	/** Options that differ from the method's defaults. */
	readonly options: GivenOptions;
	/** What was assumed so that the method can answer. */
	readonly assumptions: readonly string[];
}

export class Member {
	#session: Session | undefined;
	fraction = 0;
	label = "";
	/** What it did so far, where it counts that. */
	operations = 0;
	done = false;
	result: Result | undefined;
	/** Why there is no answer: what the method said of the model or of the data. */
	refusal: string | undefined;

	constructor(readonly spec: MemberSpec) {}

	get name(): string {
		return this.spec.method.name;
	}
	get glimpse(): Glimpse {
		return this.#session?.glimpse() ?? nothingSeen;
	}

	/** One unit of work of the method. */
	async advance(): Promise<void> {
		await this.#guarded(async () => {
			this.#session ??= await Session.begin(this.spec);
			const { done, fraction, label, operations = 0 } = await this.#session.advance();
			this.fraction = fraction;
			this.operations = operations;
			this.label = label;
			if (done) await this.#finish();
		});
	}

	/** What to go on from; nothing for a method that has not begun or has refused. */
	save(): Uint8Array | undefined {
		return this.refusal ? undefined : this.#session?.save();
	}

	async load(from: Uint8Array, done: boolean): Promise<void> {
		// A state that cannot be read is no answer of the method: whoever asks to go on is to know.
		const session = await Session.begin({ ...this.spec, from });
		this.#session = session;
		if (!done) return;
		await this.#guarded(async () => {
			// A method may save less than its end: what is missing is done again.
			for await (const _ of session.steps());
			await this.#finish();
		});
	}

	refuse(why: string): void {
		this.refusal = why;
		this.fraction = 1;
		this.done = true;
	}

	async #finish(): Promise<void> {
		this.result = await this.#session!.result();
		this.fraction = 1;
		this.done = true;
	}

	/** What one method cannot do must not keep the others from answering; a bug is no refusal, and is seen. */
	async #guarded(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			const { subject, problem, remedy } = error;
			// Where the model's text lies is not for the answer: a run that is gone on with has it elsewhere.
			const isOfModel = subject === this.spec.problem.model.fileName;
			const what = isOfModel ? problem : `${subject}: ${problem}`;
			const said = remedy && !/[.!?:;]$/.test(what) ? `${what}. ${remedy}` : `${what} ${remedy}`.trim();
			this.refuse(said.replace(/\s*\n\s*/g, " "));
		}
	}
}
