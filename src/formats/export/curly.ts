/** What C and JavaScript share: statements that give names their values, and results that are put into an array. */
import type { Block } from "./block.ts";
import type { Layout } from "./identified.ts";

export interface CurlyStyle {
	/** `const double`, `const` */
	readonly declare: string;
	readonly out: string;
}

export function curlyBody(
	block: Block,
	{ states, params, inputs }: Layout,
	{ declare, out }: CurlyStyle,
): string {
	const lines: string[] = [];
	const each = (list: readonly string[], vector: string): void =>
		list.forEach((name, i) => {
			if (block.uses(name)) lines.push(`${declare} ${name} = ${vector}[${i}];`);
		});
	each(states, "state");
	each(
		params.map(({ name }) => name),
		"par",
	);
	inputs.forEach((name, i) => {
		if (block.uses(name)) lines.push(`${declare} ${name} = odentify_input(${i}, t);`);
	});
	for (const { name, text } of block.shared) lines.push(`${declare} ${name} = ${text};`);
	block.results.forEach((text, i) => {
		lines.push(`${out}[${i}] = ${text};`);
	});
	return lines.map((line) => `  ${line}\n`).join("");
}
