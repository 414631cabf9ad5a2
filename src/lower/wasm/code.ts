/**
 * IR as WebAssembly instructions, written for what V8 makes of them:
 *
 * - An outermost loop becomes a function of its own that is called for a few hundred rounds at a time. Baseline code
 *   is replaced by optimised code only at calls, so a long record gets it on the way. And what was computed before
 *   the loop comes in as parameters, which the optimiser cannot move back into the loop; where there are many, by globals.
 * - The optimiser orders pure operations by their users, which puts the groups of lanes one after the other. Every
 *   dozen operations a branch that is never taken keeps them abreast, since the values it could change must exist
 *   before it: the processor then overlaps the groups (a quarter faster on short loops). In short code, and where much is
 *   carried from round to round, the branch only uses the values, and ends there: nothing has to be joined behind it,
 *   which saves a tenth to a third of the moves between registers; in other long code the optimiser then keeps too much
 *   at hand, and the values are joined.
 */
import type { Block, Id, Kernel, Let, PureFunction, Statement, Type } from "../ir.ts";
import { type Analysis, analyse, reach } from "./analysis.ts";
import type { Instruction } from "./instructions.ts";
import type { ValueType } from "./module.ts";
import { type Links, type Shape, Values } from "./values.ts";
import { type Work, workOf } from "./work.ts";

type Loop = Statement & { do: "loop" };

/** Rounds of an outermost loop in one call. */
const roundsPerCall = 256;
/** Instructions of a group until the groups are brought abreast; in long code whose values are not joined. */
const stride = 12;
const longStride = 64;
/** Lane operations of a round up to which a kernel is short. */
const short = 100;
/** Parameters of a function; engines take up to 1,000. What is more goes by globals. */
const mostParams = 500;

export function kernelCode(kernel: Kernel, shape: Shape, links: Links, params: ValueType[]): Code {
	const code = new Code(shape, links, params, analyse(kernel.body, kernel.variables), kernel.variables);
	code.kernel(kernel.body, workOf(kernel));
	return code;
}

/** Leaves the function's result on the stack: all groups of it. */
export function functionCode(
	pure: PureFunction,
	type: "lane" | "real",
	shape: Shape,
	links: Links,
	params: ValueType[],
): Code {
	const code = new Code(shape, links, params, analyse(pure.body, [], [pure.result]), []);
	code.function(pure, type);
	return code;
}

/** Constants that lanes use: loaded once a call, not once a use. */
function constantsOf(block: Block, { lets, laneUses }: Analysis): Set<Id> {
	const found = new Set<Id>();
	const walk = (inner: Block): void => {
		for (const statement of inner)
			if (statement.do === "let") {
				if (statement.type === "lane" || statement.type === "mask")
					for (const arg of statement.args)
						if (laneUses.has(arg) && lets.get(arg)!.op === "const") found.add(arg);
			} else if (statement.do === "loop") walk(statement.body);
			else if (statement.do === "if") [statement.yes, statement.no].forEach(walk);
	};
	walk(block);
	return found;
}

class Code extends Values {
	/** Lane values since the groups were last abreast, and where that was. */
	#fresh: Id[] = [];
	#abreastAt = 0;
	#joins = true;
	#stride = stride;

	constructor(
		shape: Shape,
		links: Links,
		params: ValueType[],
		analysis: Analysis,
		readonly variableTypes: readonly Type[],
	) {
		super(shape, links, params, analysis);
	}

	kernel(block: Block, { operations, carriesMuch }: Work): void {
		this.#joins = operations > short && !carriesMuch;
		this.#stride = operations > short && carriesMuch ? longStride : stride;
		for (const [variable, type] of this.variableTypes.entries())
			this.variables.set(variable, this.allocate(type));
		for (const statement of block) {
			if (statement.do === "loop") this.#outlined(statement);
			else this.#statement(statement);
			this.#forgetAfter(statement);
		}
	}

	function(pure: PureFunction, type: "lane" | "real"): void {
		this.#block(pure.body);
		const count = type === "lane" ? this.shape.groups : 1;
		for (let group = 0; group < count; group++) this.pushAs(this.isWide(type), pure.result, group);
	}

	#block(block: Block): void {
		for (const statement of block) {
			this.#statement(statement);
			this.#forgetAfter(statement);
			// A variable that is read is there already.
			if (statement.do === "let" && statement.type === "lane" && statement.op !== "get")
				this.#keepAbreast(statement.id);
		}
	}
	#forgetAfter(statement: Statement): void {
		for (const id of this.analysis.end.get(statement) ?? []) this.forget(id);
	}

	#statement(statement: Statement): void {
		switch (statement.do) {
			case "let":
				if (!this.analysis.inline.has(statement.id)) this.#define(statement);
				break;
			case "set": {
				const wide = this.isWide(this.variableTypes[statement.variable]);
				for (const [group, local] of this.variables.get(statement.variable)!.entries()) {
					this.pushAs(wide, statement.value, group);
					this.emit(["local.set", local]);
				}
				break;
			}
			case "store":
				this.#store(statement.buffer, statement.index, statement.value);
				break;
			case "loop":
				this.#loop(statement);
				break;
			case "if":
				this.push(statement.flag);
				this.emit(["if"]);
				this.#startAbreast();
				this.#block(statement.yes);
				if (statement.no.length > 0) {
					this.emit(["else"]);
					this.#startAbreast();
					this.#block(statement.no);
				}
				this.emit(["end"]);
				this.#startAbreast();
		}
	}

	#startAbreast(): void {
		this.#fresh = [];
		this.#abreastAt = this.out.length;
	}
	#keepAbreast(id: Id): void {
		const { groups, width } = this.shape;
		this.#fresh.push(id);
		if (groups === 1 || width === 1 || this.out.length - this.#abreastAt < this.#stride * groups) return;
		const locals = this.#fresh.flatMap((fresh) => this.places.get(fresh) ?? []);
		if (locals.length > 0) {
			this.emit(["global.get", 0], ["if"]);
			if (this.#joins) for (const local of locals) this.emit(["v128.const", 0], ["local.set", local]);
			else
				for (const local of locals) this.emit(["i32.const", 0], ["local.get", local], ["v128.store", 3, 0]);
			this.emit(...(this.#joins ? [] : [["unreachable"] as const]), ["end"]);
		}
		this.#startAbreast();
	}

	#loop({ id, from, to, body }: Loop): void {
		const [index, end] = [this.newLocal("i32"), this.newLocal("i32")];
		this.push(from);
		this.emit(["local.set", index]);
		this.push(to);
		this.emit(["local.set", end]);
		this.#rounds(id, index, end, body);
		this.release(index, end);
	}
	/** The body for index up to end, both in locals. */
	#rounds(id: Id, index: number, end: number, body: Block): void {
		this.places.set(id, [index]);
		this.emit(["local.get", index], ["local.get", end], ["i32.lt_s"], ["if"], ["loop"]);
		this.#startAbreast();
		this.#block(body);
		this.emit(["local.get", index], ["i32.const", 1], ["i32.add"], ["local.tee", index]);
		this.emit(["local.get", end], ["i32.lt_s"], ["br_if", 0], ["end"], ["end"]);
		this.#startAbreast();
	}

	#outlined(loop: Loop): void {
		const { values, variables, set } = reach(loop.body, this.analysis);
		const [index, next, end] = [this.newLocal("i32"), this.newLocal("i32"), this.newLocal("i32")];
		this.push(loop.from);
		this.emit(["local.set", index]);
		this.push(loop.to);
		this.emit(["local.set", end]);

		// Parameters: those of the kernel, the range, values from outside, variables.
		const params = [...this.params];
		const passed: number[] = this.params.map((_, local) => local);
		const inner = new Code(this.shape, this.links, params, this.analysis, this.variableTypes);
		inner.#joins = this.#joins;
		inner.#stride = this.#stride;
		/** By the local inside. */
		const byGlobal = new Map<number, { readonly outer: number; readonly global: number }>();
		const seen = new Map<number, number>();
		const pass = (local: number): number => {
			let own = seen.get(local);
			if (own !== undefined) return own;
			const type = this.typeOf(local);
			if (params.length < mostParams || type === "i32") {
				passed.push(local);
				own = params.push(type) - 1;
			} else {
				own = inner.newLocal(type);
				byGlobal.set(own, { outer: local, global: this.links.addGlobal(type) });
			}
			seen.set(local, own);
			return own;
		};
		const range = [pass(index), pass(next)];
		// Whole numbers and conditions first: they are few, and never go by globals.
		const reached = [
			...values.flatMap((id) => this.places.get(id) ?? []),
			...variables.flatMap((variable) => this.variables.get(variable)!),
		];
		for (const local of reached) if (this.typeOf(local) === "i32") pass(local);
		const known = new Map<string, number>();
		for (const id of constantsOf(loop.body, this.analysis)) {
			const text = this.analysis.lets.get(id)!.text!;
			if (!known.has(text)) {
				const local = this.newLocal("v128");
				this.emit(["i32.const", 0], ["v128.load64_splat", 3, this.links.constant(Number(text))]);
				this.emit(["local.set", local]);
				known.set(text, pass(local));
			}
			inner.spread.set(id, known.get(text)!);
		}
		for (const id of values) {
			if (this.places.has(id)) inner.places.set(id, this.places.get(id)!.map(pass));
			if (this.spread.has(id)) inner.spread.set(id, pass(this.spread.get(id)!));
		}
		for (const variable of variables) inner.variables.set(variable, this.variables.get(variable)!.map(pass));
		for (const [local, { global }] of byGlobal) inner.emit(["global.get", global], ["local.set", local]);
		inner.#rounds(loop.id, range[0], range[1], loop.body);
		const results: number[] = [];
		const changed: { readonly outer: number; readonly global: number }[] = [];
		for (const variable of set)
			for (const [group, local] of inner.variables.get(variable)!.entries()) {
				const there = byGlobal.get(local);
				if (there) {
					inner.emit(["local.get", local], ["global.set", there.global]);
					changed.push(there);
				} else {
					inner.emit(["local.get", local]);
					results.push(this.variables.get(variable)![group]);
				}
			}
		const made = this.links.addFunction({
			name: `loop${loop.id}`,
			params,
			results: results.map((local) => this.typeOf(local)),
			locals: inner.locals,
			code: inner.out,
		});

		this.emit(["local.get", index], ["local.get", end], ["i32.lt_s"], ["if"], ["loop"]);
		this.emit(["local.get", index], ["i32.const", roundsPerCall], ["i32.add"], ["local.tee", next]);
		this.emit(["local.get", end], ["local.get", next], ["local.get", end], ["i32.lt_s"], ["select"]);
		this.emit(["local.set", next]);
		for (const { outer, global } of byGlobal.values())
			this.emit(["local.get", outer], ["global.set", global]);
		this.emit(...passed.map((local): Instruction => ["local.get", local]), ["call", made]);
		this.emit(...results.reverse().map((local): Instruction => ["local.set", local]));
		for (const { outer, global } of changed) this.emit(["global.get", global], ["local.set", outer]);
		this.emit(["local.get", next], ["local.tee", index], ["local.get", end], ["i32.lt_s"]);
		this.emit(["br_if", 0], ["end"], ["end"]);
		this.release(index, next, end);
	}

	#define(statement: Let): void {
		const { id, type, op } = statement;
		if (op === "load") this.#load(statement);
		else if (op === "rarely") this.#rarely(statement);
		else if (op === "call" && type === "lane") this.#call(statement);
		else {
			const locals = this.allocate(type);
			for (const [group, local] of locals.entries()) {
				this.compute(statement, group);
				this.emit(["local.set", local]);
			}
			this.places.set(id, locals);
		}
		// A uniform value that lanes use gets a copy in all lanes.
		const wanted = type === "real" && this.shape.width === 2 && this.analysis.laneUses.has(id);
		if (!wanted || this.spread.has(id)) return;
		const spread = this.newLocal("v128");
		this.spread.set(id, spread);
		this.emit(["local.get", this.places.get(id)![0]], ["f64x2.splat"], ["local.set", spread]);
	}

	#load({ id, type, args, index }: Let): void {
		const { laneUses, realUses } = this.analysis;
		const uniform = type === "real" && this.shape.width === 2;
		const at = this.newLocal("i32");
		this.push(args[0]);
		this.emit(...this.links.address(index!), ["local.set", at]);
		if (uniform && laneUses.has(id)) {
			const spread = this.newLocal("v128");
			this.spread.set(id, spread);
			this.emit(["local.get", at], ["v128.load64_splat", 3, 0], ["local.set", spread]);
		}
		if (!uniform || realUses.has(id)) {
			const locals = this.allocate(type);
			this.places.set(id, locals);
			for (const [group, local] of locals.entries()) {
				this.emit(["local.get", at]);
				this.emit(this.isWide(type) ? ["v128.load", 3, 16 * group] : ["f64.load", 3, 8 * group]);
				this.emit(["local.set", local]);
			}
		}
		this.release(at);
	}

	#store(buffer: number, index: Id, value: Id): void {
		const at = this.newLocal("i32");
		const wide = this.isWide("lane");
		this.push(index);
		this.emit(...this.links.address(buffer), ["local.set", at]);
		for (let group = 0; group < this.shape.groups; group++) {
			this.emit(["local.get", at]);
			this.pushAs(wide, value, group);
			this.emit(wide ? ["v128.store", 3, 16 * group] : ["f64.store", 3, 8 * group]);
		}
		this.release(at);
	}

	#call({ id, type, args, name }: Let): void {
		const locals = this.allocate(type);
		for (const arg of args)
			for (let group = 0; group < locals.length; group++) this.pushAs(this.isWide(type), arg, group);
		this.emit(["call", this.links.function(name!, "lane")]);
		for (const local of [...locals].reverse()) this.emit(["local.set", local]);
		this.places.set(id, locals);
	}

	/** The slow function is called for each lane that needs it, one at a time. */
	#rarely({ id, type, args, name }: Let): void {
		const [condition, x, otherwise] = args;
		const locals = this.allocate(type);
		const slow = this.links.function(name!, "real");
		const wide = this.isWide(type);
		for (const [group, local] of locals.entries()) {
			this.pushAs(wide, otherwise, group);
			this.emit(["local.set", local]);
			this.push(condition, group);
			this.emit(...(wide ? ([["v128.any_true"], ["if"]] as const) : ([["if"]] as const)));
			for (const lane of wide ? [0, 1] : []) {
				// The low word of a condition's lane is -1 or 0.
				this.push(condition, group);
				this.emit(["i32x4.extract_lane", 2 * lane], ["if"], ["local.get", local]);
				this.pushAs(wide, x, group);
				this.emit(["f64x2.extract_lane", lane], ["call", slow]);
				this.emit(["f64x2.replace_lane", lane], ["local.set", local], ["end"]);
			}
			if (!wide) {
				this.push(x, group);
				this.emit(["call", slow], ["local.set", local]);
			}
			this.emit(["end"]);
		}
		this.places.set(id, locals);
	}
}
