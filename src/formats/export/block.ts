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

/** A title on one line, without what could end a comment. */
export function titleText(title: string): string {
	return title.replace(/[^\x20-\x7e]/g, "?").replace(/\*\/|"""|%\}/g, "");
}

export const quoted = (names: readonly string[]): string =>
	names.map((name) => JSON.stringify(name)).join(", ");
