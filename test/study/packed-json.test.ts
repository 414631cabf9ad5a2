import fc from "fast-check";
import { expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../src/num/base64.ts";
import { packJson, unpackJson } from "../../src/study/packed-json.ts";

it("brings back columns, numbers that are not finite, and the rest", () => {
	const column = Float64Array.of(0, -0, 1 / 3, Number.NaN, Infinity, 5e-324);
	const value = {
		a: column,
		again: { a: column },
		list: [1, -Infinity, "text <x>", null, true],
		nan: Number.NaN,
		below: -0,
	};
	const text = packJson(value);
	expect(unpackJson(text, "f")).toEqual(value);
	// Stored once, used twice.
	expect(JSON.parse(text).columns).toHaveLength(1);
});

it("keeps every double, bit for bit", () => {
	fc.assert(
		fc.property(fc.float64Array(), (column) => {
			expect(unpackJson(packJson(column), "f")).toEqual(column);
		}),
		{ seed: 1 },
	);
});

it("agrees with Node on base64", () => {
	fc.assert(
		fc.property(fc.uint8Array(), (bytes) => {
			expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
			expect(fromBase64(toBase64(bytes))).toEqual(bytes);
		}),
		{ seed: 1 },
	);
});

it.each([
	["", /not readable/],
	["{", /not readable/],
	["{}", /unknown format/],
	["null", /unknown format/],
	[packJson({ a: new Float64Array(3) }).replace("AAA", "A*A"), /damaged column/],
	[packJson({ a: new Float64Array(3) }).replace('"$column":0', '"$column":7'), /not there/],
])("refuses damaged text %#", (text, reason) => {
	expect(() => unpackJson(text, "result.json")).toThrow(reason);
});
