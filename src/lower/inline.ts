/**
 * Which values an emitter writes where they are used, instead of giving them a name: constants, and what is used
 * once, in the block where it is defined. Loads and variables stay in place: stores and sets must not pass them.
 */
import type { Block, Id, Let } from "./ir.ts";

export function inlinable(block: Block, results: readonly Id[] = []): Set<Id> {
	const uses = new Map<Id, number>();
	const home = new Map<Id, Block>();
	const candidates: Let[] = [];
	const inline = new Set<Id>();
	const use = (id: Id, from: Block): void => {
		// A use from an inner block counts twice: a value does not move into a loop.
		uses.set(id, (uses.get(id) ?? 0) + (home.get(id) === from ? 1 : 2));
	};
	const walk = (inner: Block): void => {
		for (const statement of inner) {
			switch (statement.do) {
				case "let":
					for (const arg of statement.args) use(arg, inner);
					// These write their arguments more than once.
					if (statement.op === "min" || statement.op === "max" || statement.op === "rarely")
						for (const arg of statement.args) use(arg, inner);
					home.set(statement.id, inner);
					candidates.push(statement);
					break;
				case "set":
					use(statement.value, inner);
					break;
				case "store":
					use(statement.index, inner);
					use(statement.value, inner);
					break;
				case "loop":
					use(statement.from, inner);
					use(statement.to, inner);
					walk(statement.body);
					break;
				case "if":
					use(statement.flag, inner);
					walk(statement.yes);
					walk(statement.no);
			}
		}
	};
	walk(block);
	for (const id of results) use(id, block);
	for (const { id, op } of candidates) {
		if (op === "const" || op === "param") inline.add(id);
		else if (op !== "load" && op !== "get" && op !== "rarely" && op !== "call" && uses.get(id) === 1)
			inline.add(id);
	}
	return inline;
}
