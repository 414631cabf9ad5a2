/** A random study to its end, with every method that applies: how it ended, with the same bits on all places. */
import type { Compute } from "../../src/compute/compute.ts";
import { native } from "../../src/compute/node/native.ts";
import { InputError } from "../../src/errors.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { both, Disagreement, javascript, wasm } from "../../test/random/places.ts";
import { questionsOf, randomStudy } from "../../test/random/studies.ts";

export interface Outcome {
	/** `answered`, `no answer`, `refused`: as it should be; anything else is a finding. */
	readonly what: string;
	readonly why: string;
	readonly isFault: boolean;
	/** Said before the work, so that what never ends has a name. */
	readonly begun?: string;
}

/** A compiler takes long: machine code is held against the others for some seeds. */
const nativeEvery = 8;
let machine: Promise<Compute | undefined> | undefined;

export async function studyOutcomes(seed: number, say: (outcome: Outcome) => void): Promise<void> {
	const random = randomStudy(seed);
	const names: string[] = applicability(random.model).flatMap(({ method, applies }) =>
		applies ? [method] : [],
	);
	if (names.length > 1 && seed % 5 === 0) names.push("all");
	const here = both(javascript, wasm);
	machine ??= native({ threads: 1 }).catch(() => undefined);
	const place = seed % nativeEvery === 0 ? await machine : undefined;
	for (const { method, problem, options } of await questionsOf(
		random,
		names,
		place ? both(here, place) : here,
	)) {
		say({ what: "", why: "", isFault: false, begun: method.name });
		try {
			const state = await method.prepare(problem, options);
			while (!(await method.advance(state)).done);
			const { answered } = await method.result(state);
			say({ what: answered ? "answered" : "no answer", why: "", isFault: false });
		} catch (error) {
			const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
			if (error instanceof InputError) say({ what: "refused", why, isFault: false });
			else
				say({
					what: `${error instanceof Disagreement ? "bits differ" : "bug"} in ${method.name}`,
					why,
					isFault: true,
				});
		}
	}
}
