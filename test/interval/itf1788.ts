/** Runs assertions of ITF1788 on our operations, with and without decorations. */
import { readdirSync, readFileSync } from "node:fs";
import * as bare from "../../src/interval/index.ts";
import { decorated, type Interval } from "../../src/interval/index.ts";
import { type Assertion, type ItlInterval, type ItlValue, readItl } from "./itl.ts";

const folder = new URL("./itf1788/", import.meta.url);

export function allAssertions(): Assertion[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith(".itl"))
		.flatMap((file) => readItl(file, readFileSync(new URL(file, folder), "utf8")));
}

/** Names of the test language that are not ours; a function of bare and of decorated intervals each. */
type Any = (...operands: unknown[]) => unknown;
type Form = Record<string, Any>;
const renamed: Record<string, string> = {
	sum_nearest: "sum",
	sum_abs_nearest: "sumAbs",
	sum_sqr_nearest: "sumSquare",
	dot_nearest: "dot",
	absRevBin: "absRev",
	sqrRevBin: "sqrRev",
	coshRevBin: "coshRev",
	sinRevBin: "sinRev",
	cosRevBin: "cosRev",
	tanRevBin: "tanRev",
	mulRevTen: "mulRev",
	"b-numsToInterval": "numsToInterval",
	"d-numsToInterval": "numsToInterval",
	"b-textToInterval": "textToInterval",
	"d-textToInterval": "textToInterval",
	logp1: "log1p",
};
/** Operations that make decorated intervals of others. */
const decorating = [
	"newDec",
	"setDec",
	"intervalPart",
	"decorationPart",
	"isNaI",
	"d-numsToInterval",
	"d-textToInterval",
];

/** Our function, or nothing; in `pownRevBin` the whole number comes last. */
function operationOf(form: Form, name: string): Any | undefined {
	if (name === "pownRevBin") return (c, x, n) => form.pownRev(c, n, x);
	if (name === "midRad")
		return (a) => {
			const { mid, rad } = form.midRad(a) as { mid: number; rad: number };
			return [mid, rad];
		};
	return form[renamed[name] ?? name];
}

export interface Outcome {
	readonly sound: boolean;
	readonly tightest: boolean;
	readonly got: string;
}

/** Bare operands, decorations left out; nothing where the assertion is about decorations, or the operation is not ours. */
export function runBare(assertion: Assertion): Outcome | undefined {
	const about = [...assertion.operands, ...assertion.results];
	if (
		decorating.includes(assertion.operation) ||
		about.some((one) => isInterval(one) && one.decoration === "ill")
	)
		return undefined;
	return run(assertion, bare as unknown as Form, (one) => ({ lo: one.lo, hi: one.hi }));
}

/** Decorated operands; nothing where there are none. */
export function runDecorated(assertion: Assertion): Outcome | undefined {
	const about = [...assertion.operands, ...assertion.results];
	const any = about.some((one) => isInterval(one) && one.decoration !== undefined);
	if (!any && !decorating.includes(assertion.operation)) return undefined;
	if (assertion.operation.startsWith("b-")) return undefined;
	const undecorated = ["newDec", "setDec"].includes(assertion.operation);
	return run(assertion, decorated as unknown as Form, (one) =>
		undecorated
			? { lo: one.lo, hi: one.hi }
			: { interval: { lo: one.lo, hi: one.hi }, decoration: one.decoration ?? "trv" },
	);
}

function run(assertion: Assertion, form: Form, make: (one: ItlInterval) => unknown): Outcome | undefined {
	const f = operationOf(form, assertion.operation);
	if (!f) return undefined;
	for (const name of Object.keys(bare.signals) as (keyof typeof bare.signals)[]) bare.signals[name] = false;
	const got = f(...assertion.operands.map((one) => operand(one, make)));
	const results = assertion.results.length > 1 ? (got as unknown[]) : [got];
	const verdicts = assertion.results.map((expected, k) => compare(expected, results[k]));
	const { signal } = assertion;
	const signalled =
		signal === undefined ||
		bare.signals[(signal[0].toLowerCase() + signal.slice(1)) as keyof typeof bare.signals];
	const quiet = signal !== undefined || !Object.values(bare.signals).some(Boolean);
	return {
		sound: signalled && quiet && verdicts.every((verdict) => verdict.sound),
		tightest: verdicts.every((verdict) => verdict.tightest),
		got: JSON.stringify(results, (_, value) => (typeof value === "number" ? shown(value) : value)),
	};
}

/** As a hexadecimal number, as the assertions are written. */
function shown(x: number): string {
	return Number.isFinite(x) && x !== 0 ? bare.intervalToExact({ lo: x, hi: x }).slice(1, -1) : String(x);
}

function operand(value: ItlValue, make: (one: ItlInterval) => unknown): unknown {
	switch (value.kind) {
		case "interval":
			return make(value);
		case "number":
			return value.value;
		case "list":
			return value.values;
		case "text":
			return value.text;
		case "word":
			return value.word;
	}
}

function isInterval(value: ItlValue): value is ItlInterval {
	return value.kind === "interval";
}

interface Verdict {
	readonly sound: boolean;
	readonly tightest: boolean;
}

function compare(expected: ItlValue, got: unknown): Verdict {
	if (expected.kind === "interval") {
		const box = (got as { interval?: Interval }).interval ?? (got as Interval);
		const decoration = (got as { decoration?: string }).decoration;
		const matches = decoration === undefined || decoration === (expected.decoration ?? "trv");
		const holds = expected.lo > expected.hi || (box.lo <= expected.lo && expected.hi <= box.hi);
		return { sound: holds && matches, tightest: box.lo === expected.lo && box.hi === expected.hi };
	}
	const same =
		expected.kind === "number"
			? got === expected.value || (Number.isNaN(expected.value) && Number.isNaN(got))
			: expected.kind === "word"
				? String(got) === expected.word
				: false;
	return { sound: same, tightest: same };
}

/** Kinds of operations, in the order of the table in docs/interval.md. */
const families: readonly (readonly [string, readonly string[]])[] = [
	[
		"+ − × ÷ √, `sqr`, `fma`, `pown`, `recip`",
		["add", "sub", "mul", "div", "sqrt", "sqr", "fma", "pown", "recip"],
	],
	["`pos`, `neg`, `abs`, `min`, `max`", ["pos", "neg", "abs", "min", "max"]],
	["`exp`, `exp2`, `exp10`, `log`, `log2`, `log10`", ["exp", "exp2", "exp10", "log", "log2", "log10"]],
	["`pow`", ["pow"]],
	["`sin`, `cos`, `tan`", ["sin", "cos", "tan"]],
	["`asin`, `acos`, `atan`, `atan2`", ["asin", "acos", "atan", "atan2"]],
	["`sinh` … `atanh`", ["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"]],
	[
		"`sign`, `ceil`, `floor`, `trunc`, rounding",
		["sign", "ceil", "floor", "trunc", "roundTiesToEven", "roundTiesToAway"],
	],
	["`cancelMinus`, `cancelPlus`", ["cancelMinus", "cancelPlus"]],
	["`intersection`, `convexHull`", ["intersection", "convexHull"]],
	[
		"reverse functions",
		"sqrRev absRev pownRev sinRev cosRev tanRev coshRev mulRev mulRevToPair powRev1 powRev2 sqrRevBin absRevBin pownRevBin sinRevBin cosRevBin tanRevBin coshRevBin mulRevTen".split(
			" ",
		),
	],
	[
		"relations, `overlap`",
		"equal subset interior less strictLess precedes strictPrecedes disjoint isEmpty isEntire isNaI isSingleton isCommonInterval isMember overlap".split(
			" ",
		),
	],
	["`inf` … `mig`, `midRad`", ["inf", "sup", "mid", "rad", "midRad", "wid", "mag", "mig"]],
	["sums", ["sum_nearest", "sum_abs_nearest", "sum_sqr_nearest", "dot_nearest"]],
	[
		"text, numbers, decorations",
		"b-numsToInterval d-numsToInterval b-textToInterval d-textToInterval newDec setDec intervalPart decorationPart".split(
			" ",
		),
	],
];

/** The rows of the table: assertions, those that are held, those that are as tight or tighter; bare and decorated runs together. */
export function tableOf(
	assertions: readonly Assertion[],
	isBetter: (assertion: Assertion) => boolean,
): string[] {
	const counted = new Map<string, [number, number, number]>();
	const total: [number, number, number] = [0, 0, 0];
	for (const assertion of assertions) {
		const name =
			families.find(([, names]) => names.includes(assertion.operation))?.[0] ?? assertion.operation;
		const row = counted.get(name) ?? [0, 0, 0];
		counted.set(name, row);
		for (const outcome of [runBare(assertion), runDecorated(assertion)]) {
			if (!outcome) continue;
			const better = isBetter(assertion);
			for (const sums of [row, total]) {
				sums[0]++;
				if (outcome.sound || better) sums[1]++;
				if (outcome.tightest || better) sums[2]++;
			}
		}
	}
	const written = (name: string, row: readonly number[]): string => `| ${name} | ${row.join(" | ")} |`;
	return [...families.map(([name]) => written(name, counted.get(name) ?? [0, 0, 0])), written("all", total)];
}
