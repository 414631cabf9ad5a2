/**
 * Fixed-step Runge-Kutta over a whole record for a batch of parameter vectors, state in registers. With
 * sensitivities the stages themselves are differentiated, so dy is the exact derivative of what y computes.
 *
 * Buffers (see `grid.ts` for the uniform ones): lane `params` (nParams), `x0` (nStates), `s0` (nStates × nSens, where
 * asked for); out `y` (nEmits × nOutputs), `dy` (nEmits × nOutputs × nSens), `xEnd`, `sEnd`. Where sensitivities lie in memory,
 * the kernel has `work` to itself.
 */
import { Differentiator } from "../../model/derivative.ts";
import type { Graph, Node } from "../../model/graph.ts";
import { type Buffer, KernelBuilder, type Value, type Variable } from "../builder.ts";
import { ExpressionLowering, madeOnce } from "../expression.ts";
import type { Kernel } from "../ir.ts";
import { addScaled } from "./linear.ts";
import type { Derivatives, Sensitivities, SensitivityBuffers } from "./sensitivities.ts";
import { SensitivitiesInMemory } from "./sensitivities-in-memory.ts";
import { SensitivitiesInRegisters } from "./sensitivities-in-registers.ts";
import { stageNodes, type Tableau, type TableauName, tableaus } from "./tableaus.ts";

export interface RungeKuttaSpec {
	readonly graph: Graph;
	readonly tableau?: TableauName;
	/** State components and their time derivatives: expressions of `t`, components, inputs and parameters. */
	readonly components: readonly string[];
	readonly rhs: readonly Node[];
	readonly params: readonly string[];
	readonly inputs: readonly string[];
	/** What is written at each sample: expressions of the same symbols. */
	readonly outputs: readonly Node[];
	/** Differentiate by these parameters, and by the initial values of these components. */
	readonly sensitivities?: readonly string[];
	/** Take initial sensitivities from a buffer; else they are 0 for parameters, 1 for a component's own. */
	readonly initialSensitivities?: boolean;
}

const ranks = { param: 0, step: 1, state: 2 };
/** Numbers in the sensitivities up to which they stay in registers: compilers take their time over long code. */
const mostInRegisters = 256;

export function rungeKuttaKernel(spec: RungeKuttaSpec): Kernel {
	return new RungeKutta(spec).build();
}

class RungeKutta {
	readonly #b = new KernelBuilder();
	readonly #tableau: Tableau;
	readonly #nodes: number[];
	readonly #wrt: readonly string[];
	/** By the states, and by what they are sensitive to. */
	readonly #ofRhs: Derivatives;
	readonly #ofOutputs: Derivatives;
	readonly #ranks = new Map<string, number>();
	readonly #params = new Map<string, Value>();

	constructor(readonly spec: RungeKuttaSpec) {
		const { graph, components, rhs, outputs, inputs, sensitivities = [] } = spec;
		this.#tableau = tableaus[spec.tableau ?? "rk4"];
		this.#nodes = stageNodes(this.#tableau);
		this.#wrt = sensitivities;
		const d = new Differentiator(graph);
		const isState = new Set(components);
		const derivatives = (nodes: readonly Node[]): Derivatives => ({
			byState: sensitivities.length > 0 ? d.jacobian(nodes, components) : [],
			// By an initial value nothing depends directly.
			direct: nodes.flatMap((node) =>
				sensitivities.map((name) => (isState.has(name) ? graph.zero : d.derivative(node, name))),
			),
		});
		this.#ofRhs = derivatives(rhs);
		this.#ofOutputs = derivatives(outputs);
		for (const name of ["t", ...inputs]) this.#ranks.set(name, ranks.step);
		for (const name of components) this.#ranks.set(name, ranks.state);
	}

	build(): Kernel {
		const { components, params, rhs, outputs } = this.spec;
		const b = this.#b;
		const nSens = this.#wrt.length;
		const buffers = {
			t: b.buffer("t", "uniform"),
			h: b.buffer("h", "uniform"),
			u: b.buffer("u", "uniform"),
			emit: b.buffer("emit", "uniform"),
			sampleT: b.buffer("sampleT", "uniform"),
			sampleU: b.buffer("sampleU", "uniform"),
		};
		const paramBuffer = b.buffer("params", "lane");
		const x0 = b.buffer("x0", "lane");
		const s0 = this.spec.initialSensitivities && nSens > 0 ? b.buffer("s0", "lane") : undefined;
		const y = b.buffer("y", "lane", "write");
		const dy = nSens > 0 ? b.buffer("dy", "lane", "write") : undefined;
		const xEnd = b.buffer("xEnd", "lane", "write");
		const sEnd = nSens > 0 ? b.buffer("sEnd", "lane", "write") : undefined;
		const perLane = this.#workPerLane;
		const work = perLane > 0 ? b.workspace("work", perLane) : undefined;
		const nSteps = b.scalar("nSteps", "int");

		for (const [i, name] of params.entries()) this.#params.set(name, b.load(paramBuffer, i));
		const x = components.map((_, i) => b.variable("lane", b.load(x0, i)));
		const sensitivities = dy && this.#sensitivities({ s0, dy, sEnd: sEnd!, work });
		const derivatives = [this.#ofRhs, this.#ofOutputs].flatMap(({ byState, direct }) => [
			...byState,
			...direct,
		]);
		this.#lowering(new Map()).hoist([...rhs, ...outputs, ...derivatives], ranks.param);
		b.loop(b.int(0), b.intAdd(nSteps, b.int(1)), (step) => {
			const emit = b.load(buffers.emit, step);
			b.if(b.le(b.constant(0), emit), () => {
				const sample = b.toInt(emit);
				const at = this.#symbolsAt(b.load(buffers.sampleT, sample), buffers.sampleU, sample, x);
				const lowering = this.#lowering(at);
				const first = b.intMul(sample, b.int(outputs.length));
				for (const [o, value] of lowering.lower(outputs).entries())
					b.store(y, b.intAdd(first, b.int(o)), value);
				sensitivities?.emit(lowering, this.#ofOutputs, b.intMul(first, b.int(nSens)));
			});
			b.if(b.intLt(step, nSteps), () => this.#step(step, buffers, x, sensitivities));
		});
		for (const [i, variable] of x.entries()) b.store(xEnd, i, b.get(variable));
		sensitivities?.end();
		const kernel = b.kernel(`rungeKutta`);
		if (nSens > 0) return kernel;
		const along = { t: 1, h: 1, u: this.#nodes.length * this.spec.inputs.length, emit: 1 };
		return {
			...kernel,
			pieces: { steps: "nSteps", along, state: { x0: "xEnd" }, rows: outputs.length },
		};
	}

	/** Sensitivities, and their slopes at all stages; 0 where they stay in registers. */
	get #workPerLane(): number {
		const size = this.spec.components.length * this.#wrt.length;
		return size > mostInRegisters ? size * (1 + this.#tableau.c.length) : 0;
	}

	#sensitivities(buffers: SensitivityBuffers): Sensitivities {
		const { components } = this.spec;
		const initial = (state: number, m: number): number => (components[state] === this.#wrt[m] ? 1 : 0);
		const size = { nStates: components.length, nSens: this.#wrt.length };
		return buffers.work
			? new SensitivitiesInMemory(this.#b, this.#tableau, size, { ...buffers, work: buffers.work }, initial)
			: new SensitivitiesInRegisters(this.#b, this.#tableau, size, buffers, initial);
	}

	#lowering(symbols: ReadonlyMap<string, () => Value>): ExpressionLowering {
		return new ExpressionLowering(
			this.#b,
			madeOnce(this.#params, symbols),
			(name) => this.#ranks.get(name) ?? ranks.param,
		);
	}

	/** Time, inputs (row number `row` of a buffer) and the present state, by name. */
	#symbolsAt(t: Value, u: Buffer, row: Value, x: readonly Variable[]): Map<string, () => Value> {
		const b = this.#b;
		const { components, inputs } = this.spec;
		const symbols = new Map<string, () => Value>([["t", () => t]]);
		for (const [i, name] of components.entries()) symbols.set(name, () => b.get(x[i]));
		for (const [j, name] of inputs.entries())
			symbols.set(name, () => b.load(u, b.intAdd(b.intMul(row, b.int(inputs.length)), b.int(j))));
		return symbols;
	}

	#step(
		step: Value,
		buffers: { t: Buffer; h: Buffer; u: Buffer },
		x: readonly Variable[],
		sensitivities: Sensitivities | undefined,
	): void {
		const b = this.#b;
		const { inputs, components, rhs } = this.spec;
		const { a, b: weights, c } = this.#tableau;
		const t = b.load(buffers.t, step);
		const h = b.load(buffers.h, step);
		const x0 = x.map((v) => b.get(v));
		const uNodes = this.#nodes.map((_, node) => {
			const row = b.intAdd(b.intMul(step, b.int(this.#nodes.length)), b.int(node));
			const first = b.intMul(row, b.int(inputs.length));
			return inputs.map((_, j) => b.load(buffers.u, b.intAdd(first, b.int(j))));
		});
		const k: Value[][] = [];
		const moved = (by: readonly number[]): Value[] =>
			x0.map((value, i) =>
				addScaled(
					b,
					value,
					h,
					by,
					k.map((row) => row[i]),
				),
			);
		sensitivities?.beginStep(h);
		for (const [stage, fraction] of c.entries()) {
			const xs = moved(a[stage]);
			const ts = fraction === 0 ? t : b.add(t, b.mul(h, b.constant(fraction)));
			const symbols = new Map<string, () => Value>([["t", () => ts]]);
			for (const [i, name] of components.entries()) symbols.set(name, () => xs[i]);
			const u = uNodes[this.#nodes.indexOf(fraction)];
			for (const [j, name] of inputs.entries()) symbols.set(name, () => u[j]);
			const lowering = this.#lowering(symbols);
			k.push(lowering.lower(rhs));
			sensitivities?.stage(stage, lowering, this.#ofRhs);
		}
		for (const [i, value] of moved(weights).entries()) b.set(x[i], value);
		sensitivities?.endStep();
	}
}
