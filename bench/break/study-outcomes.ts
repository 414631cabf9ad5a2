/** A random study to its end, with every method that applies: how it ended, with the same bits on all places. */
import type { Compute } from "../../src/compute/compute.ts";
import { native } from "../../src/compute/node/native.ts";
import { InputError } from "../../src/errors.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { Session } from "../../src/methods/session.ts";
import { both, Disagreement, javascript, wasm } from "../../test/random/places.ts";
import { questionsOf, randomStudy, simulationOf } from "../../test/random/studies.ts";

export interface Outcome {
	/** `fit answered`, `fit had no answer`, `fit refused`: as it should be; anything else is a finding. */
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
	say({ what: place ? "studies also as machine code" : "studies", why: "", isFault: false });
	const ended = async (name: string, work: () => Promise<boolean>): Promise<void> => {
		say({ what: "", why: "", isFault: false, begun: name });
		try {
			say({ what: `${name} ${(await work()) ? "answered" : "had no answer"}`, why: "", isFault: false });
		} catch (error) {
			const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
			if (error instanceof InputError) say({ what: `${name} refused`, why, isFault: false });
			else
				say({
					what: `${error instanceof Disagreement ? "bits differ" : "bug"} in ${name}`,
					why,
					isFault: true,
				});
		}
	};
	await ended("simulate", async () => {
		const simulations = (await simulationOf(random))();
		return simulations.every(({ outcome }) => outcome === "converged");
	});
	for (const name of names)
		await ended(name, async () => {
			const [asked] = await questionsOf(random, [name], place ? both(here, place) : here);
			const session = await Session.begin(asked);
			while (!(await session.advance()).done);
			return (await session.result()).answered;
		});
}
