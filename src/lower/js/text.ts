/** IR as JavaScript, one lane at a time. */
import type { Let, Type } from "../ir.ts";
import { bare, type Operand, ProgramText } from "../text.ts";

/** How loads, stores and scalars are written: a batch kernel and a plain function differ in this only. */
export interface Access {
	load(buffer: number, index: string): string;
	store(buffer: number, index: string, value: string): string;
	param(index: number): string;
}

const infix: Partial<Record<Let["op"], string>> = {
	add: "+",
	sub: "-",
	mul: "*",
	div: "/",
	lt: "<",
	le: "<=",
	eq: "===",
	and: "&&",
	or: "||",
	"int.lt": "<",
	"int.le": "<=",
	"int.eq": "===",
	"int.and": "&",
};

export class JsText extends ProgramText {
	/** Functions and tables that the text uses, by name. */
	readonly calls = new Set<string>();

	constructor(
		readonly access: Access,
		variables: readonly Type[] = [],
	) {
		super(1, variables);
	}

	/** Declarations of the variables, to stand before the block. */
	declarations(): string {
		const names = this.variableNames().map(
			({ text, type }) => `${text} = ${type === "mask" ? "false" : "0"}`,
		);
		return names.length > 0 ? `let ${names.join(", ")};` : "";
	}

	protected override declare(_type: Type, name: string, value: string): string {
		return `const ${name} = ${value};`;
	}
	protected override loopHead(index: string, from: string, to: string): string {
		return `for (let ${index} = ${from}; ${index} < ${to}; ${index}++)`;
	}
	protected override store(buffer: number, index: string, value: Operand): string {
		return `${this.access.store(buffer, index, bare(value.text))};`;
	}
	protected override convert(value: Operand): string {
		return value.text;
	}

	protected override operation({ op, text, name, index }: Let, args: readonly Operand[]): string {
		const [a, b, c] = args.map((arg) => arg.text);
		const operator = infix[op];
		if (operator) return `(${a} ${operator} ${b})`;
		switch (op) {
			case "const":
				return text!.startsWith("-") ? `(${text})` : text!;
			case "neg":
				return `(-${a})`;
			case "abs":
			case "sqrt":
				return `Math.${op}(${bare(a)})`;
			case "min":
				return `(${a} < ${b} ? ${a} : ${b})`;
			case "max":
				return `(${a} > ${b} ? ${a} : ${b})`;
			case "not":
				return `(!${a})`;
			case "select":
				return `(${a} ? ${b} : ${c})`;
			case "rarely":
				return `(${a} ? ${this.#call(name!, [b])} : ${c})`;
			case "table":
				this.calls.add(name!);
				return `${name}[${bare(a)}]`;
			case "param":
				return this.access.param(index!);
			case "load":
				return this.access.load(index!, a);
			case "get":
				return this.variableName(index!, 0);
			case "int.add":
				return `((${a} + ${b}) | 0)`;
			case "int.sub":
				return `((${a} - ${b}) | 0)`;
			case "int.mul":
				return `Math.imul(${a}, ${b})`;
			case "int.toReal":
				return a;
			case "int.ofReal":
				return `(${a} | 0)`;
			default:
				return this.#call(
					name ?? op,
					args.map((arg) => arg.text),
				);
		}
	}

	#call(name: string, args: readonly string[]): string {
		this.calls.add(name);
		return `${name}(${args.map(bare).join(", ")})`;
	}
}
