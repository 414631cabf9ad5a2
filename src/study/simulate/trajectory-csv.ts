/**
 * trajectory.csv: t, then for each output `y`, `y.lo`, `y.hi` where the method gives a band, and `y.data` as measured;
 * last the experiment and its part. One row for each time of each experiment; a field without a value is empty.
 */
import type { Prediction } from "../../estimate/result.ts";

export function trajectoryCsv(predictions: readonly Prediction[]): string {
	const outputs = [...new Set(predictions.map(({ output }) => output))];
	const columns = outputs.flatMap((output) => {
		const own = predictions.filter((prediction) => prediction.output === output);
		return [
			{ output, key: "y" as const, head: output },
			...(own.some(({ lo }) => lo) ? [{ output, key: "lo" as const, head: `${output}.lo` }] : []),
			...(own.some(({ hi }) => hi) ? [{ output, key: "hi" as const, head: `${output}.hi` }] : []),
			...(own.some(({ data }) => data) ? [{ output, key: "data" as const, head: `${output}.data` }] : []),
		];
	});
	const lines = [["t", ...columns.map(({ head }) => head), "experiment", "part"].map(field).join(",")];
	const groups = new Map<string, Prediction[]>();
	for (const prediction of predictions) {
		const key = JSON.stringify([prediction.experiment, prediction.part]);
		groups.set(key, [...(groups.get(key) ?? []), prediction]);
	}
	for (const group of groups.values()) {
		const values = columns.map(({ output, key }) => {
			const own = group.find((prediction) => prediction.output === output);
			if (!own) return new Map<number, number>();
			const source = key === "data" ? own.data : { t: own.t, y: own[key] };
			return source?.y ? byTime(source.t, source.y) : new Map<number, number>();
		});
		const times = Float64Array.from(new Set(group.flatMap(({ t }) => [...t]))).sort();
		const tail = `${field(group[0].experiment)},${group[0].part}`;
		for (const t of times) {
			const row = values.map((column) => numberField(column.get(t)));
			lines.push(`${t},${row.join(",")},${tail}`);
		}
	}
	return `${lines.join("\n")}\n`;
}

function byTime(t: Float64Array, y: Float64Array): Map<number, number> {
	const map = new Map<number, number>();
	for (let i = 0; i < t.length; i++) map.set(t[i], y[i]);
	return map;
}

function numberField(value: number | undefined): string {
	return value === undefined || Number.isNaN(value) ? "" : String(value);
}

/** A field in quotes where it needs them. */
function field(text: string): string {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
