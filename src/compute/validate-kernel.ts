/**
 * Looks a kernel through before it is compiled. Kernels made here are well formed by construction; those that came as
 * JSON need not be. What passes holds nothing but numbers and known names, uses only values, variables and buffers that
 * are there, each by its type, writes only where it may, and is no larger than what a worker can take.
 */
import { InternalError } from "../errors.ts";
import type { Block, Id, Kernel, Let, Pieces, Statement, Type } from "../lower/ir.ts";
import { definitions, tables } from "../num/elementary/definitions.ts";

const number = /^-?(\d+(\.\d+)?(e[+-]?\d+)?|Infinity)$|^NaN$/;
const whole = /^-?\d{1,10}$/;
const types = new Set<unknown>(["lane", "mask", "real", "int", "flag"]);
/** Generous: the largest kernels of a study have some 1e4 statements. */
const most = {
	statements: 1_000_000,
	depth: 64,
	buffers: 1000,
	variables: 100_000,
	name: 200,
	perLane: 2 ** 24,
};

const float = "float";
const condition = "condition";
type Kind = typeof float | typeof condition | Type;
/** Kinds of the operands and of the result; `float` is lane or real, `condition` mask or flag. */
const signatures: Partial<Record<Let["op"], { readonly args: readonly Kind[]; readonly result: Kind }>> = {
	add: { args: [float, float], result: float },
	sub: { args: [float, float], result: float },
	mul: { args: [float, float], result: float },
	div: { args: [float, float], result: float },
	neg: { args: [float], result: float },
	abs: { args: [float], result: float },
	sqrt: { args: [float], result: float },
	min: { args: [float, float], result: float },
	max: { args: [float, float], result: float },
	copysign: { args: [float, float], result: float },
	pow2: { args: [float], result: float },
	exponent: { args: [float], result: float },
	mantissa: { args: [float], result: float },
	lt: { args: [float, float], result: condition },
	le: { args: [float, float], result: condition },
	eq: { args: [float, float], result: condition },
	and: { args: [condition, condition], result: condition },
	or: { args: [condition, condition], result: condition },
	not: { args: [condition], result: condition },
	select: { args: [condition, float, float], result: float },
	rarely: { args: [condition, float, float], result: float },
	table: { args: ["real"], result: "real" },
	"int.add": { args: ["int", "int"], result: "int" },
	"int.sub": { args: ["int", "int"], result: "int" },
	"int.mul": { args: ["int", "int"], result: "int" },
	"int.and": { args: ["int", "int"], result: "int" },
	"int.lt": { args: ["int", "int"], result: "flag" },
	"int.le": { args: ["int", "int"], result: "flag" },
	"int.eq": { args: ["int", "int"], result: "flag" },
	"int.toReal": { args: ["int"], result: "real" },
	"int.ofReal": { args: ["real"], result: "int" },
};

/** Throws when it is none; returns what it was given, now known to be a kernel. */
export function validateKernel(value: unknown): Kernel {
	const kernel = value as Kernel;
	must(isObject(kernel) && isName(kernel.name), "a name", kernel);
	const { buffers, scalars, variables, body } = kernel;
	must(
		isList(buffers, most.buffers) &&
			buffers.every(
				(buffer) =>
					isObject(buffer) &&
					isName(buffer.name) &&
					(buffer.kind === "lane"
						? buffer.access === "read" || buffer.access === "write" || buffer.access === "update"
						: buffer.kind === "uniform" && buffer.access === "read") &&
					(buffer.perLane === undefined ||
						(buffer.access === "write" && isWhole(buffer.perLane) && buffer.perLane <= most.perLane)),
			),
		"a buffer",
		buffers,
	);
	must(
		isList(scalars, most.buffers) &&
			scalars.every(
				(scalar) =>
					isObject(scalar) && isName(scalar.name) && (scalar.type === "real" || scalar.type === "int"),
			),
		"a scalar",
		scalars,
	);
	must(
		isList(variables, most.variables) && variables.every((type) => types.has(type)),
		"a variable",
		variables,
	);
	for (const names of [buffers, scalars])
		must(new Set(names.map(({ name }) => name)).size === names.length, "a name twice", names);
	must(kernel.pieces === undefined || arePieces(kernel.pieces, kernel), "a way to cut it", kernel.pieces);
	new Validation(kernel).block(body, 0);
	return kernel;
}

/** Where a piece begins is computed from these: other buffers than its own are out of reach. */
function arePieces(pieces: Pieces, { buffers, scalars }: Kernel): boolean {
	if (!isObject(pieces) || !isObject(pieces.along) || !isObject(pieces.state)) return false;
	const kindOf = (name: unknown): string | undefined => buffers.find((each) => each.name === name)?.kind;
	return (
		scalars.some(({ name, type }) => name === pieces.steps && type === "int") &&
		isWhole(pieces.rows) &&
		pieces.rows >= 1 &&
		Object.entries(pieces.along).every(([name, by]) => kindOf(name) === "uniform" && isWhole(by)) &&
		Object.entries(pieces.state).every((pair) => pair.every((name) => kindOf(name) === "lane"))
	);
}

class Validation {
	/** Values that are in scope. */
	readonly #known = new Map<Id, Type>();
	readonly #used = new Set<Id>();
	#count = 0;

	constructor(readonly kernel: Kernel) {}

	block(block: Block, depth: number): void {
		must(Array.isArray(block) && depth <= most.depth, "a block", depth);
		const own: Id[] = [];
		for (const statement of block) {
			must(++this.#count <= most.statements, "a number of statements", this.#count);
			must(isObject(statement) && this.#isSound(statement, depth, own), "a statement", statement);
		}
		for (const id of own) this.#known.delete(id);
	}

	#isSound(statement: Statement, depth: number, own: Id[]): boolean {
		const { variables, buffers } = this.kernel;
		switch (statement.do) {
			case "let":
				return this.#isLet(statement) && this.#define(statement.id, statement.type, own);
			case "set": {
				const type = isWhole(statement.variable) ? variables[statement.variable] : undefined;
				const value = this.#type(statement.value);
				return type !== undefined && (value === type || (type === "lane" && value === "real"));
			}
			case "store": {
				const buffer = isWhole(statement.buffer) ? buffers[statement.buffer] : undefined;
				return (
					buffer !== undefined &&
					buffer.access !== "read" &&
					this.#type(statement.index) === "int" &&
					fits(this.#type(statement.value), float)
				);
			}
			case "loop": {
				const inner: Id[] = [];
				const sound =
					this.#type(statement.from) === "int" &&
					this.#type(statement.to) === "int" &&
					this.#define(statement.id, "int", inner);
				if (sound) this.block(statement.body, depth + 1);
				for (const id of inner) this.#known.delete(id);
				return sound;
			}
			case "if":
				if (this.#type(statement.flag) !== "flag") return false;
				this.block(statement.yes, depth + 1);
				this.block(statement.no, depth + 1);
				return true;
			default:
				return false;
		}
	}

	#isLet(statement: Let): boolean {
		const { type, op, args, text, name, index } = statement;
		if (!types.has(type) || !Array.isArray(args)) return false;
		const of = args.map((arg) => this.#type(arg));
		const { buffers, scalars, variables } = this.kernel;
		switch (op) {
			case "const":
				if (args.length > 0 || typeof text !== "string") return false;
				return type === "int"
					? whole.test(text) && (Number(text) | 0) === Number(text)
					: type === "real" && number.test(text);
			case "param":
				return args.length === 0 && isWhole(index) && scalars[index]?.type === type;
			case "get":
				return args.length === 0 && isWhole(index) && variables[index] === type;
			case "load":
				return (
					of.length === 1 &&
					of[0] === "int" &&
					isWhole(index) &&
					buffers[index] !== undefined &&
					type === (buffers[index].kind === "lane" ? "lane" : "real")
				);
			case "call": {
				const definition = typeof name === "string" ? definitions.get(name) : undefined;
				return (
					definition !== undefined &&
					!(definition.scalarOnly && type === "lane") &&
					of.length === definition.params &&
					of.every((each) => fits(each, float)) &&
					type === (of.includes("lane") ? "lane" : "real")
				);
			}
		}
		if (op === "rarely" && definitions.get(name!)?.params !== 1) return false;
		if (op === "table" && !tables.has(name!)) return false;
		const signature = typeof op === "string" && Object.hasOwn(signatures, op) ? signatures[op]! : undefined;
		if (signature?.args.length !== of.length) return false;
		return of.every((each, i) => fits(each, signature.args[i])) && isResult(type, op, of, signature.result);
	}

	#type(id: Id): Type | undefined {
		return isWhole(id) ? this.#known.get(id) : undefined;
	}
	#define(id: Id, type: Type, own: Id[]): boolean {
		if (!isWhole(id) || this.#used.has(id)) return false;
		this.#used.add(id);
		this.#known.set(id, type);
		own.push(id);
		return true;
	}
}

/** What comes of lanes is of lanes; conditions of lanes and shared ones do not mix. */
function isResult(type: Type, op: Let["op"], args: readonly (Type | undefined)[], result: Kind): boolean {
	const perLane = args.some((each) => each === "lane" || each === "mask");
	if (result === condition) {
		if (args.includes("mask") && args.includes("flag")) return false;
		return type === (perLane ? "mask" : "flag");
	}
	if (result !== float) return type === result;
	if (op === "rarely" && args[0] === "flag" && perLane) return false;
	return type === (perLane ? "lane" : "real");
}

function fits(type: Type | undefined, kind: Kind): boolean {
	if (kind === float) return type === "lane" || type === "real";
	if (kind === condition) return type === "mask" || type === "flag";
	return type === kind;
}

function isObject(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isList(value: unknown, longest: number): boolean {
	return Array.isArray(value) && value.length <= longest;
}
function isName(value: unknown): boolean {
	return typeof value === "string" && value.length > 0 && value.length <= most.name;
}
function isWhole(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

function must(holds: boolean, what: string, state?: unknown): void {
	if (!holds) throw new InternalError(`a kernel holds ${what} that is none`, state);
}
