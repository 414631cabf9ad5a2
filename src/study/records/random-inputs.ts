/**
 * Inputs that are random processes, drawn for a simulation. A Matérn process is drawn exactly at instants that lie dense beside its
 * length, with lines or a spline between them. White noise is held over short cells, each with the variance q²/h: short beside
 * the fastest rate of the model, so that what it does to the states has its variance to a part in a thousand. Held noise means
 * equations in the sense of Stratonovich; they are written in that of Itô, and the difference is taken away.
 */
import { type Signal, signalFrom } from "../../data/signal/signal.ts";
import { MaternSystem } from "../../estimate/state-space/matern-system.ts";
import { maternStationary } from "../../estimate/state-space/matern-terms.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import { constantValue } from "../../model/constant.ts";
import { Differentiator } from "../../model/derivative.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Node } from "../../model/graph.ts";
import { isWhite } from "../../model/language/process-noise.ts";
import type { Model } from "../../model/model.ts";
import { choleskyInto } from "../../num/linear/cholesky.ts";
import { type Stream, stream } from "../../num/random.ts";
import { wholePower } from "../../num/whole-power.ts";
import { randomInputs } from "../simulate/simulated-model.ts";

/** Cells from one sample to the next at least, of a unit of time at the fastest rate, and of the length of a process. */
const [perSample, perRate, perLength] = [16, 10, 32];
/** Cells of a record at most. */
const mostCells = 1_000_000;

/** Equations whose held noise does what white noise does in the sense of Itô. */
export function heldNoiseModel(model: Model): Model {
	const { graph, components, rhs } = model;
	const d = new Differentiator(graph);
	const drifts = randomInputs(model).flatMap((input) => {
		if (!isWhite(input) || input.knowledge.kind !== "distribution") return [];
		const [strength] = input.knowledge.distribution.args;
		const slopes = d.jacobian(rhs, [input.name]).map((slope) => graph.mul(strength, slope));
		return [slopes.map((slope) => d.directional(slope, components, slopes))];
	});
	const half = graph.div(graph.one, graph.add(graph.one, graph.one));
	return {
		...model,
		rhs: rhs.map((node, i) => drifts.reduce((sum, drift) => graph.sub(sum, graph.mul(half, drift[i])), node)),
	};
}

/** What a model is bound to while it is simulated. */
export interface Bound {
	readonly names: readonly string[];
	readonly values: Float64Array;
	readonly inputs: readonly string[];
	readonly signals: readonly { at(t: number): number }[];
}

/** The largest rate of a model along states x at times t: rows of its Jacobian, absolutely. */
export function fastestRate(
	{ graph, components, rhs }: Model,
	t: Float64Array,
	x: Float64Array,
	{ names, values, inputs, signals }: Bound,
): number {
	const n = components.length;
	const evaluateJacobian = compileFunction(new Differentiator(graph).jacobian(rhs, components), [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: components },
		{ name: "u", symbols: inputs },
		{ name: "p", symbols: names },
	]);
	const jacobian = new Float64Array(n * n);
	let most = 0;
	for (let k = 0; k < t.length; k++) {
		const u = Float64Array.from(signals, (signal) => signal.at(t[k]));
		evaluateJacobian(t[k], x.subarray(k * n, (k + 1) * n), u, values, jacobian);
		for (let i = 0; i < n; i++) {
			let row = 0;
			for (let j = 0; j < n; j++) row += Math.abs(jacobian[i * n + j]);
			if (row > most) most = row;
		}
	}
	return most;
}

/** A signal of each random input, from the first of `times` to the last. */
export function drawnInputs(
	model: Model,
	times: Float64Array,
	rate: number,
	numberOf: (name: string) => number,
	seed: number,
	record: string,
): Map<string, Signal> {
	return new Map(
		randomInputs(model).map((input): [string, Signal] => {
			const { name, knowledge } = input;
			const args: readonly Node[] = knowledge.kind === "distribution" ? knowledge.distribution.args : [];
			const random = stream(seed, `process ${name} in ${record}`);
			const value = (node: Node): number => evaluate(node, numberOf);
			if (isWhite(input)) return [name, white(cells(times, perRate * rate), value(args[0]), random)];
			const p = Math.round(constantValue(args[0]) - 0.5);
			const length = value(args[2]);
			return [name, matern(cells(times, perLength / length), p, value(args[1]), length, random)];
		}),
	);
}

/** Instants from sample to sample, so many a unit of time at least. */
function cells(times: Float64Array, density: number): Float64Array {
	const most = Math.max(perSample, Math.floor(mostCells / times.length));
	const grid: number[] = [];
	for (let i = 0; i + 1 < times.length; i++) {
		const length = times[i + 1] - times[i];
		const count = Math.min(most, Math.max(perSample, Math.ceil(density * length)));
		for (let k = 0; k < count; k++) grid.push(times[i] + (length * k) / count);
	}
	grid.push(times[times.length - 1]);
	return Float64Array.from(grid);
}

function white(grid: Float64Array, strength: number, random: Stream): Signal {
	const values = grid.map((t, i) =>
		i + 1 < grid.length ? (strength * random.normal(i)) / Math.sqrt(grid[i + 1] - t) : 0,
	);
	return signalFrom(grid, values, "zoh");
}

function matern(grid: Float64Array, p: number, sd: number, length: number, random: Stream): Signal {
	const d = p + 1;
	const rate = Math.sqrt(2 * p + 1) / length;
	const scaled = maternStationary(p);
	const system = new MaternSystem(p, length, (i, j) => sd * sd * scaled[i][j] * wholePower(rate, i + j));
	let x = new Float64Array(d);
	const [a, q] = [new Float64Array(d * d), system.stationary.slice()];
	const values = grid.map((t, k) => {
		if (k > 0) {
			const step = t - grid[k - 1];
			system.transitionInto(a, step);
			system.noiseInto(q, a, step);
		}
		choleskyInto(q, d);
		x = x.map((_, i) => {
			let sum = 0;
			for (let j = 0; j < d; j++)
				sum += (k > 0 ? a[i * d + j] * x[j] : 0) + (j <= i ? q[i * d + j] * random.normal(k * d + j) : 0);
			return sum;
		});
		return x[0];
	});
	return signalFrom(grid, values, p > 0 ? "cubic" : "linear");
}
