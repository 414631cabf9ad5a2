/** Figures 2, 3 and 4 of the paper, from one noise seed, our way and the paper's. */

import type { Figure, Mark } from "../../src/estimate/figure.ts";
import { axisOver, planeFigure } from "../../src/methods/kriging/answer/plane.ts";
import { BoundDynamics } from "../../src/methods/kriging/dynamics.ts";
import { after } from "../../src/methods/kriging/field/learning.ts";
import type { KrigingRun } from "../../src/methods/kriging/run.ts";
import { withConditions } from "../../src/methods/kriging/time/smoothed-record.ts";
import { normalQuantile975 } from "../../src/num/statistics/quantile.ts";
import { nSamples, type PaperExample } from "./paper-example.ts";

/** One seed: what was learned, and the states simulated from the last sample on, row by row. */
export interface Shown {
	readonly run: KrigingRun;
	readonly x: Float64Array;
	readonly sd: Float64Array;
}

export function paperFigures(example: PaperExample, ours: Shown, paper: Shown): Figure[] {
	return [...trajectories(example, ours, paper), ...field(ours.run, paper.run)];
}

/** Figure 2: states and derivatives, estimated up to the last sample and simulated from there on. */
function trajectories(example: PaperExample, ours: Shown, paper: Shown): Figure[] {
	const { tracks, record } = ours.run.smoothed[0];
	const from = nSamples - 1;
	const later = example.t.slice(from);
	return [0, 1].flatMap((c) =>
		[0, 1].map((order): Figure => {
			const truth = order === 0 ? example.x : example.slope;
			const name = `x${c + 1}${order === 0 ? "" : "'"}`;
			const column = (values: Float64Array): Float64Array =>
				Float64Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + c]);
			const shown = (each: Shown): Float64Array =>
				column(order === 0 ? each.x : slopes(each.run, later, each.x));
			const simulated = shown(ours);
			const half = column(ours.sd).map((s) => normalQuantile975 * s);
			const band: Mark = {
				type: "band",
				x: later,
				lo: simulated.map((v, i) => v - half[i]),
				hi: simulated.map((v, i) => v + half[i]),
				role: "band",
			};
			const crosses = shown(paper);
			return {
				name: `kriging-figure-2-${name}`,
				title: `Figure 2: ${name}`,
				caption: `${order === 0 ? "samples" : "estimated at the samples"}; simulated from the last one on${order === 0 ? ", with its 95 % band" : ""}; grey points: the paper's way and its integrator`,
				xLabel: "t",
				yLabel: name,
				section: "fit",
				marks: [
					...(order === 0 ? [band] : []),
					{ type: "line", x: example.t, y: column(truth), role: "truth", label: "truth" },
					{ type: "line", x: later, y: simulated, role: "model", label: "simulated" },
					{
						type: "points",
						x: later.slice(0, crosses.length),
						y: crosses,
						role: "muted",
						label: "paper's way",
					},
					{
						type: "points",
						x: record.grid,
						y: order === 0 ? record.tracks[c].y : tracks[c].mean.slice(nSamples, 2 * nSamples),
						role: "data",
					},
					{ type: "rule", at: example.t[from], axis: "x", role: "guide" },
				],
			};
		}),
	);
}

/** Derivatives of simulated states, by the learned system. */
function slopes({ dynamics, pass, smoothed }: KrigingRun, t: Float64Array, x: Float64Array): Float64Array {
	const { functions, params } = after(pass, dynamics);
	const { record } = smoothed[0];
	const bound = new BoundDynamics(dynamics, functions, withConditions(params, record), record.signals);
	const out = new Float64Array(x.length);
	for (let i = 0; 2 * i < x.length; i++)
		bound.rhs(t[i], x.subarray(2 * i, 2 * i + 2), out.subarray(2 * i, 2 * i + 2));
	return out;
}

/** Figures 3 and 4: f1(x1, x2, 0), and where the learned ones are off by how much. */
function field(ours: KrigingRun, paper: KrigingRun): Figure[] {
	const { tracks, record } = ours.smoothed[0];
	const [x, y] = [0, 1].map((c) => tracks[c].mean.slice(0, record.grid.length));
	const [xs, ys] = [axisOver(x, 0), axisOver(y, 0)];
	const points = Array.from({ length: xs.length * ys.length }, (_, at) => [
		xs[at % xs.length],
		ys[Math.floor(at / xs.length)],
	]);
	const truth = Float64Array.from(points, ([a, b]) => a - 0.2 * a * b);
	const off = ({ pass }: KrigingRun): Float64Array =>
		truth.map((value, at) => Math.abs(pass.field.functions[0].value(points[at]) - value));
	const plane = (name: string, title: string, caption: string, values: Float64Array): Figure =>
		planeFigure({ name, title, caption, xLabel: "x1", yLabel: "x2", xs, ys, values, data: { x, y } });
	return [
		plane("kriging-figure-3", "Figure 3: f1(x1, x2, 0)", "the true function", truth),
		plane("kriging-figure-4", "Figure 4: error of the learned f1", "absolute error", off(ours)),
		plane(
			"kriging-figure-4-paper",
			"Figure 4, the paper's way: error of the learned f1",
			"absolute error of what its way learns",
			off(paper),
		),
	];
}
