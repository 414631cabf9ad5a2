/** Plots: states over time, how each unknown shrank as data came in, and the boxes of two unknowns. */

import type { Figure, Mark } from "../../../estimate/figure.ts";
import type { Measure } from "../../../model/model.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { boxFigures } from "./box-figures.ts";
import { followedTo, partsOf } from "./followed.ts";
import { trainPredictions } from "./prediction.ts";
import { timeText } from "./time-text.ts";

export function figuresOf(run: GuaranteedRun): Figure[] {
	return [...stateFigures(run), ...outputFigures(run), ...shrinkFigures(run), ...boxFigures(run)];
}

/** For each state component of each record: the tube of all steps, hulled over the parts, as far as all of them go. */
function stateFigures(run: GuaranteedRun): Figure[] {
	const { states } = run.system;
	return run.problem.train.flatMap((experiment, e) =>
		states.flatMap((name, i): Figure[] => {
			const { x, lo, hi } = tube(run, e, i);
			if (x.length === 0) return [];
			// A narrow band is hard to see without its edges.
			const marks: Mark[] = [
				{ type: "band", x, lo, hi, role: "band", label: "enclosure" },
				{ type: "line", x, y: lo, role: "model" },
				{ type: "line", x, y: hi, role: "model" },
			];
			for (const measure of run.system.model.measures) {
				if (measuredState(run, measure) !== name || !experiment.outputs.has(measure.name)) continue;
				marks.push(dataBars(run, e, measure.name));
			}
			const end = x[x.length - 1];
			const rest =
				end < experiment.times[experiment.times.length - 1]
					? ` It ends at t = ${timeText(end)}: nothing is proved from there on.`
					: "";
			return [
				{
					name: `state-${i}-${e}`,
					title: `${name}${run.problem.train.length > 1 ? `, ${experiment.name}` : ""}`,
					caption: `Every ${name}(t) that ${run.isUnbound ? "starts from the declared sets" : "is consistent with the model and the data"} is in the band.${rest}`,
					xLabel: "t",
					yLabel: name,
					marks,
					section: "fit",
					small: true,
					zoom: x.length > 400,
				},
			];
		}),
	);
}

/** Outputs that are no state by themselves: enclosures at the instants of the data, beside their bars. */
function outputFigures(run: GuaranteedRun): Figure[] {
	const { measures } = run.system.model;
	return trainPredictions(run).flatMap(({ experiment: name, output, t, lo, hi }): Figure[] => {
		const measure = measures.findIndex((each) => each.name === output);
		const e = run.problem.train.findIndex((each) => each.name === name);
		if (measuredState(run, measures[measure]) || !lo || !hi) return [];
		const half = halfBar(run, e);
		return [
			{
				name: `output-${measure}-${e}`,
				title: `${output}${run.problem.train.length > 1 ? `, ${name}` : ""}`,
				caption: `Every ${output} that is consistent with the model and the data, beside the bars of the data.`,
				xLabel: "t",
				yLabel: output,
				marks: [
					{
						type: "boxes",
						x0: t.map((at) => at - 2 * half),
						x1: t.map((at) => at + 2 * half),
						y0: lo,
						y1: hi,
						role: "accent",
						label: "enclosure",
					},
					dataBars(run, e, output),
				],
				section: "fit",
				small: true,
			},
		];
	});
}

/** The state that a measure is, if it is one. */
function measuredState({ system }: GuaranteedRun, { value }: Measure): string | undefined {
	return system.states.find((name) => value.op === "sym" && value.name === name);
}

/** Half the width of a bar in time: to be seen, and apart from the next. */
function halfBar(run: GuaranteedRun, e: number): number {
	const { times } = run.problem.train[e];
	return (times[times.length - 1] - times[0]) / Math.max(160, 6 * times.length);
}

/** What the data allow: narrow boxes as high as the bar of each datum. */
function dataBars(run: GuaranteedRun, e: number, output: string): Mark {
	const half = halfBar(run, e);
	const bars = run.parts
		.map(({ constraints }) =>
			constraints.filter((each) => !each.isSide && each.experiment === e && each.output === output),
		)
		.reduce((longest, own) => (own.length > longest.length ? own : longest), []);
	return {
		type: "boxes",
		x0: bars.map(({ t }) => t - half),
		x1: bars.map(({ t }) => t + half),
		y0: bars.map(({ lo }) => lo),
		y1: bars.map(({ hi }) => hi),
		role: "data",
		label: `bars of ${output}`,
	};
}

function tube(run: GuaranteedRun, e: number, i: number): { x: number[]; lo: number[]; hi: number[] } {
	const x = new Set<number>();
	const end = followedTo(run, e);
	const mine = partsOf(run).flatMap(({ tubes }) =>
		tubes.filter(({ experiment, from }) => experiment === e && from < end),
	);
	for (const { from, to } of mine) x.add(from).add(Math.min(to, end));
	const times = [...x].sort((a, b) => a - b);
	const lo = times.map(() => Number.POSITIVE_INFINITY);
	const hi = times.map(() => Number.NEGATIVE_INFINITY);
	const at = new Map(times.map((t, k) => [t, k]));
	for (const { from, to, states } of mine)
		for (let k = at.get(from)!; k <= at.get(Math.min(to, end))!; k++) {
			lo[k] = Math.min(lo[k], states[2 * i]);
			hi[k] = Math.max(hi[k], states[2 * i + 1]);
		}
	return { x: times, lo, hi };
}

function shrinkFigures(run: GuaranteedRun): Figure[] {
	if (run.isUnbound) return [];
	return run.unknowns.flatMap(({ name, prior }, k): Figure[] => {
		const steps = run.history;
		if (steps.length === 0) return [];
		const several = run.problem.train.length > 1;
		const first = several ? 0 : run.problem.train[0].times[0];
		const x: number[] = [first];
		const lo: number[] = [prior.lo];
		const hi: number[] = [prior.hi];
		const take = (at: number, low: number, high: number): void => {
			x.push(at, at);
			lo.push(lo[lo.length - 1], low);
			hi.push(hi[hi.length - 1], high);
		};
		steps.forEach(({ t, unknowns }, i) => {
			take(several ? i + 1 : t, unknowns[2 * k], unknowns[2 * k + 1]);
		});
		// What all data together leave, boxes cut and sorted: the set of the table.
		const end = x[x.length - 1];
		const after = end + 0.06 * (end - first || 1);
		const { enclosure } = run;
		if (enclosure) {
			take(after - 0.5 * (after - end), enclosure[2 * k], enclosure[2 * k + 1]);
			take(after, enclosure[2 * k], enclosure[2 * k + 1]);
		}
		return [
			{
				name: `shrink-${k}`,
				title: `${name} as data came in`,
				caption: `Values of ${name} that were consistent with the data up to each ${several ? "sample, record after record" : "time"}; at the end, with all data together.`,
				xLabel: several ? "samples seen" : "t",
				yLabel: name,
				marks: [{ type: "band", x, lo, hi, role: "band" }],
				section: "sure",
				small: true,
			},
		];
	});
}
