/** A player for the records of a study: each from the first row that is used to its last. */
import type { Table } from "../../data/table/table.ts";
import { dosedModel, experimentOf } from "../../methods/experiment-of.ts";
import type { Model } from "../../model/model.ts";
import { plainRecords } from "../records/doses.ts";
import type { Grouped } from "../records/groups.ts";
import type { simulateRecord } from "../simulate/simulate.ts";
import { allRows, type Rows, type Selection, type Study, tableKey } from "../study.ts";
import { type PlayedRecord, Player } from "./player.ts";

export type PlayedStudy = Pick<Study, "records" | "train" | "test" | "set">;

export function playerOf(
	given: PlayedStudy,
	source: Model,
	givenTables: ReadonlyMap<string, Table>,
	/** The adaptive solver, fetched when it is needed: most models do without. */
	solver: () => Promise<typeof simulateRecord>,
): Player {
	const whole: Grouped = { ...given, testRecords: [], places: new Map(), fileName: "study", source: "" };
	const { study, tables } = plainRecords(whole, source, givenTables);
	const model = dosedModel(source, study.records);
	const outputs = model.measures.map(({ name }) => name);
	const records = study.records.flatMap((record, i): PlayedRecord[] => {
		const table = tables.get(tableKey(record));
		const used = usedRows(study.train[i], study.test[i]);
		if (!table || !used) return [];
		const rows = { from: used.from, to: table.nRows };
		const counted = { from: used.from, to: Math.min(used.to, table.nRows) };
		if (!(rows.from < rows.to)) return [];
		const experiment = experimentOf(table, { ...record, rows }, model, outputs);
		return [{ experiment, counted, isTest: study.train[i] === "none" }];
	});
	return new Player(model, records, given.set, solver);
}

function usedRows(train: Selection, test: Selection): Rows | undefined {
	if (train !== "none") return train ?? allRows;
	return test === "none" ? undefined : test;
}
