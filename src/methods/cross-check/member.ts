/** One method inside a cross-check: what it is asked, how far it is, what it answered or why it did not. */
import { InputError } from "../../errors.ts";
import type { Result } from "../../estimate/result.ts";
import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import type { Method } from "../method.ts";
import { defaultOptions, type OptionTable, type OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";

export interface MemberSpec {
	readonly method: Method;
	readonly problem: Problem;
	/** Options that differ from the method's defaults. */
	readonly options: Readonly<Record<string, unknown>>;
	/** What was assumed so that the method can answer. */
	readonly assumptions: readonly string[];
}

export class Member {
	#state: unknown;
	fraction = 0;
	label = "";
	done = false;
	result: Result | undefined;
	/** Why there is no answer: what the method said of the model or of the data. */
	refusal: string | undefined;

	constructor(readonly spec: MemberSpec) {}

	get name(): string {
		return this.spec.method.name;
	}
	get #options(): OptionValues<OptionTable> {
		const { method, options } = this.spec;
		return { ...defaultOptions(method.options), ...options } as OptionValues<OptionTable>;
	}

	/** One unit of work of the method. */
	async advance(): Promise<void> {
		const { method, problem } = this.spec;
		await this.#guarded(async () => {
			this.#state ??= await method.prepare(problem, this.#options);
			const { done, fraction, label } = await method.advance(this.#state);
			this.fraction = fraction;
			this.label = label;
			if (done) await this.#finish();
		});
	}

	get glimpse(): Glimpse {
		return this.#state === undefined ? nothingSeen : this.spec.method.glimpse(this.#state);
	}

	/** What to go on from; nothing for a method that has not begun or has refused. */
	save(): Uint8Array | undefined {
		return this.#state === undefined || this.refusal ? undefined : this.spec.method.save(this.#state);
	}

	async load(bytes: Uint8Array, done: boolean): Promise<void> {
		const { method, problem } = this.spec;
		// A state that cannot be read is no answer of the method: whoever asks to go on is to know.
		this.#state = await method.load(problem, this.#options, bytes);
		if (!done) return;
		await this.#guarded(async () => {
			// A method may save less than its end: what is missing is done again.
			while (!(await method.advance(this.#state)).done);
			await this.#finish();
		});
	}

	refuse(why: string): void {
		this.refusal = why;
		this.fraction = 1;
		this.done = true;
	}

	async #finish(): Promise<void> {
		this.result = await this.spec.method.result(this.#state);
		this.fraction = 1;
		this.done = true;
	}

	/** What one method cannot do must not keep the others from answering; a bug is no refusal, and is seen. */
	async #guarded(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			this.refuse(error.message.replace(/\s*\n\s*/g, " "));
		}
	}
}
