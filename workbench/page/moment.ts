/** What one key takes back, and how it is kept: with the names of its tables, which lie in the storage already. */
import type { Plan, TableData } from "../contract.ts";

export interface Moment {
	readonly plan: Plan;
	readonly tables: ReadonlyMap<string, TableData>;
	readonly example: string | undefined;
	readonly handles: Readonly<Record<string, number>>;
}

export type KeptMoment = Omit<Moment, "tables"> & { readonly tables: readonly string[] };

const mostKept = 40;

/** The newest, back to the first that has a table which is no longer at hand. */
export function keptPast(past: readonly Moment[], tables: Moment["tables"]): KeptMoment[] {
	const newest = past.slice(-mostKept);
	const lost = newest.findLastIndex((moment) =>
		[...moment.tables].some(([file, table]) => tables.get(file) !== table),
	);
	return newest.slice(lost + 1).map((moment) => ({ ...moment, tables: [...moment.tables.keys()] }));
}

export function pastOf(kept: readonly KeptMoment[], tables: Moment["tables"]): Moment[] {
	return kept.map((moment) => ({
		...moment,
		tables: new Map(moment.tables.flatMap((file) => [[file, tables.get(file)!] as const])),
	}));
}
