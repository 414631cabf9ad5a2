/**
 * Checks a certificate against the model and the data: the sets are those that were declared, the parts cover them, each part that is excluded is excluded by the sample
 * that it names, and what is left is the enclosure, bit for bit. There is no search, no contraction and no paving in it. Parts are followed by the checker, which shares no code with the solver;
 * those of which the certificate says that only the solver's own integration excludes them, by that, and they are counted apart.
 */
import type { Problem } from "../../problem.ts";
import { endless } from "../flow/effort.ts";
import { systemOf } from "../system.ts";
import { guaranteedUnknowns, priorBox } from "../unknowns.ts";
import { type Certificate, digestOf, halves, type ProofTree, type Witness } from "./certificate.ts";
import { checkerOf, isAround } from "./checker/checker.ts";
import { Exclusion } from "./exclusion.ts";

export interface Verified {
	readonly holds: boolean;
	/** Why it does not hold. */
	readonly why?: string;
	/** Parts that the checker excludes. */
	readonly excluded: number;
	/** Parts that only the solver's integration excludes. */
	readonly bySolver: number;
	readonly kept: number;
	/** What of the model the checker does not know. */
	readonly unknown?: string;
}

/** Parts inside parts, at most: a box of doubles is not halved more often. */
const deepest = 4000;

export function verifyCertificate(certificate: Certificate, problem: Problem): Verified {
	const excluded: { readonly by: Witness; readonly box: Float64Array }[] = [];
	const kept: Float64Array[] = [];
	const fails = (why: string): Verified => ({
		holds: false,
		why,
		...counts(),
	});
	const counts = () => ({
		excluded: excluded.filter(({ by }) => by.by === "checker").length,
		bySolver: excluded.filter(({ by }) => by.by !== "checker").length,
		kept: kept.length,
	});
	if (digestOf(certificate) !== certificate.digest) return fails("it was changed after it was written");
	const system = systemOf(problem.model);
	const unknowns = guaranteedUnknowns(
		system,
		problem.train.map(({ name }) => name),
	);
	const names = unknowns.map(({ name }) => name);
	if (
		names.length !== certificate.unknowns.length ||
		names.some((name, k) => name !== certificate.unknowns[k])
	)
		return fails("its unknowns are not those of the model");
	const prior = priorBox(unknowns);
	if (!same(certificate.sets, prior)) return fails("its sets are not those of the model");
	const { checker, unknown } = checkerOf(problem.model, problem.train);
	const isDeclared = checker?.sets.every((set, k) => isAround(prior[2 * k], prior[2 * k + 1], set));
	if (checker && !(isDeclared && 2 * checker.sets.length === prior.length))
		return fails("its sets do not hold those of the model");
	const { order, timeOrder, tolerance } = certificate;
	const exclusion = new Exclusion(system, problem, unknowns, {
		order,
		timeOrder,
		tolerance,
		spending: endless(),
	});
	const waiting: { readonly tree: ProofTree; readonly box: Float64Array; readonly depth: number }[] = [
		{ tree: certificate.tree, box: prior, depth: 0 },
	];
	for (let next = waiting.pop(); next; next = waiting.pop()) {
		const { tree, box, depth } = next;
		if (tree === null || typeof tree !== "object" || depth > deepest) return fails("a part is no part");
		if ("cut" in tree) {
			if (tree.cut === null || typeof tree.cut !== "object") return fails("a part is no part");
			const { unknown, at } = tree.cut;
			const isInside =
				Number.isInteger(unknown) && unknown >= 0 && box[2 * unknown] < at && at < box[2 * unknown + 1];
			if (!isInside || tree.parts?.length !== 2) return fails("a cut is not inside its part");
			halves(box, unknown, at).forEach((half, i) => {
				waiting.push({ tree: tree.parts[i], box: half, depth: depth + 1 });
			});
		} else if ("excluded" in tree) {
			if (tree.excluded === null || typeof tree.excluded !== "object") return fails("a part is no part");
			excluded.push({ by: tree.excluded, box });
		} else kept.push(box);
	}
	const bySolver = excluded.filter(({ by }) => by.by !== "checker");
	const left = [kept, [...kept, ...bySolver.map(({ box }) => box)]].map(around);
	for (const [i, said] of [certificate.enclosure, certificate.checked].entries()) {
		const found = left[i];
		if (found ? !same(said ?? [], found) : said !== null)
			return fails("its enclosure is not what its parts leave");
	}
	const wrong = excluded.find(
		({ by, box }) => !(by.by === "checker" ? checker?.excludes(box, by) : exclusion.of(box, by)),
	);
	if (wrong) return fails(notExcluded(wrong.by, problem, wrong.box));
	return { holds: true, ...counts(), ...(unknown ? { unknown } : {}) };
}

/** The least box around some; undefined of none. */
function around(boxes: readonly Float64Array[]): Float64Array | undefined {
	return boxes[0]?.map((_, i) =>
		boxes.reduce((end, box) => (i % 2 === 0 ? Math.min(end, box[i]) : Math.max(end, box[i])), boxes[0][i]),
	);
}

function notExcluded({ record, instant }: Witness, { train }: Problem, box: Float64Array): string {
	const where = `instant ${instant} of ${(Number.isInteger(record) ? train[record]?.name : undefined) ?? `record ${record}`}`;
	return `the part from ${Array.from(box.filter((_, i) => i % 2 === 0)).join(", ")} to ${Array.from(box.filter((_, i) => i % 2 === 1)).join(", ")} is not excluded by ${where}`;
}

function same(a: readonly number[], b: Float64Array): boolean {
	return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
