/** What is to be seen: states and derivatives with bands, each function and its error, with the data. */
import { normalQuantile975 } from "../../num/quantile.ts";
import type { Figure } from "../figure.ts";
import { contours, roundLevels } from "./contours.ts";
import type { LearnedField } from "./learned-field.ts";
import type { KrigingRun } from "./run.ts";

const resolution = 32;

export function figuresOf(run: KrigingRun): Figure[] {
	return [
		...derivativeFigures(run),
		...run.layout.functions.flatMap((_, fn) => functionFigures(run.pass.field, fn)),
	];
}

function derivativeFigures(run: KrigingRun): Figure[] {
	return run.smoothed.flatMap(({ record, tracks }, r) =>
		run.layout.tracks.flatMap(({ name, components, readings }, track) => {
			const { grid } = record;
			const n = grid.length;
			return Array.from({ length: components.length + 1 }, (_, order): Figure => {
				const primes = "'".repeat(order);
				const mean = tracks[track].mean.subarray(order * n, (order + 1) * n);
				const half = tracks[track].variance
					.subarray(order * n, (order + 1) * n)
					.map((v) => normalQuantile975 * Math.sqrt(v));
				const samples = record.tracks[track];
				const own = Array.from(samples.t.keys()).filter((i) => samples.order[i] === order);
				const measured = readings.some((reading) => reading.order === order);
				return {
					name: `smoothed-${r}-${track}-${order}`,
					title: `${name}${primes} in ${record.experiment.name}`,
					caption: `${name}${primes} from the samples, with its 95 % band${measured ? "" : "; it was not measured"}`,
					xLabel: "t",
					yLabel: `${name}${primes}`,
					section: "fit",
					small: true,
					marks: [
						{
							type: "band",
							x: grid,
							lo: mean.map((v, i) => v - half[i]),
							hi: mean.map((v, i) => v + half[i]),
							role: "band",
						},
						{ type: "line", x: grid, y: mean, role: "model" },
						...(measured
							? [
									{
										type: "points" as const,
										x: own.map((i) => samples.t[i]),
										y: own.map((i) => samples.y[i]),
										role: "data" as const,
									},
								]
							: []),
					],
				};
			});
		}),
	);
}

/** Of one argument: a curve with its band. Of more: lines of equal height over the first two, the others at their middle. */
export function functionFigures(field: LearnedField, fn: number): Figure[] {
	const { design, data } = field;
	const { name, argNames, centre, scale } = design.functions[fn];
	const points = data.sites
		.filter(({ of }) => of === fn)
		.map(({ x }) => x.map((value, a) => value * scale[a] + centre[a]));
	const range = (a: number): Float64Array => {
		const values = points.map((point) => point[a]);
		const lo = Math.min(...values);
		const hi = Math.max(...values);
		const margin = 0.05 * (hi - lo);
		return Float64Array.from(
			{ length: resolution },
			(_, i) => lo - margin + (i / (resolution - 1)) * (hi - lo + 2 * margin),
		);
	};
	const xs = range(0);
	if (argNames.length === 1) {
		const { value, sd } = field.predict(
			fn,
			Array.from(xs, (x) => [x]),
		);
		return [
			{
				name: `function-${name}`,
				title: `${name}(${argNames[0]})`,
				caption: "the learned function with its 95 % band; ticks mark where data are",
				xLabel: argNames[0],
				yLabel: name,
				section: "sure",
				marks: [
					{
						type: "band",
						x: xs,
						lo: value.map((v, i) => v - normalQuantile975 * sd[i]),
						hi: value.map((v, i) => v + normalQuantile975 * sd[i]),
						role: "band",
					},
					{ type: "line", x: xs, y: value, role: "model" },
					{
						type: "points",
						x: points.map(([x]) => x),
						y: points.map((point) => field.functions[fn].value(point)),
						role: "data",
						label: "data",
					},
				],
			},
		];
	}
	const ys = range(1);
	const grid = Array.from({ length: resolution * resolution }, (_, at) => {
		const args = centre.slice();
		args[0] = xs[at % resolution];
		args[1] = ys[Math.floor(at / resolution)];
		return args;
	});
	const { value, sd } = field.predict(fn, grid);
	const others = argNames.slice(2).map((arg, a) => `${arg} = ${centre[a + 2].toPrecision(3)}`);
	const where = others.length > 0 ? `, at ${others.join(", ")}` : "";
	const plane = (kind: string, title: string, caption: string, values: Float64Array): Figure => ({
		name: `function-${name}-${kind}`,
		title,
		caption: `${caption}${where}; points are where data are`,
		xLabel: argNames[0],
		yLabel: argNames[1],
		section: "sure",
		small: true,
		marks: [
			{ type: "points", x: points.map(([x]) => x), y: points.map((point) => point[1]), role: "muted" },
			...contours(xs, ys, values, roundLevels(values, 8))
				.filter(({ x }) => x.length > 0)
				.map(({ level, x, y }) => ({
					type: "line" as const,
					x,
					y,
					role: "model" as const,
					label: String(level),
				})),
		],
	});
	return [
		plane("value", `${name}(${argNames.join(", ")})`, "lines of equal value of the learned function", value),
		plane("error", `error of ${name}`, "lines of equal standard deviation of its error", sd),
	];
}
