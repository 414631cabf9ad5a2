/** Numbers of foreign text, against their grammar. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalNumber, wholeNumber } from "../../src/formats/numbers.ts";

// xs:decimal and xs:double without the words for what has no digits.
const grammar = /^[ \t\r\n]*[-+]?([0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?[ \t\r\n]*$/;
const texts = fc.oneof(
	fc.string({ maxLength: 8 }),
	fc.string({ unit: fc.constantFrom(..."0123456789.eE+-"), maxLength: 8 }),
	fc.string({ unit: fc.constantFrom(..."01x bo_7.eEdnINF+-\t"), maxLength: 8 }),
	fc.double().map(String),
	fc.integer().map((value) => `0${"xbo"[Math.abs(value) % 3]}${Math.abs(value)}`),
);

test("what is read is what the grammar has, as JavaScript rounds it", () => {
	fc.assert(
		fc.property(texts, (text) => {
			const value = Number(text);
			const isNumber = grammar.test(text) && Number.isFinite(value);
			expect(decimalNumber(text)).toBe(isNumber ? value : undefined);
			expect(wholeNumber(text)).toBe(isNumber && Number.isInteger(value) ? value : undefined);
		}),
		{ seed: 1, numRuns: 50_000 },
	);
});
