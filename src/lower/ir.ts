/**
 * The kernel IR: a small structured language for functions over a batch, written once and emitted as WebAssembly,
 * C, CUDA and JavaScript. Each lane of the batch runs the same statements on its own numbers; what steers them
 * (loops, branches, indices) is uniform, the same for all lanes, so lanes can be put side by side in SIMD
 * registers or GPU threads. A kernel is plain JSON: its text is its identity.
 *
 * A value is defined once, by a `let`, and known by its number; what changes is a variable (`get`, `set`).
 */

/**
 * `lane`: a float64 of each lane; `mask`: a condition of each lane; `real`, `int`, `flag`: a float64, an int32 and
 * a condition that all lanes share.
 */
export type Type = "lane" | "mask" | "real" | "int" | "flag";

/** Pure operations on values. All are exactly rounded or exact, so every backend gives the same bits. */
export type Arithmetic =
	// float64, on lane or real
	| "add"
	| "sub"
	| "mul"
	| "div"
	| "neg"
	| "abs"
	| "sqrt"
	| "min"
	| "max"
	| "copysign"
	| "pow2"
	| "exponent"
	| "mantissa"
	// conditions
	| "lt"
	| "le"
	| "eq"
	| "and"
	| "or"
	| "not"
	| "select"
	// int32
	| "int.add"
	| "int.sub"
	| "int.mul"
	| "int.lt"
	| "int.le"
	| "int.eq"
	| "int.and"
	| "int.toReal"
	| "int.ofReal";

/** A value is known by the number of its `let` (or of its loop, for the loop's index). */
export type Id = number;

export interface Let {
	readonly do: "let";
	readonly id: Id;
	readonly type: Type;
	readonly op:
		| Arithmetic
		/** A number: `text` is its shortest decimal form (JSON has no NaN, no infinity and no -0). */
		| "const"
		/** The elementary function `name` at `args`. */
		| "call"
		/** `select(args[0], name(args[1]), args[2])`, where name is slow and args[0] hardly ever true. */
		| "rarely"
		/** Element args[0] of the constant table `name`. */
		| "table"
		/** Parameter number `index` of a function, or scalar number `index` of a kernel. */
		| "param"
		/** Element args[0] of buffer number `index`. */
		| "load"
		/** The present value of variable number `index`. */
		| "get";
	readonly args: readonly Id[];
	readonly text?: string;
	readonly name?: string;
	readonly index?: number;
}

export type Statement =
	| Let
	| { readonly do: "set"; readonly variable: number; readonly value: Id }
	| { readonly do: "store"; readonly buffer: number; readonly index: Id; readonly value: Id }
	/** The body for id = from, from + 1, … below to. */
	| { readonly do: "loop"; readonly id: Id; readonly from: Id; readonly to: Id; readonly body: Block }
	| { readonly do: "if"; readonly flag: Id; readonly yes: Block; readonly no: Block };
export type Block = readonly Statement[];

/**
 * `lane` buffers hold a column of numbers for each lane: element e of lane b stands at e * batch + b. `uniform`
 * buffers are shared by all lanes and only read. A lane buffer with `perLane` is what a kernel works in: so many numbers
 * for each lane, in an order that is the emitter's own (those of lanes that run together lie together), and of no use
 * to others.
 */
export interface BufferSpec {
	readonly name: string;
	readonly kind: "lane" | "uniform";
	readonly access: "read" | "write" | "update";
	readonly perLane?: number;
}

export interface Kernel {
	readonly name: string;
	readonly buffers: readonly BufferSpec[];
	readonly scalars: readonly { readonly name: string; readonly type: "real" | "int" }[];
	/** Types of the variables, which are known by their number. */
	readonly variables: readonly Type[];
	readonly body: Block;
	/** What it gives are bounds, or must be the same everywhere: no place contracts a·b + c to one rounding, whatever it was asked for. */
	readonly exact?: boolean;
	readonly pieces?: Pieces;
}

/** How a kernel that goes through steps can be run some of them at a time. */
export interface Pieces {
	/** The scalar that is their number. */
	readonly steps: string;
	/** Uniform buffers that go along, with how many numbers they have for a step. */
	readonly along: Readonly<Record<string, number>>;
	/** Lane buffers that it begins with, each with the one that it leaves where it ends. */
	readonly state: Readonly<Record<string, string>>;
	/** Rows that a step writes, at most. */
	readonly rows: number;
}

/** A pure scalar or lane function with one result: how elementary functions are given to the emitters. */
export interface PureFunction {
	readonly name: string;
	readonly params: number;
	readonly body: readonly Let[];
	readonly result: Id;
}

/** The text that tells kernels apart: caches go by it, and kernels travel as it. */
export function kernelText(kernel: Kernel): string {
	return JSON.stringify(kernel);
}

/** Shortest decimal text of a double that reads back to the same bits (but for the payload of a NaN). */
export function numberText(x: number): string {
	return Object.is(x, -0) ? "-0" : String(x);
}
