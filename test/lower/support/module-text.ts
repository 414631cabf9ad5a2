/** A WebAssembly module in the text format, to be read. */
import { numberText } from "../../../src/lower/ir.ts";
import { type Instruction, instructions } from "../../../src/lower/wasm/instructions.ts";
import type { WasmModule } from "../../../src/lower/wasm/module.ts";

export function moduleText(module: WasmModule): string {
	const lines = [`(module`, `  (import "host" "memory" (memory 1))`];
	for (const type of ["i32", ...module.globals])
		lines.push(`  (global (mut ${type}) (${type}.const${type === "v128" ? " f64x2 0 0" : " 0"}))`);
	for (const { name, params, results, locals, code } of module.functions) {
		const mark = module.exported.includes(name) ? ` (export "${name}")` : "";
		const declare = (word: string, types: readonly string[]): string =>
			types.length > 0 ? ` (${word} ${types.join(" ")})` : "";
		lines.push(`  (func $${name}${mark}${declare("param", params)}${declare("result", results)}`);
		if (locals.length > 0) lines.push(`   ${declare("local", locals)}`);
		let depth = 2;
		for (const instruction of code) {
			if (instruction[0] === "end" || instruction[0] === "else") depth--;
			lines.push("  ".repeat(depth) + instructionText(instruction, module));
			if (instructions[instruction[0]].immediate === "block" || instruction[0] === "else") depth++;
		}
		lines.push("  )");
	}
	for (const { offset, values } of module.data)
		lines.push(`  (; data at ${offset}: ${values.map(numberText).join(" ")} ;)`);
	return `${lines.join("\n")}\n)\n`;
}

function instructionText([name, ...immediates]: Instruction, module: WasmModule): string {
	switch (instructions[name].immediate) {
		case "v128": {
			const x = numberText(immediates[0]);
			return `${name} f64x2 ${x} ${x}`;
		}
		case "f64":
			return `${name} ${numberText(immediates[0])}`;
		case "memory":
			return `${name} offset=${immediates[1]}`;
		case "index":
			return name === "call" ? `call $${module.functions[immediates[0]].name}` : `${name} ${immediates[0]}`;
		default:
			return [name, ...immediates].join(" ");
	}
}
