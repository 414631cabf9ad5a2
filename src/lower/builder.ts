/**
 * Builds kernels. Equal pure operations on the same values are one value (within the scope where the first stands),
 * so whoever builds need not mind common sub-expressions.
 */
import { InternalError } from "../errors.ts";
import type { Algebra } from "../num/elementary/algebra.ts";
import {
	type Arithmetic,
	type BufferSpec,
	type Id,
	type Kernel,
	type Let,
	numberText,
	type PureFunction,
	type Statement,
	type Type,
} from "./ir.ts";
import { pruned } from "./prune.ts";

export interface Value {
	readonly id: Id;
	readonly type: Type;
}
export interface Buffer {
	readonly number: number;
	readonly kind: "lane" | "uniform";
}
export interface Variable {
	readonly number: number;
	readonly type: Type;
}
type Extra = { readonly text?: string; readonly name?: string; readonly index?: number };

/** Straight-line code: the algebra of elementary functions with values of the IR. */
export class Builder implements Algebra<Value, Value> {
	protected statements: Statement[] = [];
	/** Pure values known in the present scope, innermost last. */
	protected readonly scopes: Map<string, Value>[] = [new Map()];
	protected nextId = 0;
	/** Known whole numbers, so that index arithmetic with them can be shortened. */
	readonly #ints = new Map<Id, number>();

	constant(x: number): Value {
		return this.#pure("const", "real", [], { text: numberText(x) });
	}
	int(n: number): Value {
		const value = this.#pure("const", "int", [], { text: String(n) });
		this.#ints.set(value.id, n);
		return value;
	}
	param(index: number, type: Type): Value {
		return this.#pure("param", type, [], { index });
	}
	add(a: Value, b: Value): Value {
		return this.#float("add", a, b);
	}
	sub(a: Value, b: Value): Value {
		return this.#float("sub", a, b);
	}
	mul(a: Value, b: Value): Value {
		return this.#float("mul", a, b);
	}
	div(a: Value, b: Value): Value {
		return this.#float("div", a, b);
	}
	neg(a: Value): Value {
		return this.#float("neg", a);
	}
	abs(a: Value): Value {
		return this.#float("abs", a);
	}
	sqrt(a: Value): Value {
		return this.#float("sqrt", a);
	}
	min(a: Value, b: Value): Value {
		return this.#float("min", a, b);
	}
	max(a: Value, b: Value): Value {
		return this.#float("max", a, b);
	}
	copysign(a: Value, b: Value): Value {
		return this.#float("copysign", a, b);
	}
	pow2(k: Value): Value {
		return this.#float("pow2", k);
	}
	exponent(x: Value): Value {
		return this.#float("exponent", x);
	}
	mantissa(x: Value): Value {
		return this.#float("mantissa", x);
	}
	lt(a: Value, b: Value): Value {
		return this.#condition("lt", a, b);
	}
	le(a: Value, b: Value): Value {
		return this.#condition("le", a, b);
	}
	eq(a: Value, b: Value): Value {
		return this.#condition("eq", a, b);
	}
	and(a: Value, b: Value): Value {
		return this.#condition("and", a, b);
	}
	or(a: Value, b: Value): Value {
		return this.#condition("or", a, b);
	}
	not(a: Value): Value {
		return this.#condition("not", a);
	}
	select(condition: Value, yes: Value, no: Value): Value {
		const type = condition.type === "mask" ? "lane" : joined(yes, no);
		return this.#pure("select", type, [condition, yes, no]);
	}
	rarely(condition: Value, name: string, x: Value, otherwise: Value): Value {
		return this.#pure("rarely", joined(x, otherwise), [condition, x, otherwise], { name });
	}
	table(name: string, index: Value): Value {
		return this.#pure("table", "real", [index], { name });
	}
	/** An elementary function by its name. */
	call(name: string, ...args: readonly Value[]): Value {
		return this.#pure("call", joined(...args), args, { name });
	}
	intAdd(a: Value, b: Value): Value {
		if (this.#ints.get(b.id) === 0) return a;
		return this.#pure("int.add", "int", [a, b]);
	}
	intSub(a: Value, b: Value): Value {
		return this.#pure("int.sub", "int", [a, b]);
	}
	intMul(a: Value, b: Value): Value {
		if (this.#ints.get(b.id) === 1) return a;
		return this.#pure("int.mul", "int", [a, b]);
	}
	intAnd(a: Value, b: Value): Value {
		return this.#pure("int.and", "int", [a, b]);
	}
	intLt(a: Value, b: Value): Value {
		return this.#pure("int.lt", "flag", [a, b]);
	}
	intEq(a: Value, b: Value): Value {
		return this.#pure("int.eq", "flag", [a, b]);
	}
	toReal(a: Value): Value {
		return this.#pure("int.toReal", "real", [a]);
	}
	/** A real rounded towards zero; it must be in the range of int32. */
	toInt(a: Value): Value {
		return this.#pure("int.ofReal", "int", [a]);
	}

	/** What was built, as a function of `params` numbers. */
	function(name: string, params: number, result: Value): PureFunction {
		return { name, params, body: pruned(this.statements, [result.id]) as Let[], result: result.id };
	}

	protected define(type: Type, op: Let["op"], args: readonly Value[], extra: Extra = {}): Value {
		const id = this.nextId++;
		this.statements.push({ do: "let", id, type, op, args: args.map((arg) => arg.id), ...extra });
		return { id, type };
	}

	#float(op: Arithmetic, ...args: readonly Value[]): Value {
		return this.#pure(op, joined(...args), args);
	}
	#condition(op: Arithmetic, ...args: readonly Value[]): Value {
		if (args.some(({ type }) => type === "mask") && args.some(({ type }) => type === "flag"))
			throw new InternalError("a condition of lanes and one that they share cannot be combined");
		const perLane = args.some((arg) => arg.type === "lane" || arg.type === "mask");
		return this.#pure(op, perLane ? "mask" : "flag", args);
	}
	#pure(op: Let["op"], type: Type, args: readonly Value[], extra: Extra = {}): Value {
		const own = `${extra.text ?? ""}:${extra.name ?? ""}:${extra.index ?? ""}`;
		const key = `${op}:${type}:${own}:${args.map((arg) => arg.id).join()}`;
		for (const scope of this.scopes) {
			const known = scope.get(key);
			if (known) return known;
		}
		const value = this.define(type, op, args, extra);
		this.scopes[this.scopes.length - 1].set(key, value);
		return value;
	}
}

/** Code with memory: buffers, variables, loops and branches. */
export class KernelBuilder extends Builder {
	readonly #buffers: BufferSpec[] = [];
	readonly #scalars: { name: string; type: "real" | "int" }[] = [];
	readonly #variables: Type[] = [];

	buffer(name: string, kind: BufferSpec["kind"], access: BufferSpec["access"] = "read"): Buffer {
		if (kind === "uniform" && access !== "read") throw new InternalError(`${name}: lanes share it`);
		return { number: this.#buffers.push({ name, kind, access }) - 1, kind };
	}
	/** Room for so many numbers of each lane: written before it is read. */
	workspace(name: string, perLane: number): Buffer {
		return { number: this.#buffers.push({ name, kind: "lane", access: "write", perLane }) - 1, kind: "lane" };
	}
	scalar(name: string, type: "real" | "int"): Value {
		return this.param(this.#scalars.push({ name, type }) - 1, type);
	}
	load(buffer: Buffer, index: Value | number): Value {
		const at = typeof index === "number" ? this.int(index) : index;
		return this.define(buffer.kind === "lane" ? "lane" : "real", "load", [at], { index: buffer.number });
	}
	store(buffer: Buffer, index: Value | number, value: Value): void {
		const at = typeof index === "number" ? this.int(index) : index;
		this.statements.push({ do: "store", buffer: buffer.number, index: at.id, value: value.id });
	}
	variable(type: Type, initial: Value): Variable {
		const variable = { number: this.#variables.push(type) - 1, type };
		this.set(variable, initial);
		return variable;
	}
	get(variable: Variable): Value {
		return this.define(variable.type, "get", [], { index: variable.number });
	}
	set(variable: Variable, value: Value): void {
		this.statements.push({ do: "set", variable: variable.number, value: value.id });
	}
	loop(from: Value, to: Value, body: (index: Value) => void): void {
		const id = this.nextId++;
		const inner = this.#nested(() => body({ id, type: "int" }));
		this.statements.push({ do: "loop", id, from: from.id, to: to.id, body: inner });
	}
	if(flag: Value, yes: () => void, no: () => void = () => {}): void {
		this.statements.push({ do: "if", flag: flag.id, yes: this.#nested(yes), no: this.#nested(no) });
	}
	kernel(name: string): Kernel {
		return {
			name,
			buffers: this.#buffers,
			scalars: this.#scalars,
			variables: this.#variables,
			body: pruned(this.statements),
		};
	}

	#nested(build: () => void): Statement[] {
		const outer = this.statements;
		const inner: Statement[] = [];
		this.statements = inner;
		this.scopes.push(new Map());
		build();
		this.scopes.pop();
		this.statements = outer;
		return inner;
	}
}

/** Anything computed from a lane is a lane. */
function joined(...args: readonly Value[]): Type {
	return args.some((arg) => arg.type === "lane") ? "lane" : args[0].type;
}
