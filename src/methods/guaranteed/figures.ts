/** Plots: states over time, how each unknown shrank as data came in, and the boxes of two unknowns. */
import type { Figure, Mark } from "../figure.ts";
import type { GuaranteedRun } from "./guaranteed-run.ts";

const mostBoxFigures = 6;

export function figuresOf(run: GuaranteedRun): Figure[] {
	return [...stateFigures(run), ...shrinkFigures(run), ...boxFigures(run)];
}

/** For each state component of each record: the tube of all steps, hulled over the parts. */
function stateFigures(run: GuaranteedRun): Figure[] {
	const { states } = run.system;
	return run.problem.train.flatMap((experiment, e) =>
		states.map((name, i): Figure => {
			const { x, lo, hi } = tube(run, e, i);
			const marks: Mark[] = [{ type: "band", x, lo, hi, role: "band", label: "enclosure" }];
			const measure = run.system.model.measures.find(
				({ value }) => value.op === "sym" && value.name === name,
			);
			const series = measure && experiment.outputs.get(measure.name);
			if (series) {
				marks.push(dataBars(run, e, measure.name));
				marks.push({ type: "points", x: series.times, y: series.values, role: "data", label: "data" });
			}
			return {
				name: `state-${i}-${e}`,
				title: `${name}${run.problem.train.length > 1 ? `, ${experiment.name}` : ""}`,
				caption: `Every ${name}(t) that is consistent with the model and the data is in the band.`,
				xLabel: "t",
				yLabel: name,
				marks,
				section: "fit",
				small: true,
				zoom: x.length > 400,
			};
		}),
	);
}

/** What the data allow: narrow boxes as high as the bar of each datum. */
function dataBars(run: GuaranteedRun, e: number, output: string): Mark {
	const { times } = run.problem.train[e];
	const half = (times[times.length - 1] - times[0]) / 400;
	const bars = (run.parts[0]?.constraints ?? []).filter(
		(each) => each.experiment === e && each.output === output,
	);
	return {
		type: "boxes",
		x0: bars.map(({ t }) => t - half),
		x1: bars.map(({ t }) => t + half),
		y0: bars.map(({ lo }) => lo),
		y1: bars.map(({ hi }) => hi),
		role: "data",
		label: "bars of the data",
	};
}

function tube(run: GuaranteedRun, e: number, i: number): { x: number[]; lo: number[]; hi: number[] } {
	const x = new Set<number>();
	const mine = run.parts.flatMap(({ tubes }) => tubes.filter(({ experiment }) => experiment === e));
	for (const { from, to } of mine) x.add(from).add(to);
	const times = [...x].sort((a, b) => a - b);
	const lo = times.map(() => Number.POSITIVE_INFINITY);
	const hi = times.map(() => Number.NEGATIVE_INFINITY);
	const at = new Map(times.map((t, k) => [t, k]));
	for (const { from, to, states } of mine)
		for (let k = at.get(from)!; k <= at.get(to)!; k++) {
			lo[k] = Math.min(lo[k], states[2 * i]);
			hi[k] = Math.max(hi[k], states[2 * i + 1]);
		}
	// At instants with data the bounds are tighter than those of the steps around.
	const points = run.parts.flatMap(({ instants }) => instants.filter(({ experiment }) => experiment === e));
	for (const t of new Set(points.map((point) => point.t))) {
		const here = points.filter((point) => point.t === t);
		const k = at.get(t);
		if (k === undefined || here.length < run.parts.length) continue;
		lo[k] = Math.min(...here.map(({ states }) => states[2 * i]));
		hi[k] = Math.max(...here.map(({ states }) => states[2 * i + 1]));
	}
	return { x: times, lo, hi };
}

function shrinkFigures(run: GuaranteedRun): Figure[] {
	return run.unknowns.flatMap(({ name, prior }, k): Figure[] => {
		const steps = run.history.filter(({ experiment }) => experiment === 0);
		if (steps.length === 0) return [];
		const x: number[] = [run.problem.train[0].times[0]];
		const lo: number[] = [prior.lo];
		const hi: number[] = [prior.hi];
		for (const { t, unknowns } of steps) {
			x.push(t, t);
			lo.push(lo[lo.length - 1], unknowns[2 * k]);
			hi.push(hi[hi.length - 1], unknowns[2 * k + 1]);
		}
		return [
			{
				name: `shrink-${k}`,
				title: `${name} as data came in`,
				caption: `Values of ${name} that were consistent with the data up to each time.`,
				xLabel: "t",
				yLabel: name,
				marks: [{ type: "band", x, lo, hi, role: "band" }],
				section: "sure",
				small: true,
			},
		];
	});
}

/** Pairs of unknowns: boxes proved inside and boxes at the edge. */
function boxFigures(run: GuaranteedRun): Figure[] {
	const { paving, unknowns } = run;
	if (!paving) return [];
	const figures: Figure[] = [];
	for (let i = 0; i < unknowns.length; i++)
		for (let j = i + 1; j < unknowns.length && figures.length < mostBoxFigures; j++) {
			const boxes = (list: readonly Float64Array[], role: "accent" | "muted", label: string): Mark => ({
				type: "boxes",
				x0: list.map((box) => box[2 * i]),
				x1: list.map((box) => box[2 * i + 1]),
				y0: list.map((box) => box[2 * j]),
				y1: list.map((box) => box[2 * j + 1]),
				role,
				label,
			});
			figures.push({
				name: `boxes-${i}-${j}`,
				title: `${unknowns[i].name} and ${unknowns[j].name}`,
				caption: "Inner boxes hold only consistent values; outside all boxes there is none.",
				xLabel: unknowns[i].name,
				yLabel: unknowns[j].name,
				marks: [boxes(paving.outer, "muted", "edge"), boxes(paving.inner, "accent", "inside")],
				section: "sure",
			});
		}
	return figures;
}
