/** The model moved by hand: fetched when the first curve is wanted, without any of the methods. */
import { type Played, type Player, playerOf } from "../../src/study/index.ts";
import type { PlanRecord, PlayAsk, PlaySetup, RowRange, TableData } from "../contract.ts";
import { failureOf } from "./failure.ts";
import { readModel } from "./read-model.ts";

const tables = new Map<string, TableData>();
let player: Player | undefined;

export async function stage(ask: PlayAsk): Promise<PlaySetup> {
	for (const table of ask.tables) tables.set(table.source, table);
	player = undefined;
	try {
		const source = await readModel(ask.model, "model.ode");
		const { records } = ask;
		// A function with a finite basis is a sum with weights, which begin at 0: no term is there before it is asked for.
		const hasBasis = source.unknowns.some(({ kind }) => kind === "basis");
		const { model, weights } = hasBasis
			? (await import("./bases.ts")).expandBases(source)
			: { model: source, weights: [] };
		const set = { ...Object.fromEntries(weights.map(({ name }) => [name, 0])), ...ask.set };
		const study = {
			records: records.map(studyRecord),
			train: records.map(({ train = { from: 0 } }) => selection(train)),
			test: records.map(({ test = "none" }) => selection(test)),
			set,
		};
		player = playerOf(
			study,
			model,
			tables as never,
			async () => (await import("./solving.ts")).simulateRecord,
		);
		return { tracks: player.tracks };
	} catch (error) {
		const { kind, problem, details } = failureOf(error);
		if (kind === "bug") throw error;
		return { why: details[0]?.message ?? problem };
	}
}

export async function play(values: Readonly<Record<string, number>>): Promise<readonly Played[]> {
	return (await player?.play(values)) ?? [];
}

export function field(
	values: Readonly<Record<string, number>>,
	points: Float64Array,
): Float64Array | undefined {
	return player?.field(values, points);
}

function studyRecord(record: PlanRecord, i: number) {
	const { file, name = file } = record;
	// The page has read the file as it is to be read.
	return {
		path: `data[${i}]`,
		...record,
		name,
		conditionColumns: record.conditionColumns ?? {},
		reading: {},
	};
}

function selection(rows: RowRange | "none") {
	return rows === "none" ? rows : { from: rows.from, to: rows.to ?? Infinity };
}
