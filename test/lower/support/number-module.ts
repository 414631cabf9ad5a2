/** The text of `num/elementary/number.ts`: the elementary functions on JavaScript numbers, generated once and kept. */

import { elementary } from "../../../src/lower/elementary.ts";
import { JsText } from "../../../src/lower/js/text.ts";
import { definitions, tables } from "../../../src/num/elementary/definitions.ts";

const header = `// biome-ignore-all lint: generated
// biome-ignore-all format: generated
/**
 * Elementary functions on numbers: the same bits on every engine, and as in generated code. Use these, not Math's.
 * Generated from the definitions beside this file. A test compares it with them, and writes it anew with vitest -u.
 */
`;

export function numberModule(): string {
	const calls = new Set<string>();
	let text = "";
	for (const [name, values] of tables) text += `\nconst ${name} = [${values.join(", ")}];\n`;
	for (const [name, { params, scalarOnly }] of definitions) {
		const js = new JsText({ load: String, store: String, param: (index) => `s${index}` });
		const body = js.functionBody(elementary(name, "real"), "real");
		for (const call of js.calls) calls.add(call);
		const signature = Array.from({ length: params }, (_, i) => `s${i}: number`).join(", ");
		text += `\n${scalarOnly ? "" : "export "}function ${name}(${signature}): number {\n${body}}\n`;
	}
	const primitives = [...calls].filter((name) => !definitions.has(name) && !tables.has(name)).sort();
	return `${header}import { ${primitives.join(", ")} } from "./primitives.ts";\n${text}`;
}
