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
	/** The data show it, but do not bound it, or not on every side. */
	| "practically unidentifiable"
	/** Of a posterior: on the other side it ends only where its prior does. */
	| OneSided
	/** It has part in an open direction. */
	| "structurally unidentifiable";

export type OneSided = "bounded from below only" | "bounded from above only";

/**
 * Prior mass beyond a posterior's median from which on it counts that the posterior goes along with its prior there; and the
 * share of that half of the draws that lies in the outer half of the mass: 1/2 where data say nothing, this where the likelihood
 * has fallen to a third at the prior's end. A normal prior and posterior come to it at 0.78 of the prior's deviation.
 */
const farFromEnd = 0.1;
const outerShare = 0.38;

/** On which sides a posterior ends only where its prior does. `below`: the prior's mass below each of its draws. */
export function openSides(below: Float64Array): { readonly up: boolean; readonly down: boolean } {
	const goesAlong = (sorted: Float64Array): boolean => {
		const n = sorted.length;
		const median = 0.5 * (sorted[(n - 1) >> 1] + sorted[n >> 1]);
		const beyond = sorted.filter((mass) => mass > median);
		const outer = beyond.filter((mass) => mass > 0.5 * (1 + median));
		return 1 - median >= farFromEnd && outer.length >= outerShare * beyond.length;
	};
	return {
		up: goesAlong(below.slice().sort()),
		down: goesAlong(below.map((mass) => 1 - mass).sort()),
	};
}

/** Undefined where both sides are alike. */
export function oneSided(below: Float64Array): OneSided | undefined {
	const { up, down } = openSides(below);
	if (up === down) return undefined;
	return up ? "bounded from below only" : "bounded from above only";
}

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
