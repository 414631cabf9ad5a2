/**
 * One step of a Rosenbrock method in place of the filter's explicit one, where the error of the integration is left out: for
 * models some of whose rates are far too fast for the steps. What such rates have long brought to rest, it damps at once. It works on
 * components in their natural units; of the state it keeps nothing else from step to step.
 */
import type { Buffer, Value } from "../../../../lower/builder.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import type { Node } from "../../../../model/graph.ts";
import { rodas5p } from "../../../../solve/stiff/rodas5p.ts";
import { Symmetric } from "../covariance.ts";
import type { FilterScope } from "../filter-scope.ts";
import { coordinateOf } from "../layout.ts";
import { SparseLu } from "./sparse-lu.ts";
import { stageNodes } from "./stage-inputs.ts";

const { gamma, a, C, c, d, m } = rodas5p;

/** Symbol of the rate at which an input changes where a step begins; no name of the language holds a #. */
const rateSymbol = (name: string): string => `${name}#rate`;

export class RosenbrockStep {
	readonly #rates: readonly Node[];
	/** Rows of the Jacobian, and the slopes by time alone: of formulas of the time and of inputs that change. */
	readonly #jacobian: readonly (readonly Node[])[];
	readonly #drift: readonly Node[];
	readonly #stageT: Buffer;
	readonly #stageU: Buffer;

	constructor(readonly scope: FilterScope) {
		const { b, inputs } = scope;
		const { components, rhs, graph } = scope.spec.model;
		const derive = new Differentiator(graph);
		this.#rates = rhs;
		this.#jacobian = rhs.map((rate) => derive.jacobian([rate], components));
		this.#drift = rhs.map((rate) =>
			graph.sum([
				derive.derivative(rate, "t"),
				...inputs.map((name) => graph.mul(derive.derivative(rate, name), graph.sym(rateSymbol(name)))),
			]),
		);
		this.#stageT = b.buffer("stageT", "uniform");
		this.#stageU = b.buffer("stageU", "uniform");
	}

	/** Computes outside all loops what depends on nothing but parameters. */
	hoist(): void {
		this.scope.hoistAll([...this.#rates, ...this.#jacobian.flat()]);
	}

	write(step: Value): void {
		const { scope } = this;
		const { b, row, uniform, spec } = scope;
		const { components, graph } = spec.model;
		const X = scope.mean.map((variable) => b.get(variable));
		if (!spec.uniformSteps) {
			row.load(b, uniform.scale, step);
			row.rescale(b, X, new Symmetric(0), false);
		}
		const places = components.map((name) => ({
			at: coordinateOf(spec.layout, name),
			derivative: spec.layout.places.get(name)!.derivative,
		}));
		const x = places.map(({ at, derivative }) => row.unscaled(b, X[at], derivative));
		const h = row.scaled(b, b.constant(1), 1);
		const perStep = row.unscaled(b, b.constant(1), 1);
		const t = b.load(this.#stageT, step);
		const start = scope.lowering(this.#symbols(step, t, h, 0, x));
		const diagonal = b.mul(perStep, b.constant(1 / gamma));
		const rows = this.#jacobian.map((nodes, i) => {
			const entries = new Map<number, Value>();
			for (const [j, node] of nodes.entries()) {
				if (node === graph.zero && i !== j) continue;
				const slope = node === graph.zero ? undefined : start.lower([node])[0];
				entries.set(j, i !== j ? b.neg(slope!) : slope ? b.sub(diagonal, slope) : diagonal);
			}
			return entries;
		});
		const lu = new SparseLu<Value>(
			{
				sub: (p, q) => b.sub(p, q),
				neg: (p) => b.neg(p),
				mul: (p, q) => b.mul(p, q),
				reciprocal: (p) => b.div(b.constant(1), p),
			},
			rows,
		);
		const drift = this.#drift.map((node) =>
			node === graph.zero ? undefined : b.mul(h, start.lower([node])[0]),
		);
		const stages: Value[][] = [];
		const sumOf = (first: Value | undefined, weights: readonly number[], i: number): Value | undefined =>
			weights.reduce((sum: Value | undefined, weight, s) => {
				if (weight === 0) return sum;
				const term = weight === 1 ? stages[s][i] : b.mul(stages[s][i], b.constant(weight));
				return sum ? b.add(sum, term) : term;
			}, first);
		for (const s of m.keys()) {
			const at = x.map((value, i) => sumOf(value, a[s], i)!);
			const rates = (s === 0 ? start : scope.lowering(this.#symbols(step, t, h, c[s], at))).lower(
				this.#rates,
			);
			const rightSide = rates.map((rate, i) => {
				const before = sumOf(undefined, C[s], i);
				const own = before ? b.add(rate, b.mul(before, perStep)) : rate;
				const slope = d[s] === 0 ? undefined : drift[i];
				return slope ? b.add(own, b.mul(slope, b.constant(d[s]))) : own;
			});
			stages.push(lu.solve(rightSide));
		}
		for (const [i, { at, derivative }] of places.entries())
			b.set(scope.mean[at], row.scaled(b, sumOf(x[i], m, i)!, derivative));
	}

	/** Time and inputs at a node of the step, and the components. */
	#symbols(step: Value, t: Value, h: Value, node: number, x: readonly Value[]): Map<string, () => Value> {
		const { b, inputs, spec } = this.scope;
		const symbols = new Map<string, () => Value>();
		symbols.set("t", () => (node === 0 ? t : b.add(t, b.mul(h, b.constant(node)))));
		for (const [i, name] of spec.model.components.entries()) symbols.set(name, () => x[i]);
		const width = stageNodes.length + 1;
		const load = (column: number, j: number): Value => {
			const first = b.intMul(step, b.int(width * inputs.length));
			return b.load(this.#stageU, b.intAdd(first, b.int(column * inputs.length + j)));
		};
		for (const [j, name] of inputs.entries()) {
			symbols.set(name, () => load(stageNodes.indexOf(node), j));
			symbols.set(rateSymbol(name), () => load(stageNodes.length, j));
		}
		return symbols;
	}
}
