/** One experiment out of several records of it: outputs that were sampled at different instants, in files of their own. */
import { InputError } from "../errors.ts";
import type { Experiment, Series } from "./experiment.ts";

/** Instants closer than this part of the mean step are the same. */
const SAME = 1e-6;

/**
 * The experiment that has the inputs, outputs and conditions of all `parts`, which have to be the same experiment on
 * the same clock. Its times are those of all parts together, and its rows count these.
 */
export function mergeSeries(name: string, parts: readonly Experiment[]): Experiment {
	if (parts.length === 0) throw new InputError(name, "has no record");
	const times = mergedTimes(parts.map((part) => part.times));
	const merged: Experiment = {
		name,
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map(),
		conditions: {},
		removed: {},
	};
	for (const part of parts) {
		for (const [key, signal] of part.inputs) addOnce(merged.inputs, key, signal, name);
		for (const [key, series] of part.outputs) addOnce(merged.outputs, key, onRowsOf(times, series), name);
		for (const [key, value] of Object.entries(part.conditions)) {
			if (Object.hasOwn(merged.conditions, key) && merged.conditions[key] !== value) {
				throw new InputError(
					`${name}, condition ${key}`,
					`is ${merged.conditions[key]} and ${value}`,
					"Give it once.",
				);
			}
			merged.conditions[key] = value;
		}
		Object.assign(merged.removed, part.removed);
	}
	return merged;
}

function addOnce<T>(map: Map<string, T>, key: string, value: T, name: string): void {
	if (map.has(key)) throw new InputError(name, `has ${key} in two records`, "Name it in one of them.");
	map.set(key, value);
}

function mergedTimes(all: Float64Array[]): Float64Array {
	const sorted = new Float64Array(all.reduce((n, times) => n + times.length, 0));
	let end = 0;
	for (const times of all) {
		sorted.set(times, end);
		end += times.length;
	}
	sorted.sort();
	const tolerance = (SAME * (sorted[sorted.length - 1] - sorted[0])) / sorted.length;
	let n = 0;
	for (const t of sorted) if (n === 0 || t - sorted[n - 1] > tolerance) sorted[n++] = t;
	return sorted.slice(0, n);
}

/** The same series with its rows counted in `times`: the last one not after each sample. */
function onRowsOf(times: Float64Array, series: Series): Series {
	const rows = new Int32Array(series.times.length);
	let row = 0;
	for (let k = 0; k < rows.length; k++) {
		while (row + 1 < times.length && times[row + 1] <= series.times[k]) row++;
		rows[k] = row;
	}
	return { ...series, times: Float64Array.from(rows, (i) => times[i]), rows };
}
