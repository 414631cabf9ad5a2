/** Operations of the IR as instructions on operands that lie on the stack, for one number or for two lanes. */
import { InternalError } from "../../errors.ts";
import type { Let } from "../ir.ts";
import type { Instruction } from "./instructions.ts";

/** Bit patterns, written as the doubles that have them. */
const exponentBits = Number.POSITIVE_INFINITY;
const mantissaBits = 2.225073858507201e-308;
/** Added to a whole number k, it leaves k + 1023 in the lowest bits: an exponent, once shifted up. */
const biased = 2 ** 52 + 1023;

const wide: Partial<Record<Let["op"], readonly Instruction[]>> = {
	pow2: [["v128.const", biased], ["f64x2.add"], ["i32.const", 52], ["i64x2.shl"]],
	exponent: [
		["v128.const", exponentBits],
		["v128.and"],
		["i32.const", 52],
		["i64x2.shr_u"],
		["v128.const", 2 ** 52],
		["v128.or"],
		["v128.const", biased],
		["f64x2.sub"],
	],
	mantissa: [["v128.const", mantissaBits], ["v128.and"], ["v128.const", 1], ["v128.or"]],
};
const single: Partial<Record<Let["op"], readonly Instruction[]>> = {
	pow2: [
		["f64.const", biased],
		["f64.add"],
		["i64.reinterpret_f64"],
		["i64.const", 52],
		["i64.shl"],
		["f64.reinterpret_i64"],
	],
	exponent: [
		["i64.reinterpret_f64"],
		["i64.const", 0x7ff0000000000000],
		["i64.and"],
		["i64.const", 52],
		["i64.shr_u"],
		["i64.const", 0x4330000000000000],
		["i64.or"],
		["f64.reinterpret_i64"],
		["f64.const", biased],
		["f64.sub"],
	],
	mantissa: [
		["i64.reinterpret_f64"],
		["i64.const", 0x000fffffffffffff],
		["i64.and"],
		["i64.const", 0x3ff0000000000000],
		["i64.or"],
		["f64.reinterpret_i64"],
	],
	"int.add": [["i32.add"]],
	"int.sub": [["i32.sub"]],
	"int.mul": [["i32.mul"]],
	"int.and": [["i32.and"]],
	"int.toReal": [["f64.convert_i32_s"]],
	"int.ofReal": [["i32.trunc_sat_f64_s"]],
};
const plain = new Set(["add", "sub", "mul", "div", "neg", "abs", "sqrt"]);

export function floatOperation(op: Let["op"], isWide: boolean): readonly Instruction[] {
	const special = (isWide ? wide : single)[op];
	if (special) return special;
	if (plain.has(op)) return [[`${isWide ? "f64x2" : "f64"}.${op}`]];
	throw new InternalError(`no instruction for ${op}`);
}

const singleMasks: Partial<Record<Let["op"], Instruction>> = {
	and: ["i32.and"],
	or: ["i32.or"],
	not: ["i32.eqz"],
	"int.lt": ["i32.lt_s"],
	"int.le": ["i32.le_s"],
	"int.eq": ["i32.eq"],
};

export function maskOperation(op: Let["op"], isWide: boolean): readonly Instruction[] {
	const special = isWide ? undefined : singleMasks[op];
	if (special) return [special];
	if (op === "lt" || op === "le" || op === "eq") return [[`${isWide ? "f64x2" : "f64"}.${op}`]];
	if (op === "and" || op === "or" || op === "not") return [[`v128.${op}`]];
	throw new InternalError(`no instruction for ${op}`);
}
