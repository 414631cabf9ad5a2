/**
 * Other values that do exactly what the answer does: a hidden state may be seen from its other end (q as 1 - q turns signs,
 * since tanh is odd), and states in a row may change places. No sensitivity shows this; so signs are turned and values
 * exchanged at the answer, and it is seen whether ŷ minds.
 */
import type { Compute } from "../../../compute/compute.ts";
import type { Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { squared } from "../../../num/whole-power.ts";
import { sumsOfSquares } from "../observer/batch.ts";
import type { Representation } from "../observer/representation.ts";

export interface Mirror {
	readonly how: "sign" | "exchange";
	/** Unknowns that change. */
	readonly names: readonly string[];
	/** Whether starts or declarations chose this answer among the others. */
	readonly chosen: boolean;
}

/** Whether the study or a distribution says where a parameter is; a range that holds both answers says nothing. */
export type Given = (name: string) => boolean;

interface Candidate {
	readonly how: Mirror["how"];
	readonly at: readonly number[];
	readonly lambda: Float64Array;
}

/** All sets of signs for up to so many unknowns; beyond that one and two at a time. */
const mostTogether = 9;

/** `open`: names of unknowns that are not determined at all. */
export async function mirrorsOf(
	compute: Compute,
	representation: Representation,
	unknowns: readonly Unknown[],
	lambda: Float64Array,
	open: ReadonlySet<string>,
	given: Given,
): Promise<Mirror[]> {
	const candidates = [...signs(unknowns, lambda, open), ...exchanges(unknowns, lambda, open)];
	if (candidates.length === 0) return [];
	const batch = 1 + candidates.length;
	const p = lambda.length;
	const all = new Float64Array(p * batch);
	[lambda, ...candidates.map((candidate) => candidate.lambda)].forEach((point, b) => {
		for (let i = 0; i < p; i++) all[i * batch + b] = point[i];
	});
	const sse = await sumsOfSquares(compute, representation, all);
	const { starts } = representation.y;
	const mean = starts.reduce((a, b) => a + b, 0) / starts.length;
	const size = starts.reduce((sum, y) => sum + squared(y - mean), 0);
	// The quick exponentials of the batch leave about 1e-11 of the record.
	const limit = 1.0001 * sse[0] + 1e-20 * size;
	const found: Mirror[] = [];
	candidates.forEach(({ how, at }, k) => {
		const names = at.map((i) => unknowns[i].name);
		// What two smaller ones do together is nothing new.
		const made = new Set(
			found.flatMap((one) => (one.names.every((name) => names.includes(name)) ? one.names : [])),
		);
		if (!(sse[k + 1] <= limit) || made.size === names.length) return;
		found.push({ how, names, chosen: isChosen(unknowns, lambda, candidates[k], given) });
	});
	return found;
}

/** Whether the starts lie nearer to the answer than to its mirror: equal starts, or one at zero, choose nothing. */
export function isChosen(
	unknowns: readonly Unknown[],
	lambda: Float64Array,
	{ at, lambda: mirror }: Pick<Candidate, "at" | "lambda">,
	given: Given,
): boolean {
	const far = (point: Float64Array): number =>
		at.reduce(
			(sum, i) => sum + squared((unknowns[i].start - point[i]) / (Math.abs(lambda[i]) + Math.abs(mirror[i]))),
			0,
		);
	return at.every((i) => given(unknowns[i].name)) && far(lambda) < 0.99 * far(mirror);
}

export function isAllowed({ lo, hi }: Unknown, value: number): boolean {
	return value >= lo && value <= hi;
}

/** Sets of unknowns with the other sign, small sets first. */
function signs(unknowns: readonly Unknown[], lambda: Float64Array, open: ReadonlySet<string>): Candidate[] {
	const free = unknowns.flatMap((unknown, i) =>
		unknown.kind === "param" && !open.has(unknown.name) && lambda[i] !== 0 && isAllowed(unknown, -lambda[i])
			? [i]
			: [],
	);
	let sets: number[][] = [[]];
	for (const i of free)
		sets = sets.concat(
			sets.flatMap((set) => (free.length <= mostTogether || set.length < 2 ? [[...set, i]] : [])),
		);
	return sets
		.slice(1)
		.sort((a, b) => a.length - b.length)
		.map((at) => ({
			how: "sign",
			at,
			lambda: lambda.map((value, i) => (at.includes(i) ? -value : value)),
		}));
}

function exchanges(
	unknowns: readonly Unknown[],
	lambda: Float64Array,
	open: ReadonlySet<string>,
): Candidate[] {
	const candidates: Candidate[] = [];
	for (let i = 0; i < lambda.length; i++)
		for (let j = i + 1; j < lambda.length; j++) {
			const [a, b] = [unknowns[i], unknowns[j]];
			if (a.kind !== "param" || b.kind !== "param" || open.has(a.name) || open.has(b.name)) continue;
			if (!(Math.abs(lambda[i] - lambda[j]) > 1e-3 * Math.abs(lambda[i]))) continue;
			if (!isAllowed(a, lambda[j]) || !isAllowed(b, lambda[i])) continue;
			const exchanged = lambda.slice();
			[exchanged[i], exchanged[j]] = [lambda[j], lambda[i]];
			candidates.push({ how: "exchange", at: [i, j], lambda: exchanged });
		}
	return candidates;
}
