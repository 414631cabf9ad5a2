/** Records of a program whose rows hold doses or several groups: made plain as those of a study are. */
import type { DataRecord } from "../../data/data-record.ts";
import type { Dose, DoseColumn } from "../../data/doses.ts";
import { InputError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { plainRecords } from "../records/doses.ts";
import { allRows, type StudyRecord, tableKey } from "../study.ts";
import { StudyError } from "./study-error.ts";

export function plainData(records: DataRecord | readonly DataRecord[], model: Model): DataRecord[] {
	const all = Array.isArray(records) ? (records as readonly DataRecord[]) : [records as DataRecord];
	return all.flatMap((record) => partsOf(record, model));
}

function partsOf(whole: DataRecord, model: Model): DataRecord[] {
	const { table, options } = whole;
	const { doses, group, reading: _, ...rest } = options;
	const [lists, columns]: [Record<string, readonly Dose[]>, Record<string, DoseColumn>] = [{}, {}];
	for (const [place, own] of Object.entries(doses ?? {}))
		if (Array.isArray(own)) lists[place] = own;
		else columns[place] = typeof own === "string" ? { amount: own } : (own as DoseColumn);
	const record: StudyRecord = {
		...rest,
		name: options.name ?? "record",
		path: "record",
		file: table.source,
		...(options.rate === undefined ? { time: options.time ?? "t" } : {}),
		columns: options.columns ?? {},
		input: options.input ?? "zoh",
		detrend: options.detrend ?? "none",
		conditions: options.conditions ?? {},
		missing: options.missing ?? [],
		conditionColumns: {},
		...(doses && { doses: lists, doseColumns: columns }),
		...(group === undefined ? {} : { group }),
	};
	const study = {
		records: [record],
		train: [allRows],
		test: ["none" as const],
		testRecords: [],
		places: new Map(),
		fileName: "record",
		source: "",
	};
	try {
		const plain = plainRecords(study, model, new Map([[tableKey(record), table]]));
		if (group === undefined && Object.keys(columns).length === 0) return [whole];
		return plain.study.records.map((own) => {
			const { name, start, unit, doses: given, conditions } = own;
			const known = { ...(start === undefined ? {} : { start }), ...(unit === undefined ? {} : { unit }) };
			return {
				table: plain.tables.get(tableKey(own))!,
				options: { ...rest, ...known, name, conditions, doses: given },
			};
		});
	} catch (error) {
		if (!(error instanceof StudyError)) throw error;
		const [{ message, remedy }] = error.diagnostics;
		throw new InputError(record.name, message, remedy);
	}
}
