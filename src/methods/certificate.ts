/** A proof of an answer that can be checked by itself: what `odentify verify` asks of a method that gives one. */
import type { Problem } from "./problem.ts";

export interface Checked {
	readonly holds: boolean;
	/** All of it was seen by a checker that shares nothing with who wrote it. */
	readonly isIndependent: boolean;
	/** What was confirmed, or why it is refused, for the user. */
	readonly lines: readonly string[];
	/** The same for scripts. */
	readonly found: object;
}

export interface Certificate {
	/** Its file in the run folder. */
	readonly file: string;
	/** How a study asks for it. */
	readonly remedy: string;
	/** Files of the run folder that are to say what the run said. */
	readonly beside: readonly string[];
	/** Throws InputError where the text is none. `beside`: the texts of those files that are there, by name. */
	check(text: string, subject: string, problem: Problem, beside?: Readonly<Record<string, string>>): Checked;
}
