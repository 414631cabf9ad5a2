/**
 * Where values live in WebAssembly code and how they are computed. A lane value is `groups` locals of type v128, two
 * lanes each, so that independent work stands side by side; or one f64, where the code is for one lane.
 */
import { InternalError } from "../../errors.ts";
import type { Id, Let, Type } from "../ir.ts";
import type { Analysis } from "./analysis.ts";
import type { Instruction } from "./instructions.ts";
import type { ValueType, WasmFunction } from "./module.ts";
import { floatOperation, maskOperation } from "./operations.ts";

export interface Shape {
	/** Lanes in a value: 2 (v128) or 1 (f64). */
	readonly width: 1 | 2;
	/** Values of that width worked on side by side. */
	readonly groups: number;
}

/** What code refers to by number. */
export interface Links {
	/** A function on lanes takes and gives all groups at once. */
	function(name: string, type: "lane" | "real"): number;
	/** Adds a function to the module; gives its number. */
	addFunction(made: WasmFunction): number;
	/** Byte offset of a table, and of a constant. */
	table(name: string): number;
	constant(x: number): number;
	/** Adds a global; gives its number. Each instance has its own, also where memory is shared. */
	addGlobal(type: ValueType): number;
	/** The byte address of an element whose index lies on the stack. */
	address(buffer: number): readonly Instruction[];
	/** Local of a scalar or of a function's parameter. */
	param(index: number, group: number): number;
}

export class Values {
	readonly out: Instruction[] = [];
	readonly locals: ValueType[] = [];
	/** Locals of the values that have a place, one for each group. */
	protected readonly places = new Map<Id, readonly number[]>();
	/** Locals of uniform values that lanes use, as lanes. */
	protected readonly spread = new Map<Id, number>();
	protected readonly variables = new Map<number, readonly number[]>();
	readonly #free: Record<ValueType, number[]> = { i32: [], f64: [], v128: [] };

	constructor(
		readonly shape: Shape,
		readonly links: Links,
		/** Types of the function's parameters, which are its first locals. */
		readonly params: ValueType[],
		protected readonly analysis: Analysis,
	) {}

	emit(...instructions: readonly Instruction[]): void {
		for (const instruction of instructions) this.out.push(instruction);
	}

	protected push(id: Id, group = 0): void {
		const places = this.places.get(id);
		if (places) this.emit(["local.get", places.length > 1 ? places[group] : places[0]]);
		else if (this.analysis.inline.has(id)) this.compute(this.analysis.lets.get(id)!, group);
		else throw new InternalError("a value is used before it is defined", id);
	}

	/** As v128 where `wide`, spread out where it is uniform. */
	protected pushAs(wide: boolean, id: Id, group: number): void {
		const statement = this.analysis.lets.get(id);
		if (!wide || statement?.type !== "real") this.push(id, group);
		else if (this.spread.has(id)) this.emit(["local.get", this.spread.get(id)!]);
		else if (statement.op === "const")
			this.emit(["i32.const", 0], ["v128.load64_splat", 3, this.links.constant(Number(statement.text))]);
		else {
			this.push(id, group);
			this.emit(["f64x2.splat"]);
		}
	}

	/** Pushes what an operation gives. */
	protected compute({ type, op, args, text, name, index }: Let, group: number): void {
		const wide = this.isWide(type);
		const all = (...order: readonly Id[]): void => {
			for (const arg of order) this.pushAs(wide, arg, group);
		};
		switch (op) {
			case "const":
				this.emit(type === "int" ? ["i32.const", Number(text)] : ["f64.const", Number(text)]);
				break;
			case "param":
				this.emit(["local.get", this.links.param(index!, group)]);
				break;
			case "get":
				this.emit(["local.get", this.variables.get(index!)![group]]);
				break;
			case "call":
				all(...args);
				this.emit(["call", this.links.function(name!, "real")]);
				break;
			case "table":
				all(...args);
				this.emit(["i32.trunc_sat_f64_s"], ["i32.const", 3], ["i32.shl"]);
				this.emit(["f64.load", 3, this.links.table(name!)]);
				break;
			case "min":
			case "max":
				if (wide) {
					// pmin(a, b) is b < a ? b : a.
					all(args[1], args[0]);
					this.emit([op === "min" ? "f64x2.pmin" : "f64x2.pmax"]);
				} else {
					all(...args, ...args);
					this.emit([op === "min" ? "f64.lt" : "f64.gt"], ["select"]);
				}
				break;
			case "copysign":
				if (wide) {
					all(args[1], args[0]);
					this.emit(["v128.const", -0], ["v128.bitselect"]);
				} else {
					all(...args);
					this.emit(["f64.copysign"]);
				}
				break;
			case "select": {
				const perLane = wide && this.analysis.lets.get(args[0])!.type === "mask";
				all(args[1], args[2], args[0]);
				this.emit([perLane ? "v128.bitselect" : "select"]);
				break;
			}
			default:
				all(...args);
				this.emit(...(type === "mask" || type === "flag" ? maskOperation : floatOperation)(op, wide));
		}
	}

	protected isWide(type: Type): boolean {
		return this.shape.width === 2 && (type === "lane" || type === "mask");
	}
	protected allocate(type: Type): readonly number[] {
		const count = type === "lane" || type === "mask" ? this.shape.groups : 1;
		const real: ValueType = type === "real" || type === "lane" ? "f64" : "i32";
		return Array.from({ length: count }, () => this.newLocal(this.isWide(type) ? "v128" : real));
	}
	protected newLocal(type: ValueType): number {
		return this.#free[type].pop() ?? this.params.length + this.locals.push(type) - 1;
	}
	protected typeOf(local: number): ValueType {
		return local < this.params.length ? this.params[local] : this.locals[local - this.params.length];
	}
	/** Makes locals free for other values; parameters stay what they are. */
	protected release(...locals: readonly number[]): void {
		for (const local of locals) if (local >= this.params.length) this.#free[this.typeOf(local)].push(local);
	}
	protected forget(id: Id): void {
		this.release(...(this.places.get(id) ?? []));
		if (this.spread.has(id)) this.release(this.spread.get(id)!);
		this.places.delete(id);
		this.spread.delete(id);
	}
}
