/**
 * What of the chain's equations is linear: parameters (or expressions of parameters) that multiply functions of y alone.
 * The observer finds them in closed form, so they need not be searched for.
 *
 * A parameter that enters with a factor of y alone is a θ itself (gL in gL·(v + EL)). Otherwise the equations are
 * multiplied out and each function of y gets one θ (p1·x - (p1/p2)·x²), if the parameters can be had back from them.
 */
import { Dependence } from "../../../model/dependence.ts";
import type { Graph, Node } from "../../../model/graph.ts";
import { affineIn } from "../../../model/structure/affine.ts";
import { substitute } from "../../../model/walk.ts";
import { splitFactors, termsOf } from "./expand.ts";
import type { LinearTerm } from "./form.ts";

export interface Separation {
	readonly terms: LinearTerm[];
	readonly g: Node[];
	readonly recovered: Map<string, Node>;
}

/**
 * `params`: those that occur nowhere but in `rows`; `others`: symbols that a regressor must not hold (other parameters
 * and hidden states).
 */
export function separateLinear(
	graph: Graph,
	rows: readonly Node[],
	params: readonly string[],
	others: ReadonlySet<string>,
): Separation {
	const dependence = new Dependence();
	const holdsAny = (node: Node, names: Iterable<string>): boolean => {
		for (const name of names) if (dependence.has(node, name)) return true;
		return false;
	};
	const unknown = new Set([...params, ...others]);
	const direct = params.flatMap((name): LinearTerm[] => {
		const regressors = rows.map((row) => {
			const form = affineIn(graph, row, [name]);
			return form && (form.coefficients.get(name) ?? graph.zero);
		});
		const usable = regressors.every((node) => node !== undefined && !holdsAny(node, unknown));
		return usable && regressors.some((node) => node !== graph.zero)
			? [{ name, regressors: regressors as Node[], value: graph.sym(name) }]
			: [];
	});
	const absent = new Map(direct.map(({ name }) => [name, graph.zero]));
	const rest = substitute(graph, rows, absent);
	const recovered = new Map(direct.map(({ name }) => [name, graph.sym(name)]));
	const left = params.filter((name) => !absent.has(name));
	const composite = compositeTerms(graph, rest, left, (node, names) => holdsAny(node, names), others);
	for (const [name, node] of composite?.recovered ?? []) recovered.set(name, node);
	return { terms: [...direct, ...(composite?.terms ?? [])], g: composite?.g ?? rest, recovered };
}

function compositeTerms(
	graph: Graph,
	rows: readonly Node[],
	params: readonly string[],
	holdsAny: (node: Node, names: Iterable<string>) => boolean,
	others: ReadonlySet<string>,
): Separation | undefined {
	const expanded = rows.map((row) => termsOf(graph, row));
	// A factor that mixes y with a parameter, or a term with a hidden state, bars its parameters.
	let free = [...params];
	for (let before = -1; before !== free.length; ) {
		before = free.length;
		const barred = new Set<string>();
		for (const term of expanded.flat()) {
			const { held, rest } = splitFactors(graph, term, (factor) => holdsAny(factor, free));
			if (held === graph.one) continue;
			const pure = !holdsAny(held, others) && !holdsAny(rest, others) && isConstantInTime(held, free);
			if (!pure) for (const name of free) if (holdsAny(held, [name])) barred.add(name);
		}
		free = free.filter((name) => !barred.has(name));
	}
	if (free.length === 0) return undefined;
	const groups = new Map<string, { row: number; regressor: Node; coefficients: Node[] }>();
	const g = expanded.map((terms, row) =>
		graph.sum(
			terms.filter((term) => {
				const { held, rest } = splitFactors(graph, term, (factor) => holdsAny(factor, free));
				if (held === graph.one) return true;
				// A number in front belongs to the coefficient: y and 2y are one regressor.
				const number =
					rest.op === "const"
						? rest
						: rest.op === "mul" && rest.args[0].op === "const"
							? rest.args[0]
							: graph.one;
				const regressor = graph.div(rest, number);
				const key = `${row} ${regressor.id}`;
				const group = groups.get(key) ?? { row, regressor, coefficients: [] };
				group.coefficients.push(graph.mul(number, held));
				groups.set(key, group);
				return false;
			}),
		),
	);
	const terms = [...groups.values()].map(
		({ row, regressor, coefficients }, i): LinearTerm => ({
			name: `θ${i + 1}`,
			regressors: rows.map((_, r) => (r === row ? regressor : graph.zero)),
			value: graph.sum(coefficients),
		}),
	);
	const recovered = solveForParams(graph, terms, free);
	return recovered && { terms, g, recovered };

	function isConstantInTime(node: Node, names: readonly string[]): boolean {
		const dependence = new Dependence();
		return dependence.symbols(node).every((name) => names.includes(name));
	}
}

/** The parameters from θ_j = value_j, one after the other; undefined when that is not possible or not all are needed. */
function solveForParams(
	graph: Graph,
	terms: readonly LinearTerm[],
	params: readonly string[],
): Map<string, Node> | undefined {
	if (terms.length !== params.length) return undefined;
	const dependence = new Dependence();
	const solved = new Map<string, Node>();
	const open = new Set(terms);
	while (open.size > 0) {
		let progress = false;
		for (const term of open) {
			const missing = params.filter((name) => !solved.has(name) && dependence.has(term.value, name));
			if (missing.length !== 1) continue;
			const [value] = substitute(graph, [term.value], solved);
			const solution = solveFor(graph, value, missing[0], graph.sym(term.name));
			if (!solution) continue;
			solved.set(missing[0], solution);
			open.delete(term);
			progress = true;
		}
		if (!progress) return undefined;
	}
	return solved;
}

/** value(name) = target for name, where value is affine in it or in its reciprocal. */
function solveFor(graph: Graph, value: Node, name: string, target: Node): Node | undefined {
	const inverse = substitute(
		graph,
		[value],
		new Map([[name, graph.pow(graph.sym(name), graph.minusOne)]]),
	)[0];
	for (const [node, isInverse] of [
		[value, false],
		[inverse, true],
	] as const) {
		const form = affineIn(graph, node, [name]);
		const coefficient = form?.coefficients.get(name);
		if (!form || !coefficient) continue;
		const solution = graph.div(graph.sub(target, form.offset), coefficient);
		return isInverse ? graph.pow(solution, graph.minusOne) : solution;
	}
	return undefined;
}
