/** Arrays of a mat file to columns of a table. */
import { MAX_COLUMNS } from "../read/limits.ts";
import type { Column, SkippedColumn } from "./table.ts";

/** Collects the columns of a file and what could not become one. */
export class ColumnList {
	readonly columns: Column[] = [];
	readonly skipped: SkippedColumn[] = [];
	private readonly names = new Set<string>();

	skip(name: string, why: string): void {
		if (this.skipped.length < MAX_COLUMNS) this.skipped.push({ name, why });
	}

	/**
	 * Adds an array of `nFast` by `nSlow` numbers, the first index running fastest. The longer side is time (a record
	 * has more samples than signals; of a square the fast side): each line along it is a column, called `name`,
	 * `name2`, `name3`, ...
	 */
	add(name: string, values: Float64Array, nFast: number, nSlow: number): void {
		const alongFast = nFast >= nSlow;
		const length = alongFast ? nFast : nSlow;
		const count = alongFast ? nSlow : nFast;
		if (length === 0 || count === 0) {
			this.skip(name, "is empty");
			return;
		}
		if (this.columns.length + count > MAX_COLUMNS) {
			this.skip(name, `would make ${count} columns, and more than ${MAX_COLUMNS} are too many`);
			return;
		}
		for (let c = 0; c < count; c++) {
			let line: Float64Array;
			if (count === 1) {
				line = values;
			} else if (alongFast) {
				line = values.subarray(c * length, (c + 1) * length);
			} else {
				line = new Float64Array(length);
				for (let i = 0; i < length; i++) line[i] = values[i * count + c];
			}
			this.columns.push({ name: this.free(name, c, alongFast), values: line });
		}
	}

	/** `y2` for the second column of `y`, or `y(:,2)` when the file has its own `y2`. */
	private free(name: string, index: number, alongFast: boolean): string {
		const short = index === 0 ? name : `${name}${index + 1}`;
		const chosen = this.names.has(short)
			? `${name}(${alongFast ? `:,${index + 1}` : `${index + 1},:`})`
			: short;
		this.names.add(chosen);
		return chosen;
	}
}
