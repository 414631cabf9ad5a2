/** Headers and names of any length are read in a moment: no step costs the square of a length. */
import { expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { nameAndUnit } from "../../src/data/table/unit.ts";
import { nearestName } from "../../src/errors.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyMethods } from "../study/study-methods.ts";
import { utf8 } from "./bytes.ts";

/** Milliseconds; each took minutes or more when it went by squares. */
const moment = 5000;

function took(work: () => unknown): number {
	const start = performance.now();
	work();
	return performance.now() - start;
}

it.each([
	["blanks", `a${" ".repeat(200_000)}b`],
	["digits", `${"1".repeat(200_000)}x`],
	["brackets", `a${" [".repeat(100_000)}`],
	["quote signs", `a"${'""'.repeat(200_000)}`],
])("a name of many %s", (_, name) => {
	expect(took(() => nameAndUnit(name))).toBeLessThan(moment);
	expect(took(() => readCsv(utf8(`t;${name}\n0;1\n1;2\n2;3\n`), "f"))).toBeLessThan(moment);
});

it("names and units come apart as before", () => {
	const cases: [string, string, string?][] = [
		["x [m]", "x", "m"],
		["x[m]", "x", "m"],
		["x (m/s)", "x", "m/s"],
		["f(x)", "f(x)"],
		["x []", "x"],
		["[m]", "[m]"],
		["a [b] [c]", "a [b]", "c"],
		["a [b]c", "a [b]c"],
		["x [a]b]", "x [a]b]"],
	];
	for (const [header, name, unit] of cases)
		expect(nameAndUnit(header)).toEqual(unit === undefined ? { name } : { name, unit });
});

it("the nearest of many long names", () => {
	const names = Array.from(
		{ length: 16_000 },
		(_, i) => `${"sensor ".repeat(60)}${i}${" of the plant".repeat(40)}`,
	);
	const wanted = names[7123].replace("7123", "7132x");
	expect(took(() => nearestName(wanted, names))).toBeLessThan(moment);
	expect(nearestName(names[5].replace("plant", "palnt"), names)).toBe(names[5]);
	expect(nearestName("methd", ["model", "method", "data"])).toBe("method");
	expect(nearestName("trian", ["test", "train"])).toBe("train");
	expect(nearestName("abcdef", ["uvwxyz"])).toBeUndefined();
});

it("a study of many aliases", () => {
	const source = `model: m.ode\ndata:\n  - &r { file: r.csv, time: t }\n${"  - *r\n".repeat(12_000)}`;
	expect(took(() => parseStudy(source, "study.yaml", studyMethods))).toBeLessThan(moment);
});
