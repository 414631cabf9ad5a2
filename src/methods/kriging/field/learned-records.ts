/** The records that a field is learned from: how many observations they hold, and in which parts these are looked at. */
import type { Dynamics } from "../dynamics.ts";
import { everyNth, isLong, type SmoothedRecord } from "../time/smoothed-record.ts";
import { nodesAmong } from "./condensed-data.ts";
import { callArguments } from "./derivative-data.ts";
import { type FieldFunction, type Site, scaled } from "./field-design.ts";

/** Instants of a long record that are taken at once, and sample times of a piece of its trajectory. */
const atOnce = 50;
const pieceLength = 120;
/** Trajectories are followed from end to end up to so many samples, times the option `points`. */
const trajectoryShare = 1.5;

export class LearnedRecords {
	/** Observations of derivatives. */
	readonly count: number;
	/** As many instants as can be looked at one by one, and whether these are not all. */
	readonly sparse: readonly SmoothedRecord[];
	readonly isMany: boolean;
	/** So many samples that trajectories are followed in short pieces, and these condensed. */
	readonly isCut: boolean;
	/** Sample times that a trajectory is followed over, at most. */
	readonly longest: number;

	constructor(
		readonly dynamics: Dynamics,
		/** At the instants that derivatives are taken from, and at every sample time. */
		readonly instants: readonly SmoothedRecord[],
		readonly whole: readonly SmoothedRecord[],
		/** Observations that are solved at once; more are condensed. */
		readonly points: number,
	) {
		const all = instants.reduce((sum, { record }) => sum + record.grid.length, 0);
		this.count = all * dynamics.layout.equations.length;
		const step = Math.ceil(this.count / points);
		this.isMany = step > 1;
		this.sparse = this.isMany ? instants.map((each) => everyNth(each, step)) : instants;
		const samples = whole.flatMap(({ record }) => record.tracks.map(({ t }) => t.length));
		this.isCut = samples.reduce((sum, each) => sum + each, 0) > trajectoryShare * points;
		this.longest = this.isCut ? pieceLength : Math.max(...whole.map(({ record }) => record.grid.length));
	}

	/** Parts whose errors are independent of one another. */
	*parts(): Generator<SmoothedRecord> {
		for (const each of this.instants)
			if (!isLong(each)) yield each;
			else
				for (let from = 0; from < each.record.grid.length; from += atOnce)
					yield everyNth(each, 1, from, from + atOnce);
	}

	/** Where functions are seen, spread out: what carries them through very many observations. */
	nodes(functions: readonly FieldFunction[], params: Float64Array): Site[] {
		const args = callArguments(this.dynamics, this.instants, params);
		const sites = this.dynamics.layout.calls.flatMap(({ fn, node, start }) =>
			args.map(
				(each): Site => ({
					of: fn,
					x: scaled(functions[fn], each.subarray(start, start + node.args.length)),
				}),
			),
		);
		return nodesAmong(sites, functions.length, Math.floor(this.points / 2));
	}
}
