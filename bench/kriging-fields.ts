/**
 * Fields in the plane learned from three records each, and followed from starts between these: how often bands hold the true state.
 * --systems plane,chosen,judged: ten fields with records of their own, those on which the form of the errors was chosen, and those on which
 * it is judged, whose records start anywhere. --seeds N, --seed N: how many noises (and starts), and the first.
 */
import { krigingOptions } from "../src/methods/kriging/options.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { chosenOn, drawnField, judgedOn } from "../test/methods/kriging/drawn-fields.ts";
import {
	addCoverage,
	type PlaneField,
	planeFields,
	type StartCoverage,
	startsBetween,
} from "../test/methods/kriging/fields.ts";
import type { BenchOptions } from "./main.ts";

const nStarts = 6;
const sets: Readonly<Record<string, Readonly<Record<string, (seed: number) => PlaneField>>>> = {
	plane: mapped(planeFields, (_, field) => () => field),
	chosen: mapped(chosenOn, (name, drawn) => (seed) => drawnField(name, drawn, seed)),
	judged: mapped(judgedOn, (name, drawn) => (seed) => drawnField(name, drawn, seed)),
};

function mapped<A, B>(
	of: Readonly<Record<string, A>>,
	change: (name: string, value: A) => B,
): Record<string, B> {
	return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(name, value)]));
}

export async function bench({
	systems = ["plane"],
	seeds = 6,
	seed: first = 11,
}: BenchOptions): Promise<void> {
	console.log(
		"share of simulated states within their 95 % band, from starts between three records (goal: 0.90 to 0.98)",
	);
	const options = defaultOptions(krigingOptions);
	let index = 0;
	for (const set of systems)
		for (const [name, fieldOf] of Object.entries(sets[set] ?? {})) {
			// No two fields with the same noise: the first samples of a test weigh much, and all would err alike.
			const noise = 100 * index++;
			const runs: StartCoverage[][] = [];
			for (let seed = first; seed < first + seeds; seed++) {
				const field = fieldOf(seed);
				const starts = startsBetween(field, nStarts);
				const found = starts.map(
					(start): StartCoverage => ({ start, inside: 0, bounded: 0, all: 0, square: 0 }),
				);
				await addCoverage(field, found, options, noise + seed);
				runs.push(found);
			}
			tell(name, runs);
		}
}

function tell(name: string, runs: readonly (readonly StartCoverage[])[]): void {
	const total = (of: "inside" | "bounded" | "all" | "square", each: readonly StartCoverage[]): number =>
		each.reduce((sum, start) => sum + start[of], 0);
	const all = runs.flat();
	const bounded = total("bounded", all);
	const mean = total("inside", all) / bounded;
	const n = runs.length;
	// One start is held nearly everywhere or it is not, and those of a run have one field: runs are the unit of the error.
	const square = runs.reduce(
		(sum, run) => sum + (total("inside", run) - mean * total("bounded", run)) ** 2,
		0,
	);
	const error = (n * Math.sqrt(square / (n * (n - 1)))) / bounded;
	const rms = Math.sqrt(total("square", all) / bounded);
	const byRun = runs.map((run) => (total("inside", run) / total("bounded", run)).toFixed(2)).join(" ");
	console.log(
		`  ${name.padEnd(30)} ${mean.toFixed(3)} ± ${error.toFixed(3)}, errors ${rms.toFixed(2)} of what is stated, a band at ${(bounded / total("all", all)).toFixed(2)} of the instants; ${byRun}`,
	);
}
