/** What docs/language.md shows is what the parser reads. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { limits } from "../../src/model/language/syntax/limits.ts";
import { declarationKeywords } from "../../src/model/language/syntax/syntax.ts";
import {
	bases,
	distributions,
	errorDistributions,
	functionNames,
	functionProcesses,
	inputProcesses,
} from "../../src/model/language/vocabulary.ts";
import { errorsOf, parse } from "./helpers.ts";

const doc = readFileSync(new URL("../../docs/language.md", import.meta.url), "utf8");
const blocks = (language: string): string[] =>
	[...doc.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text]) => text);

describe("docs/language.md", () => {
	test.each(blocks("ode").map((text) => [text]))("%s", (text) => {
		expect(parse(text).warnings).toEqual([]);
	});

	test("has models to show", () => {
		expect(blocks("ode").length).toBeGreaterThanOrEqual(6);
	});

	test("every declaration in the table of knowledge is one", () => {
		const rows = doc.split("\n").filter((line) => /^\| (`|none)/.test(line) && line.includes("param"));
		const shown = rows.flatMap((row) =>
			[...row.matchAll(/`((?:param|state|measure|unknown) [^`]+)`/g)].map(([, text]) => text),
		);
		expect(shown.length).toBeGreaterThanOrEqual(12);
		for (const declaration of shown) {
			const state = /^state x/.test(declaration) ? "" : "state x\n";
			expect(() => parse(`${declaration}\n${state}x' = 1`)).not.toThrow();
		}
	});

	test("the error shown is the error that comes", () => {
		const [shown] = blocks("text");
		const text = "input u\nparam m, c, k3\nstate x\n\n\n\nm*x'' + c*x' + k2*x = u";
		expect(errorsOf(text).message.replace("test.ode", "duffing.ode")).toBe(shown.trim());
	});

	test("names every word of the language, and the limits", () => {
		const words = [
			...declarationKeywords,
			...functionNames,
			...distributions.keys(),
			...errorDistributions.keys(),
			...bases.keys(),
			...functionProcesses.keys(),
			...inputProcesses.keys(),
		];
		expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(doc))).toEqual([]);
		const { text, declarations, nesting, name, order, exponent } = limits;
		for (const limit of [text, declarations]) expect(doc).toContain(limit.toLocaleString("en"));
		for (const limit of [nesting, name, order, exponent]) expect(doc).toMatch(new RegExp(`\\b${limit}\\b`));
	});
});
