/** A paper's numbers repeated: what `odentify reproduce NAME` prints, with the paper's figures beside ours. */
import type { Compute } from "../compute/compute.ts";
import type { Table } from "../data/table/table.ts";
import type { Figure } from "../estimate/figure.ts";

export type ReproductionVerdict =
	| "reached"
	| "better"
	| "not reached"
	| "not reproducible"
	/** A mean over so few runs tells neither; the whole reproduction has more. */
	| "too few seeds"
	| "needs data"
	/** This machine lacks what the row is about. */
	| "not run here";

/** One claim: the paper's number, ours, the goal, and what came of it. */
export interface ReproductionRow {
	readonly what: string;
	readonly paper: string;
	readonly ours: string;
	readonly goal: string;
	readonly verdict: ReproductionVerdict;
	/** Why it is not reproducible, or what is missing. */
	readonly why?: string;
}

export interface ReproductionTable {
	readonly title: string;
	readonly rows: readonly ReproductionRow[];
}

export interface ReproductionContext {
	/** Fewer seeds and smaller sizes, and the rows say so. */
	readonly quick: boolean;
	readonly seed: number;
	readonly compute: Compute;
	/** A public record by its path below the data folder, such as `silverbox/SNLS80mV.csv`; undefined without one. */
	record(path: string): Promise<Table | undefined>;
	progress(fraction: number, label: string): void;
}

export interface Reproduction {
	readonly name: string;
	/** What is repeated: the paper as cited, or its subject. */
	readonly title: string;
	run(context: ReproductionContext): Promise<{
		readonly tables: readonly ReproductionTable[];
		readonly figures: readonly Figure[];
	}>;
}
