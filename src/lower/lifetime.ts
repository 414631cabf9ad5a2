/**
 * When a value is last needed: the statement of its own block after which its place can be used again. A use inside
 * a loop or branch counts for the whole of it; a value written in place (`inline`) is used where that is written.
 */
import type { Block, Id, Statement } from "./ir.ts";

export function lifetimes(
	block: Block,
	inline: ReadonlySet<Id>,
	results: readonly Id[] = [],
): ReadonlyMap<Statement, readonly Id[]> {
	const home = new Map<Id, number>();
	const args = new Map<Id, readonly Id[]>();
	const last = new Map<Id, Statement>();
	/** The statement being written at each depth. */
	const path: Statement[] = [];
	const use = (id: Id): void => {
		if (inline.has(id)) args.get(id)?.forEach(use);
		else if (home.has(id)) last.set(id, path[home.get(id)!]);
	};
	const walk = (inner: Block, depth: number): void => {
		for (const statement of inner) {
			path[depth] = statement;
			switch (statement.do) {
				case "let":
					args.set(statement.id, statement.args);
					if (inline.has(statement.id)) break;
					home.set(statement.id, depth);
					last.set(statement.id, statement);
					statement.args.forEach(use);
					break;
				case "set":
					use(statement.value);
					break;
				case "store":
					use(statement.index);
					use(statement.value);
					break;
				case "loop":
					use(statement.from);
					use(statement.to);
					walk(statement.body, depth + 1);
					break;
				case "if":
					use(statement.flag);
					walk(statement.yes, depth + 1);
					walk(statement.no, depth + 1);
			}
		}
	};
	walk(block, 0);
	const keep = (id: Id): void => {
		if (inline.has(id)) args.get(id)!.forEach(keep);
		else last.delete(id);
	};
	results.forEach(keep);
	const end = new Map<Statement, Id[]>();
	for (const [id, statement] of last) {
		const ids = end.get(statement);
		if (ids) ids.push(id);
		else end.set(statement, [id]);
	}
	return end;
}
