/** No text makes the parser throw anything but a ModelError, overflow the stack, or run away. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applicability } from "../../src/methods/applicability.ts";
import { describeModel } from "../../src/model/describe.ts";
import { ModelError } from "../../src/model/diagnostic.ts";
import { limits } from "../../src/model/language/syntax/limits.ts";
import { printModel } from "../../src/model/print/model.ts";
import { repetitions } from "../repetitions.ts";
import { model } from "./generators.ts";
import { errorsOf, exampleTexts, parse } from "./helpers.ts";

/** Parses; all spans of errors must lie in the text. A model that is right can be printed and described. */
function survive(text: string): void {
	try {
		const parsed = parse(text);
		parse(printModel(parsed));
		JSON.stringify(describeModel(parsed));
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		expect(error.diagnostics.length).toBeGreaterThan(0);
		for (const { span, message } of error.diagnostics) {
			expect(span.start).toBeGreaterThanOrEqual(0);
			expect(span.start).toBeLessThanOrEqual(error.source.length);
			expect(span.end).toBeGreaterThanOrEqual(span.start);
			expect(message).not.toBe("");
		}
		expect(error.source, `what was printed does not parse:\n${error.message}`).toBe(text);
	}
}

const words = [
	..."param state input condition unknown let measure in if normal lognormal uniform kriging spline matern".split(
		" ",
	),
	..."x x' x'' y z k a t pi u f g e 0 1 2.5 1e3 1e999 0.1 sin exp abs min sqrt log".split(" "),
	..."+ - * / ^ ( ) [ ] , = ~ : < <= > >= +- # '".split(" "),
	"\n",
	"\n",
	"\n",
	" ",
	"²",
	"\t",
	"\\",
	"__proto__",
	"constructor",
];

describe("any text", () => {
	test("of any characters", () => {
		fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), survive), {
			seed: 1,
			numRuns: repetitions(300, 1500),
		});
	});

	test("of words of the language in any order", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), (list) => survive(list.join(" "))),
			{ seed: 2, numRuns: repetitions(1000, 5000) },
		);
	});

	test("with declarations that hold, and any equation", () => {
		const head = "param k, a = 2\ninput u\nunknown f(x) = spline(0, 1)\nstate x, y, z\nx' = u + f(y)\n";
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...words), { maxLength: 15 }), (list) =>
				survive(`${head}y' = ${list.join(" ")}\nz' = ${list.toReversed().join("")}`),
			),
			{ seed: 3, numRuns: repetitions(600, 3000) },
		);
	});

	test("mutated examples and generated models", () => {
		const base = fc.oneof(model, fc.constantFrom(...exampleTexts().values()));
		const edit = fc.record({
			at: fc.double({ min: 0, max: 1, noNaN: true }),
			removed: fc.integer({ min: 0, max: 6 }),
			added: fc.oneof(fc.constantFrom(...words), fc.constant("")),
		});
		fc.assert(
			fc.property(base, fc.array(edit, { minLength: 1, maxLength: 4 }), (text, edits) => {
				let changed = text;
				for (const { at, removed, added } of edits) {
					const place = Math.floor(at * changed.length);
					changed = changed.slice(0, place) + added + changed.slice(place + removed);
				}
				survive(changed);
			}),
			{ seed: 4, numRuns: repetitions(600, 3000) },
		);
	});

	test("examples without one of their lines", () => {
		for (const text of exampleTexts().values()) {
			const lines = text.split("\n");
			lines.forEach((_, i) => {
				survive(lines.filter((_, j) => j !== i).join("\n"));
			});
		}
	});
});

describe("limits", () => {
	const message = (text: string): string =>
		errorsOf(text)
			.diagnostics.map((each) => each.message)
			.join("\n");

	test("length of the text", () => {
		expect(message("#".repeat(limits.text + 1))).toContain("more than 1000000 characters");
	});

	test.each([
		["brackets", (n: number) => `${"(".repeat(n)}x${")".repeat(n)}`],
		["signs", (n: number) => `${"-".repeat(n)}x`],
		["powers", (n: number) => Array(n).fill("x").join("^")],
		["functions", (n: number) => `${"sin(".repeat(n)}x${")".repeat(n)}`],
		["ifs", (n: number) => `${"if(x < 1, 1, ".repeat(n)}x${")".repeat(n)}`],
	])("nesting of %s", (_, nested) => {
		expect(() => parse(`state x\nx' = ${nested(190)}`)).not.toThrow();
		expect(message(`state x\nx' = ${nested(limits.nesting + 1)}`)).toContain("levels inside one another");
		expect(message(`state x\nx' = ${nested(50_000)}`)).toContain("levels inside one another");
	});

	test("number of declarations", () => {
		const names = Array.from({ length: limits.declarations + 5 }, (_, i) => `p${i}`);
		expect(message(`state x\nx' = 1\nparam ${names.join(", ")}`)).toContain("more than 10000 declarations");
		expect(message(`state x\nx' = 1\nparam ${names.join("\nparam ")}`)).toContain(
			"more than 10000 declarations",
		);
	});

	test("length of a name, order of a derivative, digits of a number", () => {
		expect(message(`state ${"x".repeat(257)}`)).toContain("more than 256 characters");
		expect(message(`state x\nx${"'".repeat(9)} = 1`)).toContain("a derivative of order 9");
		expect(message(`state x\nx' = ${"1".repeat(401)}`)).toContain("too many digits");
	});

	test("constants that double in length", () => {
		const lets = Array.from({ length: 60 }, (_, i) => `let a${i + 1} = a${i}*a${i}`);
		expect(message(`let a0 = 1.1\n${lets.join("\n")}\nstate x\nx' = a60`)).toMatch(
			/finite value|too many digits/,
		);
		const thirds = Array.from({ length: 2000 }, (_, i) => `1/${2 * i + 1001}`);
		expect(message(`state x\nx' = ${thirds.join(" + ")}`)).toContain("too many digits");
	});

	test("lets that double when they are written out stay small as a graph", () => {
		const lets = Array.from({ length: 2000 }, (_, i) => `let a${i + 1} = sin(a${i})*cos(a${i})`);
		const text = `state x\nlet a0 = x\n${lets.join("\n")}\nx' = a2000\nmeasure y = a2000`;
		const parsed = parse(text);
		expect(parsed.rhs[0].size).toBe(1e15);
		expect(parse(printModel(parsed)).rhs[0].size).toBe(1e15);
		expect(JSON.stringify(describeModel(parsed)).length).toBeLessThan(2_000_000);
	});

	test("sums that grow with every let are stopped", () => {
		const lets = Array.from(
			{ length: 9000 },
			(_, i) => `let a${i + 1} = a${i} + p${i % 900}*x^${1 + Math.floor(i / 900)}`,
		);
		const params = Array.from({ length: 900 }, (_, i) => `p${i}`);
		expect(
			message(`state x\nparam ${params.join(", ")}\nlet a0 = x\n${lets.join("\n")}\nx' = a9000`),
		).toContain("grows beyond what can be handled");
	});

	test("long chains of lets do not overflow the stack", () => {
		const chain = Array.from({ length: 9000 }, (_, i) => `let a${i} = sin(a${i + 1})`).join("\n");
		const parsed = parse(`state x\n${chain}\nlet a9000 = x\nx' = a0\nmeasure y = a0`);
		survive(printModel(parsed));
		expect(message(`state x\n${chain}\nlet a9000 = a0\nx' = a0`)).toContain("a loop of definitions");
	});

	test("functions of functions are as deep as all of them together", () => {
		const bodies = {
			short: "a*a + k",
			deep: `${"sin(".repeat(180)}a${")".repeat(180)} + k`,
			chosen: "if(a < k and not(a < 0), a + 1, a - 1)",
		};
		const twice = (body: string, levels: number): string =>
			[
				`function f0(a) = ${body}`,
				...Array.from({ length: levels }, (_, i) => `function f${i + 1}(a) = f${i}(f${i}(a))`),
				`param k\nstate x\nx' = -f${levels}(x)\nmeasure y = x`,
			].join("\n");
		for (const body of Object.values(bodies))
			for (const levels of [1, 2, 3, 5, 7, 9, 14, 40, 190]) survive(twice(body, levels));
		expect(() => parse(twice(bodies.short, 6))).not.toThrow();
		expect(message(twice(bodies.short, 9))).toContain(`nests more than ${limits.written} deep`);
		// What has a name of its own is as deep as itself.
		expect(() => parse(`let part = f6(x)\n${twice(bodies.short, 6)}\nmeasure z = f6(part)`)).not.toThrow();
	});

	test("large coupled systems", () => {
		const n = limits.coupled + 1;
		const states = Array.from({ length: n }, (_, i) => `x${i}`);
		const ring = (count: number): string =>
			`state ${states.slice(0, count).join(", ")}\n${states
				.slice(0, count)
				.map((x, i) => `${x}' + 0.5*${states[(i + 1) % count]}' = ${x}`)
				.join("\n")}`;
		expect(() => parse(ring(20))).not.toThrow();
		expect(message(ring(n))).toContain(`more than ${limits.coupled} equations`);
	});

	test("a method that multiplies out what has no end is stopped, and does not apply", () => {
		const grown = parse("param k\nstate x\nx' = -k*x\nmeasure y = x");
		const { graph } = grown;
		const endless = (): never => {
			for (let i = 0; ; i++) graph.add(graph.sym("x"), graph.const(i));
		};
		const [verdict] = applicability(grown, [{ name: "fit", appliesTo: endless, suits: () => undefined }]);
		expect(verdict).toMatchObject({ method: "fit", applies: false });
		expect(verdict.why).toContain("grow too large");
		// The limit is that of the question only.
		for (let i = 0; i < 1_100_000; i++) graph.add(graph.one, graph.one);
		const broken = { name: "fit", appliesTo: () => JSON.parse("{"), suits: () => undefined };
		expect(() => applicability(grown, [broken])).toThrow(SyntaxError);
	});

	test("which methods apply to a short text that stands for 2^60 terms", () => {
		const chain = Array.from({ length: 60 }, (_, i) => `let a${i + 1} = (a${i} + 1)*(a${i} + sin(a${i}))`);
		const many = Array.from({ length: 99 }, (_, i) => `p${i}`);
		for (const text of [
			`state x = 1\nlet a0 = x\n${chain.join("\n")}\nx' = -a60\nmeasure y = x`,
			`param k\nstate x = 1, z\nlet a0 = z\n${chain.join("\n")}\nx' = z - k\nz' = -a60\nmeasure y = x`,
			`param ${many.join(", ")}\nstate x = 1, z\nx' = z - x\nz' = -z^2 - z*(x + ${many.join(" + ")})^4\nmeasure y = x`,
		]) {
			const model = parse(text);
			JSON.stringify(describeModel(model));
			const periodic = applicability(model).find(({ method }) => method === "periodic")!;
			expect(periodic.applies).toBe(false);
		}
	});

	test("thousands of errors", () => {
		const text = `state x\n${Array.from({ length: 9000 }, (_, i) => `x' = q${i}*(1 + )`).join("\n")}`;
		// Each line ends too soon, and has a name that nobody declared.
		expect(errorsOf(text).diagnostics.length).toBe(18_000);
		const twice = `state x\nx' = 1\n${"param k = unknownName\n".repeat(9000)}`;
		expect(errorsOf(twice).diagnostics.length).toBeGreaterThan(8999);
	});
});

describe("nothing in a text runs", () => {
	test("names that JavaScript knows are only names", () => {
		const parsed = parse(
			"param self = 2, arguments, eval\nstate prototype\nprototype' = self*arguments + eval",
		);
		expect(parsed.params.map(({ name }) => name)).toEqual(["self", "arguments", "eval"]);
		expect(() => parse("state x\nx' = constructor")).toThrow(ModelError);
		expect(() => parse("state x\nx' = eval(x)")).toThrow(ModelError);
		expect(() => parse("state x\nx' = toString(x)")).toThrow(ModelError);
		expect(() => parse("param k ~ constructor(1)\nstate x\nx' = k")).toThrow(ModelError);
		expect(() => parse("param __proto__\nstate x\nx' = 1")).toThrow(ModelError);
	});
});
