/**
 * Checks a certificate against the model and the data: the sets are those that were declared, the parts cover them, each part that is excluded is excluded by the sample
 * that it names, and what is left is the enclosure, bit for bit. There is no search, no contraction and no paving in it; parts are followed by verified integration,
 * forward only.
 */
import type { Problem } from "../../problem.ts";
import { endless } from "../flow/effort.ts";
import { hullOf } from "../paving/sivia.ts";
import { systemOf } from "../system.ts";
import { guaranteedUnknowns, priorBox } from "../unknowns.ts";
import { type Certificate, digestOf, halves, type ProofTree, type Witness } from "./certificate.ts";
import { Exclusion } from "./exclusion.ts";

export interface Verified {
	readonly holds: boolean;
	/** Why it does not hold. */
	readonly why?: string;
	readonly excluded: number;
	readonly kept: number;
}

/** Parts inside parts, at most: a box of doubles is not halved more often. */
const deepest = 4000;

export function verifyCertificate(certificate: Certificate, problem: Problem): Verified {
	const excluded: { readonly by: Witness; readonly box: Float64Array }[] = [];
	const kept: Float64Array[] = [];
	const fails = (why: string): Verified => ({
		holds: false,
		why,
		excluded: excluded.length,
		kept: kept.length,
	});
	if (digestOf(certificate) !== certificate.digest) return fails("it was changed after it was written");
	const system = systemOf(problem.model);
	const unknowns = guaranteedUnknowns(
		system,
		problem.train.map(({ name }) => name),
	);
	const prior = priorBox(unknowns);
	if (!same(certificate.sets, prior)) return fails("its sets are not those of the model");
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
	const hull = hullOf(kept);
	if (hull ? !same(certificate.enclosure ?? [], hull) : certificate.enclosure !== null)
		return fails("its enclosure is not what its parts leave");
	const wrong = excluded.find(({ by, box }) => !exclusion.of(box, by));
	if (wrong) return fails(notExcluded(wrong.by, problem, wrong.box));
	return { holds: true, excluded: excluded.length, kept: kept.length };
}

function notExcluded({ record, instant }: Witness, { train }: Problem, box: Float64Array): string {
	const where = `instant ${instant} of ${train[record]?.name ?? `record ${record}`}`;
	return `the part from ${Array.from(box.filter((_, i) => i % 2 === 0)).join(", ")} to ${Array.from(box.filter((_, i) => i % 2 === 1)).join(", ")} is not excluded by ${where}`;
}

function same(a: readonly number[], b: Float64Array): boolean {
	return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
