/** The certificate as the command checks it, in words. */
import type { Certificate } from "../../certificate.ts";
import { parseCertificate } from "./certificate.ts";
import { verifyCertificate } from "./verify.ts";

export const certificate: Certificate = {
	file: "proof.json",
	remedy: "Write  guaranteed: { proof: 400 }  in the study, and run it.",
	check(text, subject, problem) {
		const read = parseCertificate(text, subject);
		const found = verifyCertificate(read, problem);
		if (!found.holds) return { holds: false, lines: [`Refused: ${found.why}.`], found };
		const left = read.enclosure
			? read.unknowns.map(
					(name, k) => `${name} in [${read.enclosure![2 * k]}, ${read.enclosure![2 * k + 1]}]`,
				)
			: ["Nothing is left: no value is consistent with the data."];
		return {
			holds: true,
			lines: [
				`Confirmed: ${found.excluded} parts of the declared sets are excluded by a sample each.`,
				...left,
			],
			found,
		};
	},
};
