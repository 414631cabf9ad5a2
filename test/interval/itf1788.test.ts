/**
 * The assertions of ITF1788 (in itf1788/, with their licence): every result holds what is asserted, and is as tight. The bounds that are asserted are the
 * best ones, but for a few, where ours are better: each of these is proved here.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pownRev, powRev2 } from "../../src/interval/index.ts";
import { allAssertions, type Outcome, runBare, runDecorated, tableOf } from "./itf1788.ts";
import { type Assertion, readItl } from "./itl.ts";

const all = allAssertions();

/** Asserted bounds that are not the best: where, and what is best. */
const better = new Map([
	["libieeep1788_rev.itl:276", "2^(1074/7) is above the double after the asserted one"],
	["libieeep1788_rev.itl:277", "its mirror image"],
	["libieeep1788_rev.itl:477", "the same, decorated"],
	["libieeep1788_rev.itl:478", "its mirror image, decorated"],
	["pow_rev.itl:609", "t^y >= 2 for t <= 1/2 needs y <= -1/2, t >= 1/4"],
	["pow_rev.itl:642", "the same; 1^y is never 2"],
]);

function place({ file, line }: Assertion): string {
	return `${file}:${line}`;
}

function told(assertion: Assertion, outcome: Outcome): string {
	return `${place(assertion)}: ${assertion.source}, got ${outcome.got}`;
}

describe.each([
	["bare", runBare],
	["decorated", runDecorated],
] as const)("%s intervals", (_, run) => {
	const tried = all.flatMap((assertion) => {
		const outcome = run(assertion);
		return outcome ? [{ assertion, outcome }] : [];
	});

	it("are tried by the thousand", () => {
		expect(tried.length).toBeGreaterThan(1400);
	});

	it("hold what is asserted", () => {
		const lost = tried.filter(({ assertion, outcome }) => !outcome.sound && !better.has(place(assertion)));
		expect(lost.map(({ assertion, outcome }) => told(assertion, outcome))).toEqual([]);
	});

	it("are as tight as asserted", () => {
		const loose = tried.filter(
			({ assertion, outcome }) => !outcome.tightest && !better.has(place(assertion)),
		);
		expect(loose.map(({ assertion, outcome }) => told(assertion, outcome))).toEqual([]);
	});
});

it("knows every operation of the files", () => {
	const unknown = all.filter((assertion) => !runBare(assertion) && !runDecorated(assertion));
	expect(unknown.map(place)).toEqual([]);
	expect(all.length).toBe(7137);
});

describe("bounds that are better than asserted", () => {
	it("2^(1074/7) is at least our bound, in whole numbers", () => {
		const { lo } = pownRev({ lo: 0, hi: 5e-324 }, -7);
		// lo = m·2^101, so lo^7 <= 2^1074 is m^7 <= 2^(1074 - 707).
		const m = BigInt(lo / 2 ** 101);
		expect(m ** 7n <= 2n ** 367n).toBe(true);
		expect((m + 1n) ** 7n > 2n ** 367n).toBe(true);
	});

	it("exponents that take [1/4, 1/2] to 2 or more are at most -1/2", () => {
		expect(powRev2({ lo: 0.25, hi: 0.5 }, { lo: 2, hi: Infinity })).toEqual({ lo: -Infinity, hi: -0.5 });
	});
});

describe("the reader", () => {
	it("knows all forms", () => {
		const text = `/* a */ testcase t.1 { // b
			f [-0X1.8P+1, infinity]_com -3 {1.0, NaN} "a b" = [nai] [empty]_trv signal Some; g [entire] = before; }`;
		expect(readItl("f.itl", text)).toMatchObject([
			{
				operation: "f",
				testcase: "t.1",
				operands: [
					{ lo: -3, hi: Infinity, decoration: "com" },
					{ value: -3 },
					{ values: [1, NaN] },
					{ text: "a b" },
				],
				results: [{ decoration: "ill" }, { lo: Infinity, hi: -Infinity, decoration: "trv" }],
				signal: "Some",
			},
			{ operation: "g", operands: [{ lo: -Infinity, hi: Infinity }], results: [{ word: "before" }] },
		]);
	});

	it("says where it cannot read", () => {
		expect(() => readItl("f.itl", "testcase t {\n f [1, 2 = 3; }")).toThrow("f.itl:2");
		expect(() => readItl("f.itl", "testcase t { f 0x1.00000000000001p0 = 1; }")).toThrow("no double");
	});
});

it("the table in docs/interval.md says what was counted", () => {
	const page = readFileSync(new URL("../../docs/interval.md", import.meta.url), "utf8");
	for (const row of tableOf(all, (assertion) => better.has(place(assertion)))) expect(page).toContain(row);
});
