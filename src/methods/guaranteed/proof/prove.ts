/** The certificate of a run that is done: what is around its enclosure, cut until samples exclude it. */
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { hullOf } from "../paving/sivia.ts";
import { type Certificate, digestOf, halves, type ProofTree } from "./certificate.ts";
import { checkerOf } from "./checker/checker.ts";
import { Exclusion } from "./exclusion.ts";

/** Beside the enclosure so much of its sides is kept: what is right at its ends takes many cuts. */
const slack = 0.02;

export function prove(run: GuaranteedRun, most: number, said: Certificate["said"]): Certificate {
	const { order, options, prior, unknowns } = run;
	const { timeOrder, tolerance } = options;
	const exclusion = new Exclusion(run.system, run.problem, unknowns, { order, timeOrder, tolerance });
	const { checker } = checkerOf(run.problem.model, run.problem.train);
	const kept: Float64Array[] = [];
	const unchecked: Float64Array[] = [];
	const leave = (box: Float64Array): ProofTree => {
		kept.push(box);
		return { kept: true };
	};
	const ends = run.enclosure ? target(run.enclosure, prior) : undefined;
	const exclude = (box: Float64Array, tries: { left: number }): ProofTree => {
		tries.left--;
		const excluded = exclusion.of(box);
		const checked = excluded && checker?.excludes(box);
		if (checked) return { excluded: { ...checked, by: "checker" } };
		const side = widest(box, prior);
		const at = box[2 * side] / 2 + box[2 * side + 1] / 2;
		const isCut = tries.left >= 2 && box[2 * side] < at && at < box[2 * side + 1];
		if (excluded && !(checker && isCut)) {
			unchecked.push(box);
			return { excluded: { ...excluded, by: "solver" } };
		}
		if (!isCut) return leave(box);
		const [lower, upper] = halves(box, side, at);
		return { cut: { unknown: side, at }, parts: [exclude(lower, tries), exclude(upper, tries)] };
	};
	/** From end `i` on: what is beyond each end is excluded, the rest goes on. */
	const peel = (box: Float64Array, i: number): ProofTree => {
		if (i === box.length) return leave(box);
		const at = ends![i];
		const side = i >> 1;
		if (!(box[2 * side] < at && at < box[2 * side + 1])) return peel(box, i + 1);
		const [lower, upper] = halves(box, side, at);
		const tries = { left: Math.ceil(most / box.length) };
		return {
			cut: { unknown: side, at },
			parts:
				i % 2 === 0
					? [exclude(lower, tries), peel(upper, i + 1)]
					: [peel(lower, i + 1), exclude(upper, tries)],
		};
	};
	const tree = ends ? peel(prior.slice(), 0) : exclude(prior.slice(), { left: most });
	const hull = hullOf(kept);
	const checked = hullOf([...kept, ...unchecked]);
	const certificate = {
		form: 4 as const,
		unknowns: unknowns.map(({ name }) => name),
		sets: [...prior],
		enclosure: hull ? [...hull] : null,
		checked: checked ? [...checked] : null,
		order,
		timeOrder,
		tolerance,
		tree,
		said,
	};
	return { ...certificate, digest: digestOf(certificate) };
}

/** The enclosure with some slack, inside the sets. */
function target(box: Float64Array, prior: Float64Array): Float64Array {
	return box.map((end, i) => {
		const wide = slack * (box[i | 1] - box[i & ~1]);
		return i % 2 === 0 ? Math.max(end - wide, prior[i]) : Math.min(end + wide, prior[i]);
	});
}

function widest(box: Float64Array, prior: Float64Array): number {
	let side = 0;
	const share = (k: number): number =>
		(box[2 * k + 1] - box[2 * k]) / (prior[2 * k + 1] - prior[2 * k] + 1e-300);
	for (let k = 1; 2 * k < box.length; k++) if (share(k) > share(side)) side = k;
	return side;
}
