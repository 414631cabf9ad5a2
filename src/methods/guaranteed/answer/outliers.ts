/** Samples that are beyond their largest errors for every value that is left. */
import { dataOf } from "../constraint/contract-relaxed.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { partsOf } from "./followed.ts";

interface Outlier {
	readonly t: number;
	readonly output: string;
	readonly record: string;
}

/** A sample is named where every box of what is left contradicts it; none where a part was not followed to the end. */
export function outliersOf(run: GuaranteedRun): Outlier[] {
	const parts = partsOf(run);
	if (run.outliers === 0 || parts.length === 0 || parts.some(({ failure }) => failure)) return [];
	const boxes = run.paving?.done ? [...run.paving.inner, ...run.paving.outer] : parts.map(({ box }) => box);
	const count = new Map<string, { readonly outlier: Outlier; times: number }>();
	for (const { box: own, constraints } of parts) {
		const inside = boxes.filter((box) => meets(box, own)).map((box) => common(box, own));
		for (const datum of dataOf(constraints)) {
			const { t, output, experiment } = datum[0];
			const key = `${experiment},${t},${output}`;
			const outlier = { t, output, record: run.problem.train[experiment].name };
			const known = count.get(key) ?? { outlier, times: 0 };
			const isBroken = (box: Float64Array): boolean =>
				datum.some((each) => run.reader(each).verdict(each, box) === "outside");
			if (inside.every(isBroken)) known.times++;
			count.set(key, known);
		}
	}
	return [...count.values()].filter(({ times }) => times === parts.length).map(({ outlier }) => outlier);
}

function meets(a: Float64Array, b: Float64Array): boolean {
	for (let i = 0; i < a.length; i += 2) if (a[i] > b[i + 1] || b[i] > a[i + 1]) return false;
	return true;
}

function common(a: Float64Array, b: Float64Array): Float64Array {
	return a.map((value, i) => (i % 2 === 0 ? Math.max(value, b[i]) : Math.min(value, b[i])));
}
