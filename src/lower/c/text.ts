/** IR as C over the operations of the preamble. */
import type { BufferSpec, Let, Type } from "../ir.ts";
import { bare, type Operand, ProgramText } from "../text.ts";

const types: Record<Type, string> = {
	lane: "lanes",
	mask: "mask",
	real: "double",
	int: "int32_t",
	flag: "int",
};
const infix: Partial<Record<Let["op"], string>> = {
	add: "+",
	sub: "-",
	mul: "*",
	div: "/",
	"int.add": "+",
	"int.sub": "-",
	"int.mul": "*",
	"int.and": "&",
	"int.lt": "<",
	"int.le": "<=",
	"int.eq": "==",
};
const uniformConditions: Partial<Record<Let["op"], string>> = {
	lt: "<",
	le: "<=",
	eq: "==",
	and: "&",
	or: "|",
};

export class CText extends ProgramText {
	constructor(
		readonly buffers: readonly BufferSpec[],
		groups: number,
		variables: readonly Type[] = [],
		/** Lanes that run together keep what they work in together; threads of a graphics processor interleave it. */
		readonly isBlocked = true,
		/** Text for parameter or scalar number i. */
		readonly param: (index: number) => string = (index) => `s${index}`,
	) {
		super(groups, variables);
	}

	declarations(indent: string): string {
		return this.variableNames()
			.map(({ text, type }) => `${indent}${types[type]} ${text};\n`)
			.join("");
	}

	protected override declare(type: Type, name: string, value: string): string {
		return `const ${types[type]} ${name} = ${value};`;
	}
	protected override loopHead(index: string, from: string, to: string): string {
		return `for (int32_t ${index} = ${from}; ${index} < ${to}; ${index}++)`;
	}
	protected override convert(value: Operand, type: Type): string {
		return type === "lane" && value.type === "real" ? `SPREAD(${bare(value.text)})` : value.text;
	}
	protected override store(buffer: number, index: string, value: Operand, group: number): string {
		return `STORE(${this.#place(buffer, index, group)}, ${bare(this.convert(value, "lane"))});`;
	}
	protected override rarely({ type, name }: Let, result: string, args: readonly Operand[]): string {
		const [condition, x, otherwise] = args;
		const fn = functionName(name!, "real");
		if (type === "real")
			return `const double ${result} = ${condition.text} ? ${fn}(${x.text}) : ${otherwise.text};`;
		const lanes = `for (int i = 0; i < WIDTH; i++)`;
		const one = `LANE(${result}, i) = ${fn}(LANE(${x.text}, i))`;
		return (
			`lanes ${result} = ${this.convert(otherwise, "lane")}; ` +
			`if (ANY(${condition.text})) ${lanes} if (LANE(${condition.text}, i)) ${one};`
		);
	}

	protected override operation(
		{ op, type, text, name, index }: Let,
		args: readonly Operand[],
		group: number,
	): string {
		const wide = type === "lane" || type === "mask";
		const [a, b] = args.map((arg) => arg.text);
		const spread = (): string =>
			args.map((arg) => bare(wide ? this.convert(arg, "lane") : arg.text)).join(", ");
		if (infix[op]) {
			// C spreads one uniform operand by itself.
			if (wide && args.every((arg) => arg.type === "real"))
				return `(${this.convert(args[0], "lane")} ${infix[op]} ${b})`;
			return `(${a} ${infix[op]} ${b})`;
		}
		if (type === "flag" && uniformConditions[op]) return `(${a} ${uniformConditions[op]} ${b})`;
		switch (op) {
			case "const":
				return type === "int" ? text! : doubleText(text!);
			case "neg":
				return `(-${a})`;
			case "not":
				return type === "flag" ? `(!${a})` : `NOT(${a})`;
			case "lt":
			case "le":
			case "eq":
			case "and":
			case "or":
				return `${op.toUpperCase()}(${spread()})`;
			case "select":
				if (wide && args[0].type === "flag")
					return `(${a} ? ${this.convert(args[1], "lane")} : ${this.convert(args[2], "lane")})`;
				return `select_${wide ? "l" : "r"}(${spread()})`;
			case "call":
				return `${functionName(name!, wide ? "lane" : "real")}(${spread()})`;
			case "table":
				return `${name}[(int32_t)${a}]`;
			case "param":
				return this.param(index!);
			case "load": {
				const place = this.#place(index!, a, group);
				return wide ? `LOAD(${place})` : `*(${place})`;
			}
			case "get":
				return this.variableName(index!, group);
			case "int.toReal":
				return `(double)${a}`;
			case "int.ofReal":
				return `(int32_t)${a}`;
			default:
				return `${op}_${wide ? "l" : "r"}(${spread()})`;
		}
	}

	#place(buffer: number, index: string, group: number): string {
		if (this.buffers[buffer].kind === "uniform") return `b${buffer} + ${index}`;
		const offset = group > 0 ? ` + ${group} * WIDTH` : "";
		const { perLane } = this.buffers[buffer];
		if (perLane && this.isBlocked)
			return `b${buffer} + lane * ${perLane} + ${index} * (${this.groups} * WIDTH)${offset}`;
		return `b${buffer} + ${index} * batch + lane${offset}`;
	}
}

export function functionName(name: string, type: "lane" | "real"): string {
	return `f_${name}_${type === "lane" ? "l" : "r"}`;
}

/** A double as C: never read as an integer, infinities and NaN as quotients. */
export function doubleText(text: string): string {
	if (text === "Infinity") return "(1.0 / 0.0)";
	if (text === "-Infinity") return "(-1.0 / 0.0)";
	if (text === "NaN") return "(0.0 / 0.0)";
	const literal = /[.e]/.test(text) ? text : `${text}.0`;
	return literal.startsWith("-") ? `(${literal})` : literal;
}
