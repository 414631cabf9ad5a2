/** Answers are kept: the newest of each method is drawn, earlier ones can be looked at again. */
import type { ParameterRow } from "../../src/methods/index.ts";
import type { Finished, Plan, TableData } from "../contract.ts";

export interface KeptAnswer {
	readonly id: number;
	readonly finished: Finished;
	/** The study and the tables that the answer belongs to, as they were when it ran. */
	readonly plan: Plan;
	readonly tables: readonly TableData[];
}

/** Interval of one method for one unknown. */
export interface AnswerRow {
	readonly method: string;
	readonly row: ParameterRow;
	/** The method came to no end with it: its interval says nothing yet. */
	readonly undecided: boolean;
}

const most = 12;

export class Answers {
	all = $state.raw<readonly KeptAnswer[]>([]);
	/** Which is shown. */
	shownId = $state<number | undefined>();
	readonly shown = $derived(this.all.find(({ id }) => id === this.shownId));
	/** The newest of each method. */
	readonly newest = $derived(
		this.all.filter(
			({ finished: { result } }, i) =>
				!this.all.slice(i + 1).some((later) => later.finished.result.method === result.method),
		),
	);

	add(finished: Finished, plan: Plan, tables: readonly TableData[]): void {
		const id = 1 + Math.max(0, ...this.all.map((each) => each.id));
		this.all = [...this.all, { id, finished, plan, tables }].slice(-most);
		this.shownId = id;
	}

	remove(id: number): void {
		this.all = this.all.filter((each) => each.id !== id);
		if (this.shownId === id) this.shownId = undefined;
	}

	clear(): void {
		this.all = [];
		this.shownId = undefined;
	}

	/** What the methods say of an unknown, one row a method; those of `all` are its methods' own. */
	rowsOf(name: string): AnswerRow[] {
		const byMethod = new Map<string, AnswerRow>();
		for (const { finished } of this.newest) {
			const { result } = finished;
			const parts = result.comparison?.answers ?? [result];
			for (const { method, parameters, outcome, answered } of parts) {
				const row = parameters.find((each) => each.name === name);
				if (row) byMethod.set(method, { method, row, undecided: !answered || outcome === "undecided" });
			}
		}
		return [...byMethod.values()];
	}
}
