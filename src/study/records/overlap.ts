/** A test on rows that were learned from tests nothing: it is said. */
import type { Doubt } from "../../estimate/result.ts";
import type { Selection, Study, StudyRecord } from "../study.ts";

export function overlapDoubts(study: Study): Doubt[] {
	const { records, train, test, testRecords } = study;
	const trained = records.map((record, i) => ({ record, rows: train[i] }));
	const tested = [
		...records.map((record, i) => ({ record, rows: test[i] })),
		...testRecords.map((record) => ({ record, rows: record.rows ?? { from: 0, to: Infinity } })),
	];
	return tested.flatMap(({ record, rows }): Doubt[] => {
		const { name } = record;
		const both = trained.find((each) => haveSameData(each.record, record) && meet(each.rows, rows));
		if (!both) return [];
		return [
			{
				code: "test-overlaps",
				title: `The test of ${name} uses rows that were learned from`,
				text: "Its error is too small to tell how the model predicts. Choose rows that do not overlap with  train.",
				grave: false,
			},
		];
	});
}

/** Name of a record of `a` with samples that `b` learns from, too; undefined where there is none. */
export function sharedSamples(a: Study, b: Study): string | undefined {
	const learned = ({ records, train }: Study) => records.map((record, i) => ({ record, rows: train[i] }));
	return learned(a).find((one) =>
		learned(b).some(
			(other) =>
				one.record.file === other.record.file &&
				meet(one.rows, other.rows) &&
				(one.record.group === undefined ||
					one.record.group !== other.record.group ||
					shareGroups(one.record, other.record)),
		),
	)?.record.name;
}

/** Rows of one file are the same data where they are read from the same columns and no group tells them apart. */
function haveSameData(a: StudyRecord, b: StudyRecord): boolean {
	const columns = ({ columns: own }: StudyRecord): string => JSON.stringify(Object.entries(own).sort());
	if (a.file !== b.file || columns(a) !== columns(b)) return false;
	return a.group === undefined || a.group !== b.group || shareGroups(a, b);
}

function shareGroups(a: StudyRecord, b: StudyRecord): boolean {
	const takes = ({ only, except = [] }: StudyRecord, label: string): boolean =>
		(!only || only.includes(label)) && !except.includes(label);
	if (a.only) return a.only.some((label) => takes(a, label) && takes(b, label));
	return !b.only || b.only.some((label) => takes(a, label) && takes(b, label));
}

function meet(a: Selection, b: Selection): boolean {
	return a !== "none" && b !== "none" && Math.max(a.from, b.from) < Math.min(a.to, b.to);
}
