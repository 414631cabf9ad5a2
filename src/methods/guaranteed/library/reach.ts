/** The verified integrator as a function: every course of a model's states from its declared sets, as a tube. */
import type { Compute } from "../../../compute/compute.ts";
import { inline } from "../../../compute/inline.ts";
import type { Experiment } from "../../../data/experiment.ts";
import { type Interpolation, signalFrom } from "../../../data/signal/signal.ts";
import { InputError } from "../../../errors.ts";
import type { Model } from "../../../model/model.ts";
import { defaultOptions, type OptionValues } from "../../options.ts";
import { guaranteed } from "../guaranteed.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { guaranteedOptions } from "../options.ts";
import { firstFailure, type Part } from "../part.ts";
import { hullOfPieces, onPieces, Tube, type TubePiece } from "./tube.ts";

export interface ReachOptions {
	/** Rising; initial values hold at the first. At these the tube is known closest. */
	readonly times: ArrayLike<number>;
	/** Inputs at these times, by name. */
	readonly inputs?: Readonly<Record<string, ArrayLike<number>>>;
	/** What inputs are between the times (default: held). */
	readonly input?: Interpolation;
	readonly conditions?: Readonly<Record<string, number>>;
	/** How it is done: `order`, `parts`, `effort`, … of the method. */
	readonly options?: Partial<OptionValues<typeof guaranteedOptions>>;
	readonly compute?: Compute;
}

export interface Reached {
	/** Proved to the last of the times, or only as far as the tube goes. */
	readonly outcome: "proved" | "undecided";
	readonly tube: Tube;
	/** Why it ends early, if so, and what may help. */
	readonly why?: string;
	readonly advice?: string;
}

export async function reach(model: Model, given: ReachOptions): Promise<Reached> {
	const times = Float64Array.from(given.times);
	if (times.length < 2 || times.some((t, i) => !Number.isFinite(t) || (i > 0 && !(t > times[i - 1]))))
		throw new InputError("times", "are not two or more rising numbers", "Give them as  times: [0, 1, 2].");
	const { tubes, failure, run } = await followed(model, given, times);
	const names = run.system.states;
	const end = Math.min(...tubes.map(({ pieces }) => pieces[pieces.length - 1]?.to ?? times[0]));
	if (!(end > times[0]))
		throw new InputError(
			model.fileName,
			`cannot be followed from its start: ${failure?.why}`,
			failure?.advice ?? "",
		);
	const pieces = onPieces(
		tubes.map(({ pieces: own }) => own),
		times[0],
		end,
	).map(({ from, to, bounds }) => ({
		from,
		to,
		bounds: hullOfPieces(bounds.map((each) => ({ bounds: each }))),
	}));
	const points = tubes[0].points.flatMap(({ from }) => {
		const all = tubes.map((each) => each.points.find((point) => point.from === from));
		if (from > end || all.some((point) => !point)) return [];
		return [{ from, to: from, bounds: hullOfPieces(all as TubePiece[]) }];
	});
	return {
		outcome: failure ? "undecided" : "proved",
		tube: new Tube(names, pieces, points),
		...(failure ? { why: `t = ${failure.t}: ${failure.why}` } : {}),
		...(failure?.advice ? { advice: failure.advice } : {}),
	};
}

async function followed(model: Model, given: ReachOptions, times: Float64Array) {
	const { inputs = {}, input = "zoh", conditions = {}, compute = inline, options = {} } = given;
	const experiment: Experiment = {
		name: "reach",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(
			Object.entries(inputs).map(([name, values]) => [
				name,
				signalFrom(times, Float64Array.from(values), input),
			]),
		),
		outputs: new Map(),
		conditions: { ...conditions },
		removed: {},
	};
	const missing = model.inputs.find(({ name, knowledge }) => knowledge.kind === "none" && !(name in inputs));
	if (missing)
		throw new InputError(
			`input ${missing.name}`,
			"has no samples",
			`Give them:  inputs: { ${missing.name}: […] }`,
		);
	// What a model measures says nothing of where it leads.
	const problem = {
		model: { ...model, measures: [] },
		train: [experiment],
		test: [],
		start: {},
		seed: 1,
		compute,
	};
	const run: GuaranteedRun = await guaranteed.prepare(problem, {
		...defaultOptions(guaranteedOptions),
		...options,
	});
	while (!(await run.advance()).done);
	if (run.parts.length === 0)
		throw new InputError(
			model.fileName,
			"has no course: what is assumed contradicts the declared sets",
			"Look at what  assume  says.",
		);
	return { run, failure: firstFailure(run.parts), tubes: run.parts.map(piecesOf) };
}

function piecesOf({ tubes, instants }: Part): { readonly pieces: TubePiece[]; readonly points: TubePiece[] } {
	return {
		pieces: tubes.map(({ from, to, states }) => ({ from, to, bounds: Float64Array.from(states) })),
		points: instants.map(({ t, states }) => ({ from: t, to: t, bounds: Float64Array.from(states) })),
	};
}
