/**
 * What samples tell where their errors have another size than was declared. Under a normal law the size is a factor; under
 * Student's or Laplace's what an error counts depends on it. For errors e with slopes ψ(e) of their log density, an estimate that
 * solves Σψ = 0 has the variance E ψ² / (E ψ')²: in units of the information E ψ' that is v = E ψ² / E ψ'. If errors follow the law at c
 * times the declared size, E ψ' = E ψ(e) ψ(e/c)/c by parts: it is taken from the residuals so, which are positive terms, and c is
 * the most likely size. At the declared size v = 1 and E ψ' is Fisher's information.
 *
 * Reference: Huber, "The behavior of maximum likelihood estimates under nonstandard conditions", Proc. Fifth Berkeley Symp. 1, 1967.
 */
import { squared } from "../../num/whole-power.ts";
import type { NoiseLaw } from "../law/law.ts";
import type { Observations, OutputGroup } from "./observations.ts";
import { isPlain, numbers } from "./sample-terms.ts";

export interface SeenInformation {
	/** Of one sample, over that of the law at its declared size. */
	readonly share: number;
	/** Σψ²/E ψ' less Σψe, of all samples: what their sum of squares lacks. */
	readonly lacking: number;
	/** The size of the errors beside the declared one. */
	readonly size: number;
}

/** Of outputs with errors of a declared size that are not normal, by index; `errors`: in units of their spreads. */
export function seenInformation(
	{ groups }: Observations,
	errors: Float64Array,
): Map<number, SeenInformation> {
	const byOutput = new Map<number, OutputGroup[]>();
	for (const group of groups)
		if (isPlain(group) && !group.law.isCount && !group.law.isNormal && group.spread.kind === "known")
			byOutput.set(group.index, [...(byOutput.get(group.index) ?? []), group]);
	const seen = new Map<number, SeenInformation>();
	for (const [index, own] of byOutput) {
		const information = informationIn(
			own[0].law as NoiseLaw,
			own.flatMap(({ from, to }) => [...errors.subarray(from, to)]),
		);
		if (information) seen.set(index, information);
	}
	return seen;
}

/** Rounds in which the most likely size is settled, whatever the law. */
const rounds = 60;

function informationIn(law: NoiseLaw, errors: readonly number[]): SeenInformation | undefined {
	const slope = (e: number): number => law.weight(numbers, e * e) * e;
	const mean = (term: (e: number) => number): number =>
		errors.reduce((sum, e) => sum + term(e), 0) / errors.length;
	let size = Math.sqrt(mean(squared));
	for (let k = 0; k < rounds; k++) size = Math.sqrt(mean((e) => size * slope(e / size) * e));
	const curvature = mean((e) => (slope(e) * slope(e / size)) / size);
	if (!(size > 0 && curvature > 0 && curvature < Number.POSITIVE_INFINITY)) return undefined;
	const lacking = errors.length * (mean((e) => squared(slope(e))) / curvature - mean((e) => slope(e) * e));
	return { share: curvature / law.information.value, lacking, size };
}

/** Rows of samples with the information that they have, from those of the law at its declared size. */
export function seenRows(
	{ groups }: Observations,
	seen: ReadonlyMap<number, SeenInformation>,
	jacobian: Float64Array,
	n: number,
): Float64Array {
	const scaled = jacobian.slice();
	for (const { index, from, to } of groups) {
		const root = Math.sqrt(seen.get(index)?.share ?? 1);
		for (let at = from * n; at < to * n; at++) scaled[at] *= root;
	}
	return scaled;
}
