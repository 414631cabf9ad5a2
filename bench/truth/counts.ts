/** How often what was said was true, counted from a ledger. */
import type { Entry } from "./entry.ts";

/** Two-sided points of the normal law. */
export const z999 = 3.2905;
const zOf: Readonly<Record<string, number>> = { "0.9": 1.6449, "0.95": 1.96, "0.99": 2.5758 };

type Unknown = Entry["unknowns"][number];

export function holds([, truth, , lo, hi]: Unknown): boolean {
	return lo <= truth && truth <= hi;
}

/** Unknowns outside of their interval at 99.9 %. */
export function farOff({ unknowns, at999, share }: Entry): Unknown[] {
	const isFar = new Set(at999?.filter((each) => !holds(each)).map(([name]) => name));
	return unknowns.filter((each) => (at999 ? isFar.has(each[0]) : !holds(stretched(each, share))));
}

/** To 99.9 %, as the normal law has it; a proved one is not stretched. */
function stretched([name, truth, estimate, lo, hi]: Unknown, share: number): Unknown {
	const z = zOf[String(share)];
	const by = z === undefined ? 1 : z999 / z;
	return [name, truth, estimate, estimate - by * (estimate - lo), estimate + by * (hi - estimate)];
}

/** An unknown far off, or another form than the true one. */
export function isWrong(entry: Entry): boolean {
	return entry.isOtherForm ?? farOff(entry).length > 0;
}

export interface Counts {
	readonly n: number;
	readonly answered: number;
	/** Answered without a grave doubt. */
	readonly sure: number;
	readonly anyDoubt: number;
	readonly graveDoubt: number;
	/** Of the unknowns of the sure ones. */
	readonly nIntervals: number;
	readonly held: number;
	/** The same of 95 % intervals, whatever the method shows. */
	readonly nAt95: number;
	readonly heldAt95: number;
	/** Sure, and wrong. */
	readonly sureButWrong: readonly Entry[];
	/** Answered, without an interval for any unknown. */
	readonly useless: number;
	readonly bugs: number;
	readonly noEnd: number;
	readonly seconds: number;
}

export function countsOf(entries: readonly Entry[]): Counts {
	const answered = entries.filter((entry) => entry.answered);
	const sure = answered.filter(({ grave }) => grave.length === 0);
	const intervals = sure.flatMap(({ unknowns }) => unknowns);
	const at95 = sure.flatMap((entry) => entry.at95 ?? (entry.share === 0.95 ? entry.unknowns : []));
	return {
		n: entries.length,
		answered: answered.length,
		sure: sure.length,
		anyDoubt: answered.filter(({ grave, mild }) => grave.length + mild.length > 0).length,
		graveDoubt: answered.filter(({ grave }) => grave.length > 0).length,
		nIntervals: intervals.length,
		held: intervals.filter(holds).length,
		nAt95: at95.length,
		heldAt95: at95.filter(holds).length,
		sureButWrong: sure.filter(isWrong),
		useless: answered.filter(({ unknowns }) => unknowns.length === 0).length,
		bugs: entries.filter(({ outcome }) => outcome === "bug").length,
		noEnd: entries.filter(({ outcome }) => outcome === "no end").length,
		seconds: entries.reduce((sum, { seconds }) => sum + seconds, 0),
	};
}

/** By what a key says, in the order of first sight. */
export function grouped(entries: readonly Entry[], key: (entry: Entry) => string): Map<string, Entry[]> {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const name = key(entry);
		groups.set(name, [...(groups.get(name) ?? []), entry]);
	}
	return groups;
}

export function percent(part: number, of: number): string {
	return of > 0 ? `${((100 * part) / of).toFixed(1)} %` : "";
}
