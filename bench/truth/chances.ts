/** Chances that were said of a form, beside how often it was the true one. */
import { grouped, percent } from "./counts.ts";
import type { Entry } from "./entry.ts";

/** Lower ends of what is counted together; 1 is said where no other form is named. */
const from = [0, 0.5, 0.8, 0.95, 1];

/** What was said, answers, the same on average, and the share that is true; no rows where no chances were said. */
export function chancesRows(sound: readonly Entry[]): (string | number)[][] {
	const said = sound.filter(({ chance, isTrueForm }) => chance !== undefined && isTrueForm !== undefined);
	const placeOf = ({ chance }: Entry): number => from.findLastIndex((least) => chance! >= least);
	return [...grouped(said, (entry) => String(placeOf(entry)))]
		.sort(([a], [b]) => Number(a) - Number(b))
		.map(([place, own]) => [
			Number(place) === from.length - 1 ? "no rival" : `from ${from[Number(place)]}`,
			own.length,
			percent(
				own.reduce((sum, { chance }) => sum + chance!, 0),
				own.length,
			),
			percent(own.filter(({ isTrueForm }) => isTrueForm).length, own.length),
		]);
}
