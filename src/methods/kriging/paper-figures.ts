/** Figures 2, 3 and 4 of the paper, from one noise seed. */
import type { Figure, Mark } from "../figure.ts";
import { contours, roundLevels } from "./contours.ts";
import { nSamples, type PaperExample } from "./paper-example.ts";
import type { KrigingRun } from "./run.ts";

const resolution = 40;

export function paperFigures(
	run: KrigingRun,
	example: PaperExample,
	x: Float64Array,
	sd: Float64Array,
): Figure[] {
	return [...trajectories(run, example, x, sd), ...field(run)];
}

/** Figure 2: states and derivatives, estimated up to the last sample and simulated from there on. */
function trajectories(run: KrigingRun, example: PaperExample, x: Float64Array, sd: Float64Array): Figure[] {
	const { tracks, record } = run.smoothed[0];
	const from = nSamples - 1;
	const later = example.t.slice(from);
	return [0, 1].flatMap((c) =>
		[0, 1].map((order): Figure => {
			const truth = order === 0 ? example.x : example.slope;
			const name = `x${c + 1}${order === 0 ? "" : "'"}`;
			const column = (values: Float64Array): Float64Array =>
				Float64Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + c]);
			const simulated = column(x);
			const half = column(sd).map((s) => 1.96 * s);
			const marks: Mark[] = [
				{ type: "line", x: example.t, y: column(truth), role: "truth", label: "truth" },
				{
					type: "points",
					x: record.grid,
					y: order === 0 ? record.tracks[c].y : tracks[c].mean.slice(nSamples, 2 * nSamples),
					role: "data",
					label: order === 0 ? "samples" : "estimated",
				},
				{ type: "rule", at: example.t[from], axis: "x", role: "guide" },
			];
			if (order === 0)
				marks.push(
					{
						type: "band",
						x: later,
						lo: simulated.map((v, i) => v - half[i]),
						hi: simulated.map((v, i) => v + half[i]),
						role: "band",
					},
					{ type: "line", x: later, y: simulated, role: "model", label: "simulated" },
				);
			return {
				name: `kriging-figure-2-${name}`,
				title: `Figure 2: ${name}`,
				caption:
					order === 0 ? "simulated from the last sample on, with its 95 % band" : "estimated at the samples",
				xLabel: "t",
				yLabel: name,
				section: "fit",
				marks,
			};
		}),
	);
}

/** Figures 3 and 4: f1(x1, x2, 0), and where the learned one is off by how much. */
function field({ pass, smoothed }: KrigingRun): Figure[] {
	const { tracks, record } = smoothed[0];
	const points = [0, 1].map((c) => tracks[c].mean.slice(0, record.grid.length));
	const axis = (values: Float64Array): Float64Array => {
		const lo = Math.min(...values);
		const hi = Math.max(...values);
		return Float64Array.from({ length: resolution }, (_, i) => lo + (i / (resolution - 1)) * (hi - lo));
	};
	const [xs, ys] = points.map(axis);
	const truth = new Float64Array(resolution * resolution);
	const off = truth.map((_, at) => {
		const a = xs[at % resolution];
		const b = ys[Math.floor(at / resolution)];
		truth[at] = a - 0.2 * a * b;
		return Math.abs(pass.field.functions[0].value([a, b]) - truth[at]);
	});
	const plane = (name: string, title: string, caption: string, values: Float64Array): Figure => ({
		name,
		title,
		caption,
		xLabel: "x1",
		yLabel: "x2",
		section: "sure",
		marks: [
			{ type: "points", x: points[0], y: points[1], role: "data", label: "samples" },
			...contours(xs, ys, values, roundLevels(values, 8)).map(
				({ level, x, y }): Mark => ({ type: "line", x, y, role: "model", label: String(level) }),
			),
		],
	});
	return [
		plane("kriging-figure-3", "Figure 3: f1(x1, x2, 0)", "lines of equal value of the true function", truth),
		plane("kriging-figure-4", "Figure 4: error of the learned f1", "lines of equal absolute error", off),
	];
}
