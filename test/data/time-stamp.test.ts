import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { experimentFrom } from "../../src/data/experiment.ts";
import { findColumn } from "../../src/data/record.ts";
import { parseTimeStamp, secondsBetween } from "../../src/data/time/time-stamp.ts";

const table = (text: string) => readCsv(new TextEncoder().encode(text), "log.csv");

describe("dates with times", () => {
	it.each([
		["1970-01-01", 0, ""],
		["1970-01-01T00:01", 60, ""],
		["2024-02-29 12:30:15.25", 1709209815, "25"],
		["2024-02-29T12:30:15,125Z", 1709209815, "125"],
		["2024-02-29T14:30:15+02:00", 1709209815, ""],
		["2024-02-29T08:00:15-0430", 1709209815, ""],
	])("%s", (text, seconds, digits) => {
		expect(parseTimeStamp(text)).toEqual({ seconds, digits });
	});

	it.each([
		"2023-02-29 00:00",
		"2024-13-01",
		"2024-05-01 25:00",
		"2024-05-01 10:60",
		"12:30:00",
		"2024-05",
		"",
	])("%j is none", (text) => expect(parseTimeStamp(text)).toBeUndefined());

	it.each([",", ";", "\t"])("become seconds since the first, delimiter %j", (d) => {
		const read = table(
			`when${d}y\n2024-05-01 12:00:00.5${d}1\n2024-05-01 12:00:01.5${d}2\n2024-05-01 13:00:00.5${d}3\n`,
		);
		expect(read.columns[0]).toMatchObject({ name: "when", unit: "s", origin: "2024-05-01 12:00:00.5" });
		expect([...read.columns[0].values]).toEqual([0, 1, 3600]);
		expect([...read.columns[1].values]).toEqual([1, 2, 3]);
	});

	it("keep microseconds of today", () => {
		const read = table("t,y\n2026-11-15T10:00:00.000001,1\n2026-11-15T10:00:00.000003,2\n");
		expect(read.columns[0].values[1]).toBe(2e-6);
	});

	it.each([
		["2024-05-01 12:00:00.123456", "2024-05-01 12:00:00.123457", 1e-6],
		["2024-05-01 12:00:00.9", "2024-05-01 12:00:01.2", 0.3],
		["2024-05-01 12:00:00.123456789012", "2024-05-01 12:00:00.123456789013", 1e-12],
		["1970-01-01 00:00:00.1", "2024-05-01 12:00:00.3", 1714564800.2],
		["2024-05-01 12:00:00.3", "2024-05-01 12:00:00.1", -0.2],
		["1000-01-01 00:00:00.0000001", "2024-05-01 12:00:00", 32324788800],
	])("%s to %s: the decimal difference, to the last bit", (from, to, seconds) => {
		expect(secondsBetween(parseTimeStamp(from)!, parseTimeStamp(to)!)).toBe(seconds);
	});

	it("say where they begin", () => {
		const experiment = experimentFrom(table("when,y\n2024-05-01,1\n2024-05-02,2\n"), {
			name: "log.csv",
			time: "when",
			columns: {},
			inputs: [],
			outputs: ["y"],
			input: "zoh",
			detrend: "none",
			conditions: {},
		});
		expect([...experiment.times]).toEqual([0, 86400]);
		expect(experiment.origin).toBe("2024-05-01");
	});

	it("one that is none is refused at its place", () => {
		expect(() => table("when,y\n2024-05-01,1\nyesterday,2\n")).toThrow(
			/line 3, field 1.*"yesterday", elsewhere the column has dates/s,
		);
	});
});

it.each(["Substrate [mM]", "Substrate(mM)", "Substrate"])("a column is found by its header %s", (name) => {
	for (const header of ["Substrate [mM]", "Substrate (mM)"])
		expect(findColumn(table(`t,${header}\n0,1\n1,2\n`), name).name).toBe("Substrate");
});
