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
	done = false;
	result: Result | undefined;
	/** Why there is no answer: what the method said of the model or of the data. */
	refusal: string | undefined;
	/** It ended by an error that nobody foresaw. */
	broken = false;

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
			const { done, fraction, label } = await this.#session.advance();
			this.fraction = fraction;
			this.label = label;
			if (done) await this.#finish();
		});
	}

	/** What to go on from; nothing for a method that has not begun or has refused. */
	save(): Uint8Array | undefined {
		return this.refusal ? undefined : this.#session?.save();
	}

	async load(from: Uint8Array, done: boolean): Promise<void> {
		await this.#guarded(async () => {
			this.#session = await Session.begin({ ...this.spec, from });
			if (!done) return;
			// A method may save less than its end: what is missing is done again.
			for await (const _ of this.#session.steps());
			await this.#finish();
		});
	}

	refuse(why: string, broken = false): void {
		this.refusal = why;
		this.broken = broken;
		this.fraction = 1;
		this.done = true;
	}

	async #finish(): Promise<void> {
		this.result = await this.#session!.result();
		this.fraction = 1;
		this.done = true;
	}

	/** What one method cannot do must not keep the others from answering. */
	async #guarded(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			const broken = !(error instanceof InputError);
			this.refuse(error instanceof Error ? error.message.replace(/\s*\n\s*/g, " ") : String(error), broken);
		}
	}
}
