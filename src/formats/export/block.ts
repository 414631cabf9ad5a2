/** Expressions as statements of one language. */
import type { Node } from "../../model/graph.ts";
import { symbolsOf } from "../../model/walk.ts";
import { type Dialect, infixAlgebra } from "./algebra.ts";
import type { Layout } from "./identified.ts";
import { writeNodes } from "./write-node.ts";

export interface Block {
	/** Which of the names are used: those of states, parameters and inputs. */
	uses(name: string): boolean;
	/** Shared parts, each before those that use it. */
	readonly shared: readonly { readonly name: string; readonly text: string }[];
	readonly results: readonly string[];
}

export function blockOf(layout: Layout, roots: readonly Node[], dialect: Dialect): Block {
	const { names } = layout;
	const algebra = infixAlgebra(dialect);
	const { shared, results } = writeNodes(
		roots,
		algebra,
		(symbol) => names.of(symbol),
		(wanted) => names.fresh(wanted),
	);
	const used = new Set([...symbolsOf(roots)].map((symbol) => names.of(symbol)));
	return {
		uses: (name) => used.has(name),
		shared: shared.map(({ name, value }) => ({ name, text: algebra.text(value) })),
		results: results.map((each) => algebra.text(each)),
	};
}

/** How a language says where a name has its value from: the first state is number 0. */
export interface Binding {
	state(index: number): string;
	param(name: string, index: number): string;
	input(index: number, name: string): string;
	/** The statement that gives it. */
	line(name: string, value: string): string;
}

/** Statements that give the names of a block their values, those of its shared parts last. */
export function bindings(block: Block, { states, params, inputs }: Layout, how: Binding): string {
	const all = [
		...states.map((name, i) => ({ name, text: how.state(i) })),
		...params.map(({ name }, i) => ({ name, text: how.param(name, i) })),
		...inputs.map((name, i) => ({ name, text: how.input(i, name) })),
	];
	return [...all.filter(({ name }) => block.uses(name)), ...block.shared]
		.map(({ name, text }) => `${how.line(name, text)}\n`)
		.join("");
}

/** A title on one line, without what could end a comment. */
export function titleText(title: string): string {
	return title.replace(/[^\x20-\x7e]/g, "?").replace(/\*\/|"""|%\}/g, "");
}

export const quoted = (names: readonly string[]): string =>
	names.map((name) => JSON.stringify(name)).join(", ");
