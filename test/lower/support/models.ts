/** Models for kernel tests, as graphs. */

import { type RungeKuttaSpec, rungeKuttaKernel } from "../../../src/lower/kernels/runge-kutta.ts";
import { Graph, type Node } from "../../../src/model/graph.ts";

export interface TestModel extends RungeKuttaSpec {
	/** Typical parameters and initial state. */
	readonly values: readonly number[];
	readonly start: readonly number[];
	readonly step: number;
}

function symbols(g: Graph, names: readonly string[]): Record<string, Node> {
	return Object.fromEntries(names.map((name) => [name, g.sym(name)]));
}

export function duffing(): TestModel {
	const graph = new Graph();
	const params = ["m", "c", "k", "k3"];
	const s = symbols(graph, ["x", "x'", "u", ...params]);
	const force = graph.add(
		graph.mul(s.c, s["x'"]),
		graph.mul(s.k, s.x),
		graph.mul(s.k3, graph.pow(s.x, graph.const(3))),
	);
	return {
		graph,
		components: ["x", "x'"],
		rhs: [s["x'"], graph.div(graph.sub(s.u, force), s.m)],
		params,
		inputs: ["u"],
		outputs: [s.x, graph.add(s.u, graph.mul(s.k, s.x))],
		values: [1, 0.2, 1, 0.5],
		start: [0.5, 0],
		step: 0.05,
	};
}

export function morrisLecar(): TestModel {
	const graph = new Graph();
	const params = ["gCa", "gK", "gL", "I", "V1", "V2", "V3", "V4", "T0"];
	const s = symbols(graph, ["v", "q", ...params]);
	const c = (x: number): Node => graph.const(x);
	const gate = (x: Node): Node => graph.mul(c(0.5), graph.add(graph.one, graph.unary("tanh", x)));
	const second = graph.add(s.v, s.V3);
	const tau = graph.div(s.T0, graph.unary("cosh", graph.div(second, graph.mul(c(2), s.V4))));
	return {
		graph,
		components: ["v", "q"],
		rhs: [
			graph.add(
				graph.mul(s.gCa, gate(graph.div(graph.sub(s.v, s.V1), s.V2)), graph.add(s.v, c(-100))),
				graph.mul(s.gK, s.q, graph.add(s.v, c(70))),
				graph.mul(s.gL, graph.add(s.v, c(50))),
				s.I,
			),
			graph.div(graph.sub(gate(graph.div(second, s.V4)), s.q), tau),
		],
		params,
		inputs: [],
		outputs: [s.v],
		values: [-4.4, -8, -2, 60, -1.2, 18, 2, 30, 25],
		start: [-20, 0.1],
		step: 0.02,
	};
}

/** Bouc-Wen hysteresis, with kinks, a non-whole power and forcing by a function of time. */
export function boucWen(): TestModel {
	const graph = new Graph();
	const params = ["m", "c", "k", "alpha", "beta", "gamma", "delta", "nu"];
	const s = symbols(graph, ["x", "x'", "z", ...params]);
	const size = (x: Node): Node => graph.unary("abs", x);
	const force = graph.mul(graph.const(2), graph.unary("sin", graph.mul(graph.const(3), graph.t)));
	const memory = graph.add(
		graph.mul(s.gamma, size(s["x'"]), graph.pow(size(s.z), graph.sub(s.nu, graph.one)), s.z),
		graph.mul(s.delta, s["x'"], graph.pow(size(s.z), s.nu)),
	);
	const friction = graph.mul(graph.const(0.01), graph.unary("sign", s["x'"]));
	const sum = graph.add(graph.mul(s.c, s["x'"]), graph.mul(s.k, s.x), s.z, friction);
	const rhs = [
		s["x'"],
		graph.div(graph.sub(force, sum), s.m),
		graph.sub(graph.mul(s.alpha, s["x'"]), graph.mul(s.beta, memory)),
	];
	return {
		graph,
		components: ["x", "x'", "z"],
		rhs,
		params,
		inputs: [],
		outputs: [rhs[1], graph.sqrt(graph.add(graph.one, graph.mul(s.x, s.x)))],
		values: [1, 0.3, 2, 1.5, 0.8, 0.6, -0.4, 1.3],
		start: [0.1, 0.2, 0.3],
		step: 0.04,
	};
}

/** Two inputs, divisions, roots and time in the right-hand side. */
export function tank(): TestModel {
	const graph = new Graph();
	const s = symbols(graph, ["h1", "h2", "a1", "a2", "b", "u1", "u2"]);
	const flow = (h: Node): Node => graph.sqrt(graph.binary("max", h, graph.const(0.01)));
	const gap = graph.mul(graph.const(0.3), s.u2, graph.sub(s.h1, s.h2));
	const wave = graph.add(graph.one, graph.mul(graph.const(0.1), graph.unary("cos", graph.t)));
	return {
		graph,
		components: ["h1", "h2"],
		rhs: [
			graph.div(
				graph.sub(graph.mul(s.b, s.u1, wave), graph.mul(s.a1, flow(s.h1))),
				graph.add(graph.one, s.h1),
			),
			graph.add(
				graph.mul(s.a1, flow(s.h1)),
				graph.neg(graph.mul(s.a2, flow(s.h2))),
				graph.if(graph.compare("lt", s.h2, s.h1), gap, graph.mul(graph.const(2), gap)),
			),
		],
		params: ["a1", "a2", "b"],
		inputs: ["u1", "u2"],
		outputs: [s.h2, graph.unary("exp", graph.neg(s.h1)), graph.mul(s.u1, s.h1)],
		values: [0.5, 0.4, 0.7],
		start: [1, 0.5],
		step: 0.05,
	};
}

/** Masses between springs: so many sensitivities that they lie in memory. */
export function chain(): TestModel {
	const graph = new Graph();
	const numbers = [1, 2, 3, 4, 5, 6, 7];
	const params = numbers.map((i) => `k${i}`);
	const s = symbols(graph, [...numbers.flatMap((i) => [`x${i}`, `v${i}`]), ...params, "u"]);
	const pull = (i: number): Node => {
		if (i > numbers.length) return s.u;
		return graph.mul(s[`k${i}`], i === 1 ? s.x1 : graph.sub(s[`x${i}`], s[`x${i - 1}`]));
	};
	return {
		graph,
		components: numbers.flatMap((i) => [`x${i}`, `v${i}`]),
		rhs: numbers.flatMap((i) => [
			s[`v${i}`],
			graph.sub(
				graph.sub(pull(i + 1), pull(i)),
				graph.mul(graph.const(0.2), graph.pow(s[`v${i}`], graph.const(3))),
			),
		]),
		params,
		inputs: ["u"],
		outputs: [s.x1, graph.mul(s.k3, s.x4), graph.sub(s.x7, graph.unary("sin", s.v2))],
		values: [1, 1.2, 0.9, 1.1, 0.8, 1.3, 1],
		start: [0.5, 0, -0.3, 0, 0.2, 0.1, 0, 0, 0.4, 0, 0.1, -0.2, 0, 0.3],
		step: 0.05,
	};
}

export const models = { duffing, morrisLecar, boucWen, tank, chain };

export function kernelOf(model: TestModel, sensitivities: readonly string[] = [], initial = false) {
	return rungeKuttaKernel({ ...model, sensitivities, initialSensitivities: initial });
}
