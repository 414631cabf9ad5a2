/** Elementary functions as functions of the IR, and those that a piece of code needs. */
import { InternalError } from "../errors.ts";
import { definitions, tables } from "../num/elementary/definitions.ts";
import { Builder } from "./builder.ts";
import type { Block, PureFunction } from "./ir.ts";

/** An elementary function on lanes, or on one number (`real`). */
export function elementary(name: string, type: "lane" | "real"): PureFunction {
	const definition = definitions.get(name);
	if (!definition) throw new InternalError(`${name} is no elementary function`, name);
	const builder = new Builder();
	const [x, y] = [0, 1].map((index) => builder.param(Math.min(index, definition.params - 1), type));
	return builder.function(name, definition.params, definition.define(builder, x, y));
}

export interface Needs {
	/** Functions on lanes and on single numbers, those they call first. */
	readonly functions: readonly { readonly type: "lane" | "real"; readonly pure: PureFunction }[];
	readonly tables: ReadonlyMap<string, readonly number[]>;
}

/** What `block` calls, and what that calls. */
export function needs(block: Block): Needs {
	const functions = new Map<string, { type: "lane" | "real"; pure: PureFunction }>();
	const used = new Map<string, readonly number[]>();
	const require = (name: string, type: "lane" | "real"): void => {
		const key = `${name}:${type}`;
		if (functions.has(key)) return;
		const pure = elementary(name, type);
		visit(pure.body);
		functions.set(key, { type, pure });
	};
	const visit = (inner: Block): void => {
		for (const statement of inner)
			if (statement.do === "loop") visit(statement.body);
			else if (statement.do === "if") {
				visit(statement.yes);
				visit(statement.no);
			} else if (statement.do === "let") {
				const { op, name, type } = statement;
				if (op === "call") require(name!, type as "lane" | "real");
				else if (op === "rarely") require(name!, "real");
				else if (op === "table") used.set(name!, tables.get(name!)!);
			}
	};
	visit(block);
	return { functions: [...functions.values()], tables: used };
}
