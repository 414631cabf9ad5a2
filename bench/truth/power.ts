/** From which dose on a fault is seen, by method. */
import { faults } from "../../src/prove/faults.ts";
import { countsOf, grouped, percent } from "./counts.ts";
import type { Entry } from "./entry.ts";
import { table } from "./table.ts";

const wanted = 0.9;
/** What an answer leaves of the outputs without noise, in units of the noise, from which on its residuals show something. */
const visible = 0.9;

export function powerTable(entries: readonly Entry[]): string {
	const byMethod = grouped(
		entries.filter(({ fault }) => fault !== undefined),
		({ method }) => method,
	);
	return table(
		[
			"method",
			"fault",
			"expert sees",
			"grave from",
			"any from",
			"at the expert's dose: answers",
			"grave",
			"sure but wrong",
			"of these, left of the fault at least the noise",
			"named",
		],
		[...byMethod].flatMap(([method, own]) =>
			faults.flatMap(({ name, doses, seenAt, hidden }) => {
				const ofFault = own.filter(({ fault, answered }) => fault === name && answered);
				if (ofFault.length === 0) return [];
				const at = (dose: number): Entry[] => ofFault.filter((entry) => entry.dose === dose);
				/** Seen at this dose and at all that are stronger. */
				const from = (isSeen: (entry: Entry) => boolean): string => {
					const found = doses.findIndex((_, i) =>
						doses.slice(i).every((dose) => {
							const list = at(dose);
							return list.length > 0 && list.filter(isSeen).length >= wanted * list.length;
						}),
					);
					return found < 0 ? "not reached" : String(doses[found]);
				};
				const seen = at(seenAt ?? doses[doses.length - 1]);
				const counts = countsOf(seen);
				return [
					[
						method,
						name,
						seenAt ?? `never: ${hidden}`,
						from(({ grave }) => grave.length > 0),
						from(({ grave, mild }) => grave.length + mild.length > 0),
						counts.answered,
						percent(counts.graveDoubt, counts.answered),
						percent(counts.sureButWrong.length, counts.answered),
						shown(seen, counts.answered),
						named(seen),
					],
				];
			}),
		),
	);
}

function named(entries: readonly Entry[]): string {
	const known = entries.filter(({ isNamed }) => isNamed !== undefined);
	return percent(known.filter(({ isNamed }) => isNamed).length, known.length);
}

/** Silent errors that residuals show: the others took the fault up into their unknowns, or left little of it. Undefined where it is not known of all. */
export function silentAndShown(entries: readonly Entry[]): Entry[] | undefined {
	const silent = countsOf(entries).sureButWrong;
	return silent.some(({ left }) => left === undefined)
		? undefined
		: silent.filter(({ left }) => left! >= visible);
}

function shown(entries: readonly Entry[], answered: number): string {
	const silent = silentAndShown(entries);
	return silent ? percent(silent.length, answered) : "not known";
}
