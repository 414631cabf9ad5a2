/**
 * Unknown functions with a finite basis, written out: `unknown g(x) = spline(0, 1, 2)` becomes g[x]·x + g[s1(x)]·s1(x),
 * with plain unknown weights and the basis functions as expressions of the graph.
 *
 * A spline has a straight part and one bump for each inner knot; it is straight outside its knots and passes through the
 * origin. `polynomial(d)` has all monomials up to total degree d, the constant too. `fourier(k, period: p)` has the
 * constant, sines and cosines up to order k. A spline or a Fourier series of several arguments has their products.
 * `rational(n, d)` is a polynomial over 1 plus another without constant, so that its weights below do not stand linearly.
 * `library(…)` has the terms that are listed. Sums of bases have each term once; known factors and products multiply terms.
 */

import { naturalSpline, splineAt, splineBump, splinePiece } from "../num/natural-spline.ts";
import { replaced } from "./combination.ts";
import { constantValue } from "./constant.ts";
import { decimalConstant } from "./decimal-constant.ts";
import { Differentiator } from "./derivative.ts";
import type { Graph, Node } from "./graph.ts";
import type { Distribution, Model, UnknownFunction } from "./model.ts";
import { printExpression } from "./print/expression.ts";
import { mapNodes, substitute } from "./walk.ts";

export interface BasisTerm {
	/** As it is named to the user: `x*y`, `s1(x)`. */
	readonly label: string;
	/** An expression of the function's own arguments, as symbols. */
	readonly value: Node;
	/** Which part of a sum it belongs to, and whether it stands in the denominator of that part. */
	readonly part: number;
	readonly isBelow: boolean;
}

/** A term of one family. */
interface Term {
	readonly label: string;
	readonly value: Node;
	readonly isBelow?: boolean;
}

export interface BasisWeight extends BasisTerm {
	/** Name of the parameter that stands for it: `g[s1(x)]`. */
	readonly name: string;
	/** Name of the unknown function. */
	readonly of: string;
}

/** The basis functions of an unknown function, in order. */
export function basisTerms(
	graph: Graph,
	{ params, distribution, composed }: Pick<UnknownFunction, "params" | "distribution" | "composed">,
): BasisTerm[] {
	const products = composed?.products ?? [{ factor: graph.one, families: [distribution] }];
	const all = products.flatMap(({ factor, families }, part) => {
		const lists = families.map((family) => familyTerms(graph, params, family));
		const terms = lists.reduce((done, next) => done.flatMap((a) => next.map((b) => times(graph, a, b))));
		return terms.map(({ label, value, isBelow = false }) => ({
			...(isBelow || factor === graph.one ? { label, value } : named(graph.mul(factor, value))),
			part,
			isBelow,
		}));
	});
	// Sums of bases share terms: each is there once. Over a denominator of its own a term is another.
	const over = new Set(all.flatMap(({ part, isBelow }) => (isBelow ? [part] : [])));
	const place = ({ part }: BasisTerm): number => (over.has(part) ? part : -1);
	const isSame = (a: BasisTerm, b: BasisTerm): boolean =>
		a.value === b.value && a.isBelow === b.isBelow && place(a) === place(b);
	const once = all.filter((term, k) => all.findIndex((other) => isSame(other, term)) === k);
	// Names are told apart by the part where the same stands over several denominators.
	return once.map((term, k) =>
		once.some((other, i) => i < k && other.label === term.label)
			? { ...term, label: `${term.label} of part ${term.part + 1}` }
			: term,
	);
}

const named = (value: Node): Term => ({ label: printExpression(value), value });

function times(graph: Graph, a: Term, b: Term): Term {
	if (a.value === graph.one) return b;
	return b.value === graph.one ? a : named(graph.mul(a.value, b.value));
}

function familyTerms(
	graph: Graph,
	params: readonly string[],
	{ family, args, named: given }: Distribution,
): Term[] {
	const numbers = args.map(constantValue);
	switch (family) {
		case "library":
			return args.map(named);
		case "polynomial":
			return monomials(graph, params, numbers[0]);
		case "rational":
			return [
				...monomials(graph, params, numbers[0]),
				...monomials(graph, params, numbers[1])
					.slice(1)
					.map(({ label, value }) => ({
						label: `/${label.includes("*") ? `(${label})` : label}`,
						value,
						isBelow: true,
					})),
			];
		case "fourier": {
			const period = given.get("period");
			const factors = params.map((name) =>
				harmonics(graph, name, numbers[0], period ?? graph.mul(graph.const(2), graph.pi)),
			);
			return products(graph, factors).filter(({ order }) => order <= numbers[0]);
		}
		default: {
			const factors = params.map((name) => [
				{ label: "", value: graph.one, order: 0 },
				...splineTerms(graph, name, numbers),
			]);
			return products(graph, factors).slice(1);
		}
	}
}

/** The model with every finite basis written out, and the weights that stand for it. */
export function expandBases(model: Model): { model: Model; weights: BasisWeight[] } {
	const functions = model.unknowns.filter(({ kind }) => kind === "basis");
	if (functions.length === 0) return { model, weights: [] };
	const { graph } = model;
	const weights = functions.flatMap((unknown) =>
		basisTerms(graph, unknown).map((term) => ({
			...term,
			name: `${unknown.name}[${term.label}]`,
			of: unknown.name,
		})),
	);
	const replace = basisReplacement(model, weights);
	return {
		weights,
		model: {
			...model,
			unknowns: model.unknowns.filter(({ kind }) => kind !== "basis"),
			params: [
				...model.params,
				...weights.map(({ name, of }) => {
					const { span, byRecord } = functions.find((each) => each.name === of)!;
					return { name, knowledge: { kind: "none" as const }, ...(byRecord && { byRecord }), span };
				}),
			],
			...replaced(model, replace),
		},
	};
}

/** Puts weighted sums for the calls of unknown functions; `weight` may give another expression than the symbol. */
export function basisReplacement(
	model: Model,
	weights: readonly BasisWeight[],
	weight: (weight: BasisWeight) => Node = ({ name }) => model.graph.sym(name),
): (node: Node) => Node {
	const { graph } = model;
	const d = new Differentiator(graph);
	const functions = new Map(model.unknowns.map((each) => [each.name, each]));
	const sums = new Map<string, Node>();
	for (const name of new Set(weights.map(({ of }) => of)))
		sums.set(
			name,
			composedSum(
				graph,
				weights.filter(({ of }) => of === name),
				weight,
			),
		);
	return (root) =>
		mapNodes(graph, [root], (node, args) => {
			const sum = node.op === "call" ? sums.get(node.name!) : undefined;
			if (!sum) return undefined;
			const { params } = functions.get(node.name!)!;
			let value = sum;
			node.partials!.forEach((count, i) => {
				for (let k = 0; k < count; k++) value = d.derivative(value, params[i]);
			});
			return substitute(graph, [value], new Map(params.map((name, i) => [name, args[i]])))[0];
		})[0];
}

/** Parts added up, each over 1 plus what stands below it. */
function composedSum(
	graph: Graph,
	weights: readonly BasisWeight[],
	weight: (weight: BasisWeight) => Node,
): Node {
	const sum = (own: readonly BasisWeight[]): Node =>
		graph.sum(own.map((each) => graph.mul(weight(each), each.value)));
	const below = new Map<number, BasisWeight[]>();
	for (const each of weights) if (each.isBelow) below.set(each.part, [...(below.get(each.part) ?? []), each]);
	const plain = sum(weights.filter(({ part }) => !below.has(part)));
	const fractions = [...below].map(([part, own]) =>
		graph.div(
			sum(weights.filter((each) => each.part === part && !each.isBelow)),
			graph.add(graph.one, sum(own)),
		),
	);
	return fractions.length === 0 ? plain : graph.sum([plain, ...fractions]);
}

function monomials(graph: Graph, params: readonly string[], degree: number): Term[] {
	const terms: { powers: number[]; total: number }[] = [];
	const grow = (powers: number[], left: number): void => {
		if (powers.length === params.length) {
			terms.push({ powers, total: powers.reduce((sum, power) => sum + power, 0) });
			return;
		}
		for (let power = left; power >= 0; power--) grow([...powers, power], left - power);
	};
	grow([], degree);
	// By degree; within one degree x comes before y.
	return terms
		.map((term, place) => ({ ...term, place }))
		.sort((a, b) => a.total - b.total || a.place - b.place)
		.map(({ powers }) => ({
			label:
				powers
					.flatMap((power, i) => (power === 0 ? [] : [power === 1 ? params[i] : `${params[i]}^${power}`]))
					.join("*") || "1",
			value: graph.product(powers.map((power, i) => graph.pow(graph.sym(params[i]), graph.const(power)))),
		}));
}

interface Factor extends Term {
	readonly order: number;
}

function harmonics(graph: Graph, name: string, order: number, period: Node): Factor[] {
	const terms: Factor[] = [{ label: "", value: graph.one, order: 0 }];
	for (let k = 1; k <= order; k++) {
		const angle = graph.div(graph.product([graph.const(2 * k), graph.pi, graph.sym(name)]), period);
		const of = k === 1 ? name : `${k}*${name}`;
		terms.push({ label: `sin(${of})`, value: graph.unary("sin", angle), order: k });
		terms.push({ label: `cos(${of})`, value: graph.unary("cos", angle), order: k });
	}
	return terms;
}

/** x and the bumps. Each is summed up from pieces that rise only inside their interval, so nothing cancels far away. */
function splineTerms(graph: Graph, name: string, knots: readonly number[]): Factor[] {
	const x = graph.sym(name);
	const n = knots.length;
	const at = knots.map((knot) => graph.const(knot));
	const inside = at
		.slice(1)
		.map((right, i) => graph.sub(graph.binary("min", graph.binary("max", x, at[i]), right), at[i]));
	const before = graph.binary("min", graph.sub(x, at[0]), graph.zero);
	const after = graph.binary("max", graph.sub(x, at[n - 1]), graph.zero);
	const bumps = knots.slice(2).map((_, i): Factor => {
		const bump = splineBump(knots, i + 1);
		const coefficients = inside.map((_, k) => splinePiece(bump, k));
		const constant = (value: number, among: number): Node => decimalConstant(graph, tidy(value, among));
		const sizes = (["b", "c", "d"] as const).map((power) =>
			Math.max(...coefficients.map((piece) => Math.abs(piece[power]))),
		);
		const pieces = inside.flatMap((u, k) => {
			const { b, c, d } = coefficients[k];
			return [b, c, d].map((value, power) =>
				graph.mul(constant(value, sizes[power]), graph.pow(u, graph.const(power + 1))),
			);
		});
		const shift = bump.values[0] - splineAt(naturalSpline(knots, bump.values), 0);
		return {
			label: `s${i + 1}(${name})`,
			value: graph.sum([
				constant(shift, 1),
				graph.mul(constant(bump.slopes[0], sizes[0]), before),
				...pieces,
				graph.mul(constant(bump.slopes[n - 1], sizes[0]), after),
			]),
			order: 1,
		};
	});
	return [{ label: name, value: x, order: 1 }, ...bumps];
}

/** Rounding errors of the spline's coefficients are no part of the model: 15 digits, beside others of the given size. */
function tidy(value: number, among: number): number {
	return Math.abs(value) < 1e-14 * among ? 0 : Number(value.toPrecision(15));
}

/** All products of one factor each; the first is the product of the constants. */
function products(graph: Graph, factors: readonly (readonly Factor[])[]): Factor[] {
	const all = factors.reduce<Factor[]>(
		(done, next) =>
			done.flatMap((a) =>
				next.map((b) => ({
					label: [a.label, b.label].filter((label) => label !== "").join("*"),
					value: graph.mul(a.value, b.value),
					order: a.order + b.order,
				})),
			),
		[{ label: "", value: graph.one, order: 0 }],
	);
	return all.map((each) => (each.label === "" ? { ...each, label: "1" } : each));
}
