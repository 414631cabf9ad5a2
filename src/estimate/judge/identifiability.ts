/**
 * Can the unknowns be told from what is measured? A direction is open when the outputs change along it by less than their
 * sensitivities are known (`least-squares/null-space.ts`): no noise enters, so no alarm is by chance. Every method says it in
 * these words.
 */
import type { OpenGroup } from "../least-squares/null-space.ts";
import type { Doubt } from "../result.ts";
import { doubt, listSome } from "./words.ts";

/** What is said of an unknown in a word or two. */
export type Verdict =
	| "identifiable"
	/** The estimate sits on a declared bound, and the data hold it there. */
	| "on its bound"
	/** The data show it, but do not bound it. */
	| "practically unidentifiable"
	/** It has part in an open direction. */
	| "structurally unidentifiable";

/** Groups by the names of their members. */
export interface NamedGroup {
	readonly names: readonly string[];
	readonly ways: number;
}

export function namedGroups(groups: readonly OpenGroup[], nameOf: (unknown: number) => string): NamedGroup[] {
	return groups.map(({ members, ways }) => ({ names: members.map(nameOf), ways }));
}

/**
 * In words. `so`: what the method does about it; `remedy`: a better one than the usual; `grave` is false where a prior tells
 * what the data do not.
 */
export function openDoubts(
	groups: readonly NamedGroup[],
	{
		so = "They have no standard deviation.",
		remedy,
		grave = true,
	}: { readonly so?: string; readonly remedy?: string; readonly grave?: boolean } = {},
): Doubt[] {
	const idle = groups.filter(({ names }) => names.length === 1).flatMap(({ names }) => names);
	const together = groups.filter(({ names }) => names.length > 1);
	const [first] = together;
	const ways = together.reduce((sum, group) => sum + group.ways, 0);
	const known = first && first.names.length - first.ways;
	return [
		...(first
			? doubt(
					"unidentifiable",
					together.length === 1
						? `${listSome(first.names)} can only be found together`
						: `${together.length} groups of unknowns can only be found together`,
					`Moving them together leaves every output as it is${together.length === 1 ? `: ${known === 1 ? "one combination of them is" : `${known} combinations of them are`} determined, no more` : `: ${together.map(({ names }) => `(${listSome(names)})`).join("; ")}`}. ${so} ${remedy ?? `Fix ${ways === 1 ? "one of them" : `${ways} of them`} in the model, or measure another output.`}`,
					grave,
				)
			: []),
		...(idle.length > 0
			? doubt(
					"no-effect",
					`${listSome(idle)} ${idle.length === 1 ? "has" : "have"} no effect on any output`,
					"Whatever the value, the prediction is the same, so nothing can be said of it. Remove it from the model, or measure something that it acts on.",
					grave,
				)
			: []),
	];
}
