/** Drops values that nothing uses: an expression's parts that were absorbed into something larger. */
import type { Block, Id, Statement } from "./ir.ts";

export function pruned(block: Block, results: readonly Id[] = []): Block {
	return prune(block, new Set(results));
}

/** Backwards, so that a use is seen before its definition; `used` grows on the way. */
function prune(block: Block, used: Set<Id>): Block {
	const kept: Statement[] = [];
	for (let i = block.length - 1; i >= 0; i--) {
		const statement = block[i];
		switch (statement.do) {
			case "let":
				if (!used.has(statement.id)) continue;
				for (const arg of statement.args) used.add(arg);
				kept.push(statement);
				break;
			case "set":
				used.add(statement.value);
				kept.push(statement);
				break;
			case "store":
				used.add(statement.index).add(statement.value);
				kept.push(statement);
				break;
			case "loop":
				kept.push({ ...statement, body: prune(statement.body, used) });
				used.add(statement.from).add(statement.to);
				break;
			case "if":
				kept.push({ ...statement, yes: prune(statement.yes, used), no: prune(statement.no, used) });
				used.add(statement.flag);
		}
	}
	return kept.reverse();
}
