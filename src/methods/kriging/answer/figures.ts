/** What is to be seen: states and derivatives with bands, each function and its error, with the data. */

import type { Figure } from "../../../estimate/figure.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { callArguments } from "../field/derivative-data.ts";
import { after } from "../field/learning.ts";
import type { KrigingRun } from "../run.ts";
import { axisOver, planeFigure } from "./plane.ts";

export function* figuresOf(run: KrigingRun): Generator<void, Figure[]> {
	const figures = derivativeFigures(run);
	for (const fn of run.layout.functions.keys()) {
		yield;
		figures.push(...functionFigures(run, fn));
	}
	return figures;
}

function derivativeFigures(run: KrigingRun): Figure[] {
	return run.everySample.flatMap(({ record, tracks }, r) =>
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

/** Of one argument: a curve with its band. Of more: over the first two, the others at their middle. */
function functionFigures(run: KrigingRun, fn: number): Figure[] {
	const { field } = run.pass;
	const { name, argNames, centre } = field.design.functions[fn];
	const points = samplePoints(run, fn);
	const column = (a: number): Float64Array => Float64Array.from(points, (point) => point[a]);
	const xs = axisOver(column(0));
	if (argNames.length === 1) return [curve(run, fn, xs)];
	const ys = axisOver(column(1));
	const grid = Array.from({ length: xs.length * ys.length }, (_, at) => {
		const args = centre.slice();
		args[0] = xs[at % xs.length];
		args[1] = ys[Math.floor(at / xs.length)];
		return args;
	});
	const { value, sd } = run.fieldError.predict(fn, grid);
	const others = argNames.slice(2).map((arg, a) => `${arg} = ${centre[a + 2].toPrecision(3)}`);
	const where = others.length > 0 ? ` at ${others.join(", ")}` : "";
	const plane = (kind: string, title: string, caption: string, values: Float64Array): Figure =>
		planeFigure({
			name: `function-${name}-${kind}`,
			title,
			caption: `${caption}${where}`,
			xLabel: argNames[0],
			yLabel: argNames[1],
			xs,
			ys,
			values,
			data: { x: column(0), y: column(1) },
			small: true,
		});
	return [
		plane("value", `${name}(${argNames.join(", ")})`, "the learned function", value),
		plane(
			"error",
			`Error of ${name}`,
			"standard deviation of its error, with what a higher trend leaves open outside the data",
			sd,
		),
	];
}

/** A function of one argument, with what the derivatives at the samples say of it. */
function curve(run: KrigingRun, fn: number, xs: Float64Array): Figure {
	const { field } = run.pass;
	const { name, argNames } = field.design.functions[fn];
	const { value, sd } = run.fieldError.predict(
		fn,
		Array.from(xs, (x) => [x]),
	);
	const seen = observed(run, fn);
	return {
		name: `function-${name}`,
		title: `${name}(${argNames[0]})`,
		caption:
			"the learned function with its 95 % band; points are what the derivatives at the samples say of it",
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
			{ type: "points", x: seen.map(([x]) => x), y: seen.map(([, y]) => y), role: "data" },
			{ type: "line", x: xs, y: value, role: "model" },
		],
	};
}

/** Arguments of a function at the samples, in natural units. */
function samplePoints({ dynamics, smoothed, pass, layout }: KrigingRun, fn: number): Float64Array[] {
	const args = callArguments(dynamics, smoothed, after(pass, dynamics).params);
	return layout.calls
		.filter((call) => call.fn === fn)
		.flatMap(({ node, start }) => args.map((each) => each.slice(start, start + node.args.length)));
}

/** Single values of a function in the derivatives of step 1; what lies far off the others is left out. */
function observed({ learning, pass, dynamics }: KrigingRun, fn: number): [number, number][] {
	const { field, seen } = learning!.passes.findLast(({ kind }) => kind !== "trajectory")!;
	const data = seen!;
	const { scale, centre } = field.design.functions[fn];
	const { params } = after(pass, dynamics);
	const all = data.functionals.flatMap(({ at, weight, factors }, i): [number, number][] => {
		if (at.length !== 1 || data.sites[at[0]].of !== fn) return [];
		let value = data.y[i];
		for (let j = 0; j < params.length; j++) value -= factors[j] * params[j];
		return [[data.sites[at[0]].x[0] * scale[0] + centre[0], value / weight[0]]];
	});
	const sorted = Float64Array.from(all, ([, y]) => y).sort();
	const [low, high] = [0.05, 0.95].map((share) => sorted[Math.floor(share * (sorted.length - 1))]);
	const reach = high - low;
	return all.filter(([, y]) => y >= low - reach && y <= high + reach);
}
