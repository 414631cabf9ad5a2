/** `library:` of a study: candidates for the model's unknown functions, which say their form in the model's place. */
import { nearestName } from "../errors.ts";
import { type Diagnostic, ModelError } from "../model/diagnostic.ts";
import { type Candidate, type GivenForm, readCandidate } from "../model/language/forms.ts";
import type { Model } from "../model/model.ts";
import { placeOf, problemAt, type Study, throwAny } from "./study.ts";
import type { Places } from "./text/schema.ts";

/** Every candidate read by itself, so that none can reach into what stands around it. */
export function libraryOf(
	given: Readonly<Record<string, readonly string[]>>,
	places: Places,
	report: (diagnostic: Diagnostic) => void,
): GivenForm[] {
	return Object.entries(given).map(([name, texts]) => ({
		name,
		candidates: texts.flatMap((text, index): Candidate[] => {
			try {
				return [readCandidate(text, name)];
			} catch (error) {
				if (!(error instanceof ModelError)) throw error;
				const span = placeOf({ places }, candidatePath({ places }, name, index), "value");
				for (const { message, remedy } of error.diagnostics)
					report({ span, message, remedy: isCut(text) ? cutRemedy : remedy });
				return [];
			}
		}),
	}));
}

/** YAML ends an entry of `[…]` at every comma: `[x, max(x, y)]` has three. */
function isCut(text: string): boolean {
	return text.split("(").length !== text.split(")").length;
}
const cutRemedy = 'Between [ and ] a comma ends an entry: write one that has commas in quotes,  "max(x, y)"';

/** One candidate may stand without a list. */
export function candidatePath(study: Pick<Study, "places">, name: string, index: number): string {
	const path = `library.${name}`;
	return study.places.has(`${path}[${index}]`) ? `${path}[${index}]` : path;
}

/** A name that is no unknown function of the model is an error of the study. */
export function checkLibrary(study: Study, { unknowns }: Model): void {
	const known = unknowns.map(({ name }) => name);
	const wrong = study.library.filter(({ name }) => !known.includes(name));
	throwAny(
		study,
		wrong.map(({ name }) => {
			const near = nearestName(name, known);
			const remedy = near
				? `Did you mean "${near}"?`
				: known.length > 0
					? `It has ${known.join(", ")}.`
					: "Write one in the place of what is to be found:  unknown f(x)  and  x' = f(x)";
			return problemAt(
				study,
				`library.${name}`,
				"key",
				`the model has no unknown function "${name}"`,
				remedy,
			);
		}),
	);
}
