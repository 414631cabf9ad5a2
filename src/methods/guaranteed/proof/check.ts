/** The certificate as the command checks it, in words. */
import type { Certificate } from "../../certificate.ts";
import { type Certificate as Proof, parseCertificate } from "./certificate.ts";
import { type Beside, contradiction } from "./said.ts";
import { type Verified, verifyCertificate } from "./verify.ts";

export const certificate: Certificate = {
	file: "proof.json",
	remedy: "Write  guaranteed: { proof: 400 }  in the study, and run it.",
	beside: ["summary.json", "boxes.csv"],
	check(text, subject, problem, beside = {}) {
		const read = parseCertificate(text, subject);
		const verified = verifyCertificate(read, problem);
		const why = verified.why ?? contradiction(read, beside);
		const found: Verified = why === undefined ? verified : { ...verified, holds: false, why };
		if (!found.holds) return { holds: false, isIndependent: false, lines: [`Refused: ${found.why}.`], found };
		// What the checker does not know it confirms nothing of, also where no part was excluded.
		const isIndependent = found.bySolver === 0 && found.unknown === undefined;
		return {
			holds: true,
			isIndependent,
			lines: [...ofChecker(read, found), ...ofSolver(read, found), ...ofFiles(beside)],
			found: { ...found, independent: isIndependent },
		};
	},
};

/** What the checker confirms by itself. */
function ofChecker({ unknowns, checked }: Proof, { excluded, unknown }: Verified): string[] {
	if (unknown)
		return [
			`Nothing is confirmed independently: the checker does not know ${unknown}, which the model uses.`,
		];
	const parts = excluded === 1 ? "1 part" : `${excluded} parts`;
	return [
		`Confirmed by the checker, whose arithmetic and integration are its own: ${parts} of the declared sets are excluded by a sample each. What is left of the sets:`,
		...boundsText(unknowns, checked),
	];
}

/** What rests on the solver's integration as well. */
function ofSolver({ unknowns, enclosure }: Proof, { bySolver, excluded }: Verified): string[] {
	if (bySolver === 0) return [];
	const more = excluded > 0 ? "more " : "";
	const parts = bySolver === 1 ? `1 ${more}part is` : `${bySolver} ${more}parts are`;
	return [
		`Confirmed by the solver alone, whose own integration was run again: ${parts} excluded by a sample each. What is left then:`,
		...boundsText(unknowns, enclosure),
	];
}

/** Closer bounds come from the search, which is not done again. */
function ofFiles(beside: Beside): string[] {
	const names = certificate.beside.filter((name) => beside[name] !== undefined);
	if (names.length === 0) return ["There is no summary.json that could be held against it."];
	return [
		`${names.join(" and ")} ${names.length === 1 ? "says" : "say"} what the run said. Where bounds there are closer than these, they rest on the search, which is not done again here.`,
	];
}

function boundsText(unknowns: readonly string[], box: readonly number[] | null): string[] {
	if (!box) return ["Nothing: no value is consistent with the data."];
	return unknowns.map((name, k) => `${name} in [${box[2 * k]}, ${box[2 * k + 1]}]`);
}
