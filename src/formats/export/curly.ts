/** What C and JavaScript share: statements that give names their values, and results that are put into an array. */
import { type Block, bindings } from "./block.ts";
import type { Layout } from "./identified.ts";

/** `declare`: what stands before a name, `const double` or `const`. */
export function curlyBody(block: Block, layout: Layout, declare: string): string {
	const values = bindings(block, layout, {
		state: (i) => `state[${i}]`,
		param: (_, i) => `par[${i}]`,
		input: (i) => `odentify_input(${i}, t)`,
		line: (name, value) => `  ${declare} ${name} = ${value};`,
	});
	return values + block.results.map((text, i) => `  out[${i}] = ${text};\n`).join("");
}
