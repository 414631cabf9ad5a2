/** What a caller from JavaScript may give by mistake: other types, bounds the wrong way round. Refused, never a false bound. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import * as odentify from "../../src/interval/index.ts";

type Any = (...given: unknown[]) => unknown;
const all = odentify as unknown as Record<string, Any>;

const wrong: readonly (readonly [string, unknown])[] = [
	["text", "1"],
	["nothing", undefined],
	["null", null],
	["a list", [1, 2]],
	["a big integer", 1n],
	["true", true],
	["an object without bounds", {}],
	["one bound", { lo: 1 }],
	["bounds the wrong way round", { lo: 2, hi: 1 }],
	["bounds that are text", { lo: "1", hi: "2" }],
	["a bound that is no number", { lo: Number.NaN, hi: 1 }],
	["no number between the bounds", { lo: Number.POSITIVE_INFINITY, hi: Number.POSITIVE_INFINITY }],
];
const unary = ["neg", "sqr", "abs", "sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan"];
const hyperbolic = ["sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "acoth"];
const further = [
	"pos",
	"recip",
	"cbrt",
	"exp2",
	"exp10",
	"expm1",
	"log2",
	"log10",
	"log1p",
	"cot",
	"sec",
	"csc",
	"sign",
	"ceil",
];
const contractors = ["sqrRev", "absRev", "sinRev", "cosRev", "tanRev", "coshRev"];
const binary = [
	"add",
	"sub",
	"mul",
	"div",
	"min",
	"max",
	"hull",
	"pow",
	"intersect",
	"divExtended",
	"atan2",
	"hypot",
	"cancelMinus",
	"cancelPlus",
	"intersection",
	"mulRev",
	"mulRevToPair",
];
const relations = [
	"subset",
	"interior",
	"less",
	"strictLess",
	"precedes",
	"strictPrecedes",
	"overlap",
	"certainlyLess",
	"certainlyAtMost",
	"disjoint",
	"inside",
	"strictlyInside",
	"equal",
];
const measures = [
	"inf",
	"sup",
	"wid",
	"midRad",
	"isEmpty",
	"isEntire",
	"isSingleton",
	"intervalToText",
	"intervalToExact",
	"mid",
	"rad",
	"width",
	"mag",
	"mig",
	"certainlyPositive",
	"certainlyNegative",
];
const one = odentify.interval(1, 2);

describe.each(wrong)("%s", (_, given) => {
	it.each([...unary, ...hyperbolic, ...further, ...contractors, ...measures])("%s refuses it", (name) => {
		expect(() => all[name](given)).toThrow(InputError);
	});
	it.each([...binary, ...relations])("%s refuses it on either side", (name) => {
		expect(() => all[name](given, one)).toThrow(InputError);
		expect(() => all[name](one, given)).toThrow(InputError);
	});
	it("contains, powInt and box refuse it", () => {
		expect(() => all.contains(given, 1)).toThrow(InputError);
		expect(() => all.powInt(given, 2)).toThrow(InputError);
		if (!Array.isArray(given)) expect(() => all.box([given])).toThrow(InputError);
	});
});

it("says what was given", () => {
	expect(() => all.add("1", 2)).toThrow(/interval: was given as "1"\n.*fromDecimal/);
	expect(() => all.add({ lo: 2, hi: 1 }, 0)).toThrow(/bounds 2 and 1/);
	expect(() => all.add(one)).toThrow(/interval: was given as undefined/);
});

it("refuses other types where numbers, decimals and fractions are read", () => {
	expect(() => all.interval("1", 2)).toThrow(InputError);
	expect(() => all.interval(1, "2")).toThrow(InputError);
	expect(() => all.interval(null)).toThrow(InputError);
	expect(() => all.contains(one, "1")).toThrow(InputError);
	expect(() => all.powInt(one, "2")).toThrow(InputError);
	expect(() => all.box([[2, 1]])).toThrow(InputError);
	expect(() => all.box([["1", "2"]])).toThrow(InputError);
	// The double 0.1 is not one tenth: which of them is meant has to be said.
	expect(() => all.fromDecimal(0.1)).toThrow(/quotes/);
	expect(() => all.fromRational({ num: 1, den: 3 })).toThrow(/1n/);
});

it("refuses a Taylor model of bounds the wrong way round", () => {
	const space = new odentify.TaylorSpace(1, 3, 0);
	const model = space.model();
	expect(() => space.variableInto(model, 0, 2, 1)).toThrow(InputError);
	expect(() => space.variableInto(model, 0, Number.NaN, 1)).toThrow(InputError);
	expect(() => space.constantInto(model, 2, 1)).toThrow(InputError);
});
