/**
 * The design study that the paper recommends: data are simulated from the answer, as it was measured and with other designs, and
 * the share of cases says how often the same terms are found.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { spreadParams } from "../../../estimate/observe/spread.ts";
import { decimalConstant } from "../../../model/decimal-constant.ts";
import type { Node } from "../../../model/graph.ts";
import type { Model } from "../../../model/model.ts";
import { ownInEachRecord } from "../../../model/population.ts";
import { stream } from "../../../num/random.ts";
import type { Problem } from "../../problem.ts";
import type { RowNoise } from "../candidates/noise.ts";
import type { FittedModel } from "../descent/fitted-model.ts";
import type { InversionOptions, Workspace } from "../workspace.ts";
import { emptyRecord, simulatedRecords } from "./simulated-records.ts";

export interface DesignOutcome {
	readonly design: string;
	readonly found: number;
	readonly of: number;
}

interface Design {
	readonly name: string;
	/** Factor of the noise. */
	readonly noise: number;
	readonly repeats?: true;
	records(experiments: readonly Experiment[]): readonly Experiment[];
	/** For each of its records, the experiment that it is like. */
	origin(count: number): number[];
}

const same = (count: number): number[] => [...Array(count).keys()];

const common: readonly Design[] = [
	{ name: "as it was measured", noise: 1, records: (all) => all, origin: same },
	{ name: "half the noise", noise: 0.5, records: (all) => all, origin: same },
	{ name: "twice as many samples", noise: 1, records: (all) => all.map(twiceSampled), origin: same },
	{
		name: "every experiment twice",
		noise: 1,
		repeats: true,
		records: (all) => [...all, ...all.map((each) => ({ ...each, name: `${each.name} again` }))],
		origin: (count) => [...same(count), ...same(count)],
	},
];

const otherConditions: Design = {
	name: "other conditions, drawn between the least and the largest",
	noise: 1,
	records: (all) => all.map((experiment, e) => ({ ...experiment, conditions: drawnConditions(all, e) })),
	origin: same,
};

export function designsFor({ model }: Problem): readonly Design[] {
	// A record that is measured again would be another, with weights of its own.
	const own = ownInEachRecord(model).length > 0;
	return [
		...common.filter(({ repeats }) => !(own && repeats)),
		...(model.conditions.length > 0 ? [otherConditions] : []),
	];
}

function drawnConditions(all: readonly Experiment[], e: number): Record<string, number> {
	return Object.fromEntries(
		Object.keys(all[e].conditions).map((name) => {
			const values = all.map(({ conditions }) => conditions[name]);
			const lo = values.reduce((a, b) => Math.min(a, b));
			const hi = values.reduce((a, b) => Math.max(a, b));
			return [name, lo + (hi - lo) * stream(1, `inversion design ${name}`).uniform(e)];
		}),
	);
}

/** One case of a design: whether the same terms are found in data simulated from the answer. */
export async function designCase(
	work: Workspace,
	final: FittedModel,
	noise: RowNoise,
	scale: number,
	substeps: number,
	which: number,
	k: number,
	choose: (problem: Problem, options: InversionOptions) => Promise<readonly string[]>,
): Promise<boolean> {
	const { setting, problem, nWeights } = work;
	const design = designsFor(problem)[which];
	const origin = design.origin(problem.train.length);
	const { initials, observations } = setting;
	const point = Float64Array.from([
		...final.point.subarray(0, nWeights),
		...origin.flatMap((e) =>
			initials.flatMap((initial, i) => (initial.experiment === e ? [final.point[nWeights + i]] : [])),
		),
	]);
	const train = await simulatedRecords({
		candidates: setting.candidates,
		point,
		experiments: design.records(problem.train),
		substeps,
		noise: (output, e) => {
			const group = observations.groups.find(
				({ experiment, measure }) => experiment === origin[e] && measure.name === output,
			)!;
			return design.noise * scale * noise.sd[group.from];
		},
		seed: problem.seed + 1000 * k + 1,
		compute: problem.compute,
	});
	const options = { ...work.options, profile: false, stability: 0, starts: 0, design: 0 };
	const model = withNoise(problem.model, design.noise);
	const found = await choose({ ...problem, model, train, test: [] }, options);
	const wanted = final.active.filter((u) => u < nWeights).map((u) => work.nameOf(u));
	return found.join("\n") === wanted.join("\n");
}

/** What is declared of the noise is what is simulated. */
function withNoise(model: Model, factor: number): Model {
	const { graph } = model;
	const free = spreadParams(model);
	const isOpen = (spread: Node): boolean => spread.op === "sym" && free.has(spread.name!);
	return {
		...model,
		measures: model.measures.map((measure) =>
			measure.spread && factor !== 1 && !isOpen(measure.spread)
				? { ...measure, spread: graph.mul(decimalConstant(graph, factor), measure.spread) }
				: measure,
		),
	};
}

/** Samples halfway between those that are there. */
function twiceSampled(experiment: Experiment): Experiment {
	const { times } = experiment;
	const dense = Float64Array.from({ length: 2 * times.length - 1 }, (_, k) =>
		k % 2 === 0 ? times[k / 2] : (times[(k - 1) / 2] + times[(k + 1) / 2]) / 2,
	);
	const record = emptyRecord(experiment.name, dense, [...experiment.outputs.keys()], experiment.conditions);
	return { ...record, inputs: experiment.inputs };
}
