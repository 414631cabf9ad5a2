/**
 * IR as program text, for languages with C's loops and branches. What a language adds is how an operation, a
 * declaration and a store are written. Every name in the text is generated: `v` values, `x` variables, `i` loop
 * indices; in a text that works on several groups of lanes side by side, `_0`, `_1`, … are a value's groups.
 */
import { InternalError } from "../errors.ts";
import { inlinable } from "./inline.ts";
import type { Block, Id, Let, PureFunction, Type } from "./ir.ts";

/** An operand as text, with its type: uniform operands may have to be spread over lanes. */
export interface Operand {
	readonly text: string;
	readonly type: Type;
}

export abstract class ProgramText {
	readonly #operands = new Map<Id, readonly Operand[]>();

	constructor(
		readonly groups: number,
		readonly variables: readonly Type[],
	) {}

	protected abstract operation(statement: Let, args: readonly Operand[], group: number): string;
	protected abstract declare(type: Type, name: string, value: string): string;
	protected abstract loopHead(index: string, from: string, to: string): string;
	protected abstract store(buffer: number, index: string, value: Operand, group: number): string;
	/** A value as it must be to be put into a variable of the given type. */
	protected abstract convert(value: Operand, type: Type): string;
	/** Statements for `rarely`, where it is not an expression. */
	protected rarely(_statement: Let, _name: string, _args: readonly Operand[]): string | undefined {
		return undefined;
	}

	block(block: Block, indent: string): string {
		return this.#block(block, inlinable(block), indent);
	}
	/** A function's statements up to its `return`. */
	functionBody(pure: PureFunction, type: Type): string {
		const body = this.#block(pure.body, inlinable(pure.body, [pure.result]), "\t");
		return `${body}\treturn ${bare(this.convert(this.#operand(pure.result, 0), type))};\n`;
	}

	#block(block: Block, inline: ReadonlySet<Id>, indent: string): string {
		let text = "";
		const line = (content: string): void => {
			text += `${indent}${content}\n`;
		};
		for (const statement of block) {
			switch (statement.do) {
				case "let":
					for (const one of this.#let(statement, inline)) line(one);
					break;
				case "set": {
					const type = this.variables[statement.variable];
					for (let group = 0; group < this.#count(type); group++) {
						const value = this.convert(this.#operand(statement.value, group), type);
						line(`${this.variableName(statement.variable, group)} = ${bare(value)};`);
					}
					break;
				}
				case "store": {
					const index = this.#operand(statement.index, 0).text;
					for (let group = 0; group < this.groups; group++)
						line(this.store(statement.buffer, index, this.#operand(statement.value, group), group));
					break;
				}
				case "loop": {
					const index = `i${statement.id}`;
					this.#operands.set(statement.id, [{ text: index, type: "int" }]);
					const from = bare(this.#operand(statement.from, 0).text);
					line(`${this.loopHead(index, from, this.#operand(statement.to, 0).text)} {`);
					text += this.#block(statement.body, inline, `${indent}\t`);
					line("}");
					break;
				}
				case "if": {
					line(`if (${bare(this.#operand(statement.flag, 0).text)}) {`);
					text += this.#block(statement.yes, inline, `${indent}\t`);
					const otherwise = this.#block(statement.no, inline, `${indent}\t`);
					line("}");
					if (otherwise) text = `${text.slice(0, -1)} else {\n${otherwise}${indent}}\n`;
				}
			}
		}
		return text;
	}

	#let(statement: Let, inline: ReadonlySet<Id>): string[] {
		const { id, type, op, args } = statement;
		const lines: string[] = [];
		const operands: Operand[] = [];
		const count = this.#count(type);
		for (let group = 0; group < count; group++) {
			const of = args.map((arg) => this.#operand(arg, group));
			if (inline.has(id)) {
				operands.push({ text: this.operation(statement, of, group), type });
				continue;
			}
			const name = count > 1 ? `v${id}_${group}` : `v${id}`;
			operands.push({ text: name, type });
			const special = op === "rarely" ? this.rarely(statement, name, of) : undefined;
			lines.push(special ?? this.declare(type, name, bare(this.operation(statement, of, group))));
		}
		this.#operands.set(id, operands);
		return lines;
	}

	protected variableName(variable: number, group: number): string {
		return this.#count(this.variables[variable]) > 1 ? `x${variable}_${group}` : `x${variable}`;
	}
	/** Names of all variables with their types. */
	protected variableNames(): Operand[] {
		return this.variables.flatMap((type, variable) =>
			Array.from({ length: this.#count(type) }, (_, group) => ({
				text: this.variableName(variable, group),
				type,
			})),
		);
	}
	#count(type: Type): number {
		return type === "lane" || type === "mask" ? this.groups : 1;
	}
	#operand(id: Id, group: number): Operand {
		const operands = this.#operands.get(id);
		if (!operands) throw new InternalError("a value is used before it is defined", id);
		return operands.length > 1 ? operands[group] : operands[0];
	}
}

/** Without brackets around the whole. */
export function bare(text: string): string {
	if (!text.startsWith("(")) return text;
	let depth = 0;
	for (let i = 0; i < text.length; i++) {
		if (text[i] === "(") depth++;
		else if (text[i] === ")" && --depth === 0) return i === text.length - 1 ? text.slice(1, -1) : text;
	}
	return text;
}
