/** What the code generator must know of a block before it writes it. */
import { inlinable } from "../inline.ts";
import type { Block, Id, Let, Statement, Type } from "../ir.ts";
import { lifetimes } from "../lifetime.ts";

export interface Analysis {
	readonly lets: ReadonlyMap<Id, Let>;
	/** Values that are computed where they are used. */
	readonly inline: ReadonlySet<Id>;
	/** Values whose place is free after a statement. */
	readonly end: ReadonlyMap<Statement, readonly Id[]>;
	/** Uniform reals that lanes use, and those that other uniform values use. */
	readonly laneUses: ReadonlySet<Id>;
	readonly realUses: ReadonlySet<Id>;
}

export function analyse(block: Block, variables: readonly Type[], results: readonly Id[] = []): Analysis {
	const lets = new Map<Id, Let>();
	const laneUses = new Set<Id>();
	const realUses = new Set<Id>(results);
	const use = (id: Id, asLane: boolean): void => {
		if (lets.get(id)?.type === "real") (asLane ? laneUses : realUses).add(id);
	};
	const walk = (inner: Block): void => {
		for (const statement of inner) {
			switch (statement.do) {
				case "let": {
					lets.set(statement.id, statement);
					const asLane = statement.type === "lane" || statement.type === "mask";
					for (const arg of statement.args) use(arg, asLane);
					break;
				}
				case "set":
					use(statement.value, variables[statement.variable] === "lane");
					break;
				case "store":
					use(statement.value, true);
					break;
				case "loop":
					walk(statement.body);
					break;
				case "if":
					walk(statement.yes);
					walk(statement.no);
			}
		}
	};
	walk(block);
	const inline = inlinable(block, results);
	// A uniform value that lanes use is computed once, not once a group.
	for (const id of laneUses) if (lets.get(id)!.op !== "const") inline.delete(id);
	return { lets, inline, end: lifetimes(block, inline, results), laneUses, realUses };
}

/** Values from outside that a block uses, and the variables it reads and sets. */
export interface Reach {
	readonly values: readonly Id[];
	readonly variables: readonly number[];
	readonly set: readonly number[];
}

export function reach(block: Block, { lets, inline }: Analysis): Reach {
	const own = new Set<Id>();
	const values = new Set<Id>();
	const variables = new Set<number>();
	const set = new Set<number>();
	const use = (id: Id): void => {
		if (own.has(id)) return;
		if (inline.has(id)) lets.get(id)!.args.forEach(use);
		else values.add(id);
	};
	const walk = (inner: Block): void => {
		for (const statement of inner) {
			switch (statement.do) {
				case "let":
					own.add(statement.id);
					statement.args.forEach(use);
					if (statement.op === "get") variables.add(statement.index!);
					break;
				case "set":
					use(statement.value);
					variables.add(statement.variable);
					set.add(statement.variable);
					break;
				case "store":
					use(statement.index);
					use(statement.value);
					break;
				case "loop":
					own.add(statement.id);
					use(statement.from);
					use(statement.to);
					walk(statement.body);
					break;
				case "if":
					use(statement.flag);
					walk(statement.yes);
					walk(statement.no);
			}
		}
	};
	walk(block);
	return { values: [...values], variables: [...variables], set: [...set] };
}
