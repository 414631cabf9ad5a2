/** How the state at one sample depends on that at the sample before: the product of all maps between, as code. */
import type { KernelBuilder, Value, Variable } from "../../../lower/builder.ts";
import { combination, type Row } from "./covariance.ts";
import type { FilterScope } from "./filter-scope.ts";

export class FlowMatrix {
	readonly #b: KernelBuilder;
	/** Column by column. */
	readonly #kept: readonly (readonly Variable[])[];
	#columns: Value[][] = [];

	constructor(readonly scope: FilterScope) {
		const { b, spec } = scope;
		const n = spec.layout.nCoordinates;
		this.#b = b;
		this.#kept = Array.from({ length: n }, () =>
			Array.from({ length: n }, () => b.variable("lane", b.constant(0))),
		);
	}

	reset(): void {
		for (const [j, column] of this.#kept.entries())
			for (const [i, variable] of column.entries()) this.#b.set(variable, this.#b.constant(i === j ? 1 : 0));
	}

	begin(): void {
		this.#columns = this.#kept.map((column) => column.map((variable) => this.#b.get(variable)));
	}
	/** What is done to a mean in place is done to each column. */
	apply(change: (column: Value[]) => void): void {
		for (const column of this.#columns) change(column);
	}
	transform(rows: ReadonlyMap<number, Row<Value>>): void {
		this.#columns = this.#columns.map((column) =>
			column.map((entry, i) => {
				const row = rows.get(i);
				if (!row) return entry;
				return combination(this.scope.entries, row, (at) => column[at]) ?? this.#b.constant(0);
			}),
		);
	}
	end(): void {
		for (const [j, column] of this.#kept.entries())
			for (const [i, variable] of column.entries()) this.#b.set(variable, this.#columns[j][i]);
	}

	/** Row-major. */
	values(): Value[] {
		return this.#kept.flatMap((_, i) => this.#kept.map((column) => this.#b.get(column[i])));
	}
}
