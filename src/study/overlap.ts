/** A test on rows that were learned from tests nothing: it is said. */
import type { Doubt } from "../estimate/result.ts";
import type { Selection, Study } from "./study.ts";

export function overlapDoubts(study: Study): Doubt[] {
	const { records, train, test, testRecords } = study;
	const trained = records.map((record, i) => ({ file: record.file, rows: train[i] }));
	const tested = [
		...records.map((record, i) => ({ name: record.name, file: record.file, rows: test[i] })),
		...testRecords.map(({ name, file, rows }) => ({ name, file, rows: rows ?? { from: 0, to: Infinity } })),
	];
	return tested.flatMap(({ name, file, rows }): Doubt[] => {
		const both = trained.find((each) => each.file === file && meet(each.rows, rows));
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

function meet(a: Selection, b: Selection): boolean {
	return a !== "none" && b !== "none" && Math.max(a.from, b.from) < Math.min(a.to, b.to);
}
