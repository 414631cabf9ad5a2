/** What `all` says in summary.json. */
import type { Agreement } from "../../estimate/result.ts";
import type { FoundTerm } from "./missing-term.ts";

export type AllSummary = {
	/** What each method says, by its name. */
	readonly methods: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	readonly agreement: readonly Agreement[];
	/** A term with which the model explains the data; its text is the name of a file. */
	readonly missingTerm?: FoundTerm;
};
