/**
 * Expressions as affine functions: node = offset + Σ coefficient · symbol, where neither offset nor coefficients hold
 * any of the symbols. What is affine only after terms of products cancel is not recognised.
 */
import type { Graph, Node } from "../graph.ts";
import { visitOnce } from "../walk.ts";

export interface AffineForm {
	/** By symbol; a symbol that does not occur has no entry. */
	readonly coefficients: ReadonlyMap<string, Node>;
	readonly offset: Node;
}

/** `undefined` when `node` is not affine in `symbols` jointly. */
export function affineIn(graph: Graph, node: Node, symbols: Iterable<string>): AffineForm | undefined {
	const names = new Set(symbols);
	const forms = new Map<Node, AffineForm | undefined>();
	/** What holds none of the symbols. */
	const constant = new Set<Node>();
	const formOf = (each: Node): AffineForm | undefined =>
		constant.has(each) ? { coefficients: new Map(), offset: each } : forms.get(each);
	visitOnce(
		node,
		(each) => constant.has(each) || forms.has(each),
		(each) => {
			if (each.op === "sym" ? !names.has(each.name!) : each.args.every((arg) => constant.has(arg)))
				constant.add(each);
			else forms.set(each, combine(graph, each, formOf));
		},
	);
	return formOf(node);
}

function combine(
	graph: Graph,
	node: Node,
	formOf: (arg: Node) => AffineForm | undefined,
): AffineForm | undefined {
	if (node.op === "sym") return { coefficients: new Map([[node.name!, graph.one]]), offset: graph.zero };
	const forms = node.args.map(formOf);
	if (!forms.every((form) => form !== undefined)) return undefined;
	const dependent = forms.filter((form) => form.coefficients.size > 0);
	// The symbols cancelled in every argument: 2(x + a) - 2x.
	if (dependent.length === 0) {
		const rebuilt = graph.rebuild(
			node,
			forms.map((form) => form.offset),
		);
		return { coefficients: new Map(), offset: rebuilt };
	}
	switch (node.op) {
		case "add":
			return sumOf(graph, forms);
		case "mul": {
			if (dependent.length > 1) return undefined;
			const others = forms.filter((form) => form !== dependent[0]);
			const factor = graph.product(others.map((form) => form.offset));
			return scaled(dependent[0], (part) => graph.mul(factor, part));
		}
		case "if": {
			const [test, a, b] = forms;
			if (test.coefficients.size > 0) return undefined;
			const names = new Set([...a.coefficients.keys(), ...b.coefficients.keys()]);
			const choose = (p: Node | undefined, q: Node | undefined): Node =>
				graph.if(test.offset, p ?? graph.zero, q ?? graph.zero);
			return {
				coefficients: new Map(
					[...names].map((name) => [name, choose(a.coefficients.get(name), b.coefficients.get(name))]),
				),
				offset: choose(a.offset, b.offset),
			};
		}
		default:
			return undefined;
	}
}

function sumOf(graph: Graph, forms: readonly AffineForm[]): AffineForm {
	const parts = new Map<string, Node[]>();
	const offsets: Node[] = [];
	for (const form of forms) {
		offsets.push(form.offset);
		for (const [name, coefficient] of form.coefficients) {
			const list = parts.get(name);
			if (list) list.push(coefficient);
			else parts.set(name, [coefficient]);
		}
	}
	const coefficients = [...parts]
		.map(([name, list]): [string, Node] => [name, graph.sum(list)])
		.filter(([, coefficient]) => coefficient !== graph.zero);
	return { coefficients: new Map(coefficients), offset: graph.sum(offsets) };
}

function scaled(form: AffineForm, scale: (node: Node) => Node): AffineForm {
	return {
		coefficients: new Map([...form.coefficients].map(([name, node]) => [name, scale(node)])),
		offset: scale(form.offset),
	};
}
