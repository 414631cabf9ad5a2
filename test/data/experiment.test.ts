import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { experimentFrom } from "../../src/data/experiment.ts";
import { mergeSeries } from "../../src/data/merge-series.ts";
import type { RecordSpec } from "../../src/data/record.ts";
import { signalFrom } from "../../src/data/signal/signal.ts";
import { trendAt } from "../../src/data/table/detrend.ts";
import { parseRowList, parseRows, rowsText } from "../../src/data/table/rows.ts";
import { type Table, tableOf } from "../../src/data/table/table.ts";
import { uniformTimes } from "../../src/data/time/uniform-times.ts";
import { inputErrorOf, utf8 } from "./bytes.ts";

function spec(changes: Partial<RecordSpec> = {}): RecordSpec {
	return {
		name: "run 1",
		rate: 10,
		columns: { u: "V1", y: "V2" },
		inputs: ["u"],
		outputs: ["y"],
		input: "linear",
		detrend: "none",
		conditions: {},
		...changes,
	};
}

/** V1 = 0, 1, 2, ...; V2 = its square. */
function table(n = 10, changes: Record<string, number[]> = {}): Table {
	const V1 = Float64Array.from({ length: n }, (_, i) => i);
	const columns = [
		{ name: "V1", values: V1 },
		{ name: "V2", values: V1.map((x) => x * x) },
	];
	for (const [name, values] of Object.entries(changes)) {
		const old = columns.find((c) => c.name === name);
		if (old === undefined) columns.push({ name, values: Float64Array.from(values) });
		else old.values = Float64Array.from(values);
	}
	return tableOf("f.csv", columns);
}

function csv(text: string): Table {
	return readCsv(utf8(text), "f.csv");
}

describe("experimentFrom", () => {
	it("counts time from row 0 of the file, also for a slice", () => {
		const whole = experimentFrom(table(), spec());
		expect([...whole.times]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => i / 10));
		expect(whole.rows).toEqual({ from: 0, to: 10 });
		const slice = experimentFrom(table(), spec({ rows: { from: 4, to: 7 } }));
		expect([...slice.times]).toEqual([0.4, 0.5, 0.6]);
		expect([...slice.outputs.get("y")!.values]).toEqual([16, 25, 36]);
		expect([...slice.outputs.get("y")!.rows]).toEqual([4, 5, 6]);
		expect([...slice.outputs.get("y")!.times]).toEqual([0.4, 0.5, 0.6]);
		expect([...experimentFrom(table(), spec({ start: 5, rate: 2 })).times].slice(0, 3)).toEqual([5, 5.5, 6]);
	});

	it("rounds times at a rate once", () => {
		// -1000 + 3001/3 is 1/3; as a sum of doubles it is off by 256 units in the last place.
		expect(uniformTimes(-1000, 3, 3002)[3001]).toBe(1 / 3);
		// 51.2 is no double; row 256 is at 5 s exactly.
		expect(uniformTimes(0, 51.2, 300)[256]).toBe(5);
		expect(uniformTimes(-0.1, 10, 4)).toEqual(Float64Array.of(-0.1, 0, 0.1, 0.2));
		expect(uniformTimes(1714564800.123456, 1e6, 3)[2]).toBe(1714564800.123458);
		expect(uniformTimes(0.1, 1.2345678901234567e-7, 2)[1]).toBe(8100000.1729000015);
	});

	it("makes inputs from the whole record, outputs from the slice", () => {
		const changed = table(100, { V1: Array.from({ length: 100 }, (_, i) => Math.sin(i)) });
		for (const input of ["zoh", "linear", "cubic", "sinc"] as const) {
			const slice = experimentFrom(changed, spec({ rows: { from: 40, to: 45 }, input }));
			const times = Float64Array.from({ length: 100 }, (_, i) => i / 10);
			const signal = signalFrom(times, changed.columns[0].values, input);
			for (const t of [3.97, 4.03, 4.2, 4.41, 9.9]) expect(slice.inputs.get("u")!.at(t)).toBe(signal.at(t));
		}
	});

	it("takes times from a column, uneven ones too", () => {
		const experiment = experimentFrom(
			csv("t,V1,V2\n0,1,1\n0.5,2,2\n2,3,3\n"),
			spec({ rate: undefined, time: "t" }),
		);
		expect([...experiment.times]).toEqual([0, 0.5, 2]);
		expect(experiment.inputs.get("u")!.at(1.25)).toBe(2.5);
	});

	it("finds a column by the model's own name, by its map, and by its header with the unit", () => {
		const named = csv("u [V],y\n1,2\n3,4\n");
		expect([...experimentFrom(named, spec({ columns: {} })).outputs.get("y")!.values]).toEqual([2, 4]);
		expect(
			experimentFrom(named, spec({ columns: { u: "u [V]" } }))
				.inputs.get("u")!
				.at(0),
		).toBe(1);
	});

	it("passes over missing fields and markers in outputs", () => {
		const text = "V1,V2\n1,10\n2,\n3,-999\n4,NaN\n5,50\n";
		const experiment = experimentFrom(csv(text), spec({ missing: [-999, Number.NaN] }));
		expect([...experiment.outputs.get("y")!.values]).toEqual([10, 50]);
		expect([...experiment.outputs.get("y")!.rows]).toEqual([0, 4]);
		expect([...experiment.outputs.get("y")!.times]).toEqual([0, 0.4]);
		expect(experiment.times.length).toBe(5);
	});

	it("takes NaN for no value in whatever way the record came", () => {
		const experiment = experimentFrom(table(3, { V2: [1, Number.NaN, 3] }), spec());
		expect([...experiment.outputs.get("y")!.rows]).toEqual([0, 2]);
	});

	it("multiplies by factors, and keeps units that still hold", () => {
		const data = csv("t [min],V1 [V],V2 [mm]\n0,1,10\n1,2,20\n2,3,30\n");
		const timed = spec({ rate: undefined, time: "t", factors: { t: 60, y: 0.5 } });
		const experiment = experimentFrom(data, timed);
		expect([...experiment.times]).toEqual([0, 60, 120]);
		expect([...experiment.outputs.get("y")!.values]).toEqual([5, 10, 15]);
		expect(experiment.units).toEqual({ u: "V" });
		expect(experimentFrom(data, { ...timed, factors: {} }).units).toEqual({ t: "min", u: "V", y: "mm" });
		expect(() => experimentFrom(data, { ...timed, factors: { y: 0 } })).toThrow(/factor of y: is 0/);
	});

	it("does not mind what stands outside the chosen rows of an output", () => {
		const text = "V1,V2\n1,NaN\n2,20\n3,30\n4,inf\n";
		expect([
			...experimentFrom(csv(text), spec({ rows: { from: 1, to: 3 } })).outputs.get("y")!.values,
		]).toEqual([20, 30]);
	});

	it("takes off the mean of the whole record, and tells what it took", () => {
		const experiment = experimentFrom(table(5), spec({ detrend: "mean", rows: { from: 3, to: 5 } }));
		expect(experiment.removed).toEqual({
			u: { mean: 2, slope: 0, about: 0.2 },
			y: { mean: 6, slope: 0, about: 0.2 },
		});
		expect([...experiment.outputs.get("y")!.values]).toEqual([3, 10]);
		expect(experiment.inputs.get("u")!.at(0)).toBe(-2);
	});

	it("takes off a line, missing samples or not, and it can be put back", () => {
		fc.assert(
			fc.property(
				fc.double({ min: -5, max: 5, noNaN: true }),
				fc.double({ min: -5, max: 5, noNaN: true }),
				fc.nat(30),
				(a, b, gap) => {
					const values = Array.from({ length: 40 }, (_, i) => a + (b * i) / 10);
					const data = table(40, { V2: values });
					data.columns[1].missing = new Uint8Array(40);
					data.columns[1].missing[gap] = 1;
					const experiment = experimentFrom(data, spec({ detrend: "linear" }));
					const { times, values: rest } = experiment.outputs.get("y")!;
					expect(rest.length).toBe(39);
					expect(experiment.removed.y.slope).toBeCloseTo(b, 9);
					for (let k = 0; k < rest.length; k++) {
						expect(Math.abs(rest[k])).toBeLessThan(1e-11);
						expect(rest[k] + trendAt(experiment.removed.y, times[k])).toBeCloseTo(a + b * times[k], 9);
					}
				},
			),
			{ seed: 1, numRuns: 50 },
		);
	});

	it("leaves the table as it was", () => {
		const data = table(5);
		experimentFrom(data, spec({ detrend: "linear", missing: [4], inputs: [] }));
		expect([...data.columns[1].values]).toEqual([0, 1, 4, 9, 16]);
		expect(data.columns[1].missing).toBeUndefined();
	});
});

describe("errors of a record", () => {
	const cases: [string, Table, Partial<RecordSpec>, RegExp][] = [
		[
			"missing column",
			table(),
			{ columns: { u: "V1", y: "V_2" } },
			/no column V_2; did you mean V2\?\n {2}Its columns are V1, V2/,
		],
		["no name near", table(), { columns: { u: "V1", y: "displacement" } }, /no column displacement\n/],
		["column of text", csv("V1,V2\n1,a\n2,b\n"), {}, /column V2: holds text/],
		["two columns of one name", csv("V1,V2,V2\n1,2,3\n"), {}, /2 columns called V2/],
		["columns of two lengths", table(10, { V2: [1, 2, 3] }), {}, /10 values in V1 and 3 in V2/],
		[
			"infinity in an output",
			table(3, { V2: [1, 2, -Infinity] }),
			{},
			/-Infinity in row 2.*\n.*missing: \[-\.inf\]/,
		],
		["NaN in an input", table(3, { V1: [1, 2, Number.NaN] }), {}, /column V1 \(input u\): is NaN in row 2/],
		["empty field in an input", csv("V1,V2\n1,1\n,2\n"), {}, /no value in row 1/],
		["marker in an input", table(3), { missing: [2] }, /no value in row 2/],
		[
			"output without values",
			csv("V1,V2\n1,1\n2,\n3,\n"),
			{ rows: { from: 1, to: 3 } },
			/no value in the rows 1\.\.3/,
		],
		["rows outside", table(), { rows: { from: 5, to: 11 } }, /rows 5\.\.11, f\.csv has 0\.\.10/],
		["no rows", table(), { rows: { from: 5, to: 5 } }, /rows 5\.\.5/],
		["neither rate nor time", table(), { rate: undefined }, /either rate or time/],
		["both rate and time", table(), { time: "V1" }, /either rate or time/],
		["rate of zero", table(), { rate: 0 }, /rate 0/],
		["rate of NaN", table(), { rate: Number.NaN }, /rate NaN/],
		["condition that is no number", table(), { conditions: { c2: Number.NaN } }, /condition c2: is NaN/],
		["unknown detrend", table(), { detrend: "quadratic" as "mean" }, /Known are none, mean, linear/],
		[
			"times that fall",
			table(5, { t: [0, 1, 0.5, 0.5, 2] }),
			{ rate: undefined, time: "t" },
			/row 2 has 0\.5 after 1, row 3 has 0\.5 after 0\.5/,
		],
		[
			"no time in a row",
			csv("t,V1,V2\n0,1,1\n,2,2\n"),
			{ rate: undefined, time: "t" },
			/column t: is NaN in row 1/,
		],
		[
			"sinc on uneven times",
			table(5, { t: [0, 1, 2, 3, 5] }),
			{ rate: undefined, time: "t", input: "sinc" },
			/column V1 .*uniform/,
		],
	];
	it.each(cases)("%s", async (_, data, changes, message) => {
		expect((await inputErrorOf(() => experimentFrom(data, spec(changes)))).message).toMatch(message);
	});
});

describe("rows", () => {
	it("are 0-based and half-open", () => {
		expect(parseRows("49278..52350")).toEqual({ from: 49278, to: 52350 });
		expect(parseRows(" 0 .. 1 ")).toEqual({ from: 0, to: 1 });
		expect(rowsText(parseRows("3..7"))).toBe("3..7");
		expect(parseRowList("0..5, 10..20")).toEqual([
			{ from: 0, to: 5 },
			{ from: 10, to: 20 },
		]);
		expect(parseRowList(["0..5"])).toEqual([{ from: 0, to: 5 }]);
	});

	it.each([
		"",
		"5",
		"5..",
		"..5",
		"5..5",
		"7..3",
		"-1..4",
		"1.5..3",
		"a..b",
		"1..2..3",
		"1..1e3",
		"0..99999999999999999999",
	])("%s is refused", async (text) => {
		expect((await inputErrorOf(() => parseRows(text, "train"))).subject).toBe("train");
	});
});

describe("mergeSeries", () => {
	it("joins outputs that were sampled at different instants", () => {
		const fast = experimentFrom(table(5), spec());
		const slow = experimentFrom(
			table(3, { V2: [7, 8, 9] }),
			spec({ rate: 4, inputs: [], outputs: ["w"], columns: { w: "V2" } }),
		);
		const both = mergeSeries("run 1", [fast, slow]);
		expect([...both.times]).toEqual([0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5]);
		expect(both.rows).toEqual({ from: 0, to: 7 });
		expect([...both.outputs.get("y")!.rows]).toEqual([0, 1, 2, 4, 5]);
		expect([...both.outputs.get("w")!.rows]).toEqual([0, 3, 6]);
		expect([...both.outputs.get("w")!.values]).toEqual([7, 8, 9]);
		expect(both.inputs.get("u")!.at(0.05)).toBeCloseTo(0.5, 12);
	});

	it("takes instants that differ by rounding for one", () => {
		const a = experimentFrom(table(3, { t: [0.1, 0.2, 0.3] }), spec({ rate: undefined, time: "t" }));
		const b = experimentFrom(
			table(3, { t: [0.1, 0.2, 0.1 + 0.2] }),
			spec({ rate: undefined, time: "t", inputs: [], outputs: ["w"], columns: { w: "V2" } }),
		);
		const both = mergeSeries("both", [a, b]);
		expect([...both.times]).toEqual([0.1, 0.2, 0.3]);
		expect([...both.outputs.get("w")!.rows]).toEqual([0, 1, 2]);
	});

	it("refuses the same output twice and conditions that differ", async () => {
		const one = experimentFrom(table(3), spec({ conditions: { c: 1 } }));
		const other = experimentFrom(table(3), spec({ inputs: [], outputs: [], conditions: { c: 2 } }));
		expect((await inputErrorOf(() => mergeSeries("m", [one, one]))).problem).toContain("two records");
		expect((await inputErrorOf(() => mergeSeries("m", [one, other]))).problem).toBe("is 1 and 2");
	});
});

describe("initial values that hold before the first row", () => {
	const spec = (start: number, inputs: string[] = []) => ({
		name: "r.csv",
		time: "t",
		start,
		columns: {},
		inputs,
		outputs: ["y"],
		input: "zoh" as const,
		detrend: "none" as const,
		conditions: {},
	});
	const table = readCsv(new TextEncoder().encode("t,u,y\n2,1,5\n3,1,6\n4,1,7\n"), "r.csv");

	it("are an instant without a sample", () => {
		const { times, outputs, rows } = experimentFrom(table, spec(0));
		expect([...times]).toEqual([0, 2, 3, 4]);
		expect([...outputs.get("y")!.times]).toEqual([2, 3, 4]);
		expect(rows).toEqual({ from: 0, to: 3 });
	});
	it("do not move later rows", () => {
		expect([...experimentFrom(table, { ...spec(0), rows: { from: 1, to: 3 } }).times]).toEqual([3, 4]);
	});
	it("cannot hold after it, nor where an input is not known", () => {
		expect(() => experimentFrom(table, spec(2.5))).toThrow("after the first row at 2");
		expect(() => experimentFrom(table, spec(0, ["u"]))).toThrow("input u is only known from 2 on");
	});
});
