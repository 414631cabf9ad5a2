/** A random study with every method that applies, saved and loaded at random steps: the bits of one that went through. */
import { inline } from "../../src/compute/inline.ts";
import { InputError } from "../../src/errors.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { resumedApart } from "../../test/random/resumed.ts";
import { questionsOf, randomStudy } from "../../test/random/studies.ts";
import type { Outcome } from "./study-outcomes.ts";

export async function resumedStudies(seed: number, say: (outcome: Outcome) => void): Promise<void> {
	const random = randomStudy(seed);
	const names = applicability(random.model).flatMap(({ method, applies }) => (applies ? [method] : []));
	for (const name of names) {
		say({ what: "", why: "", isFault: false, begun: `${name}, resumed` });
		try {
			const [asked] = await questionsOf(random, [name], inline);
			const { times, differs } = await resumedApart(asked, seed);
			if (differs !== undefined) say({ what: `${name} differs after a resume`, why: differs, isFault: true });
			else if (times > 0) say({ what: `${name} resumed to the same bits`, why: "", isFault: false });
		} catch (error) {
			const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
			const isRefused = error instanceof InputError;
			say({ what: `${name} ${isRefused ? "refused" : "fell"}`, why, isFault: !isRefused });
		}
	}
}
