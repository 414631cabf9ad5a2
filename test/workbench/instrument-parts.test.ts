/** Parts of the instrument that need no browser: axes of tracks, what can be undone, what a plot shows and reads. */
import { describe, expect, it } from "vitest";
import type { Figure, Result } from "../../src/methods/index.ts";
import type { Track } from "../../src/study/index.ts";
import { History } from "../../workbench/page/history.ts";
import { rangeOf } from "../../workbench/plot/content.ts";
import { ticksAlong, ticksOf } from "../../workbench/plot/ticks.ts";
import { stripsOf } from "../../workbench/records/strips.ts";
import { crossCheckOf } from "../../workbench/result/cross-check.ts";
import { readFigure } from "../../workbench/result/read-figure.ts";
import { closeAxis, rounded, shareOf, valueAt, wholeAxis } from "../../workbench/unknowns/axis.ts";

const track: Track = {
	name: "k",
	kind: "param",
	known: "distribution",
	scale: "log",
	lo: 0,
	hi: Infinity,
	start: 1,
	from: 0.01,
	to: 100,
};

describe("the axis of a track", () => {
	it("shows all that is known, and more where the handle was put beyond", () => {
		const axis = wholeAxis(track, 1);
		expect(axis).toEqual({ from: 0.01, to: 100, scale: "log" });
		expect(shareOf(axis, 1)).toBeCloseTo(0.5, 12);
		expect(valueAt(axis, 0.75)).toBeCloseTo(10, 9);
		expect(wholeAxis(track, 1000).to).toBe(3000);
		const bounded: Track = { ...track, scale: "linear", known: "set", lo: 2, hi: 5, from: 2, to: 5 };
		expect(wholeAxis(bounded, 5)).toMatchObject({ from: 2, to: 5 });
	});

	it("near the answers is as wide as those that are decided", () => {
		const fit = { method: "fit", row: { name: "k", estimate: 2, sd: 0.01 }, undecided: false };
		const open = { method: "guaranteed", row: { name: "k", estimate: 50, lo: 0, hi: 100 }, undecided: true };
		const axis = closeAxis(track, [fit, open])!;
		expect(axis.from).toBeGreaterThan(1.9);
		expect(axis.to).toBeLessThan(2.1);
		// What is beyond is cut off at the edge.
		expect([shareOf(axis, 0), shareOf(axis, 100)]).toEqual([0, 1]);
		expect(closeAxis(track, [open])).toBeUndefined();
		const endless = { method: "fit", row: { name: "k", estimate: 3, lo: 1, hi: Infinity }, undecided: false };
		expect(Number.isFinite(closeAxis(track, [endless])!.to)).toBe(true);
	});

	it("gives values with as many digits as a hand can mean", () => {
		const axis = { from: 0, to: 10, scale: "linear" } as const;
		expect(rounded(axis, 3.14159265, 200)).toBe(3.14);
		expect(rounded({ from: 1e-6, to: 1e-5, scale: "log" }, 5.0123456e-6, 200)).toBeCloseTo(5.01e-6, 8);
	});
});

describe("in the cross-check", () => {
	it("a set that is not decided squeezes no other", () => {
		const answer = (method: string, outcome: string, row: object) => ({
			method,
			outcome,
			message: "",
			answered: true,
			intervalName: "",
			parameters: [{ name: "k", ...row }],
		});
		const comparison = {
			answers: [
				answer("fit", "converged", { estimate: 2, sd: 0.01 }),
				answer("guaranteed", "undecided", { estimate: 50, lo: 0, hi: 100, proved: true }),
			],
			refusals: [],
			agreement: [{ parameter: "k", verdict: "single", why: "", methods: ["fit"] }],
		};
		const [row] = crossCheckOf({ comparison, parameters: [] } as unknown as Result)!.rows;
		expect(row.answers.map(({ undecided }) => undecided)).toEqual([false, true]);
		expect(row.axis!.to - row.axis!.from).toBeLessThan(0.1);
	});
});

describe("what can be undone", () => {
	it("goes back and forth; typing in one place is one step", () => {
		let now = 0;
		const history = new History<string>(() => now);
		let text = "";
		const change = (next: string, what: string): void => {
			history.note(text, what);
			text = next;
		};
		change("a", "model");
		now += 100;
		change("ab", "model");
		now += 100;
		change("ab + record", "");
		now += 5000;
		change("abc + record", "model");
		expect((text = history.undo(text)!)).toBe("ab + record");
		expect((text = history.undo(text)!)).toBe("ab");
		expect((text = history.undo(text)!)).toBe("");
		expect([history.canUndo, history.undo(text)]).toEqual([false, undefined]);
		expect((text = history.redo(text)!)).toBe("ab");
		change("other", "");
		expect(history.canRedo).toBe(false);
		expect(history.undo(text)).toBe("ab");
	});
});

describe("the plot", () => {
	const t = Float64Array.of(0, 1, 2, 3);
	const y = Float64Array.of(1, 2, 3, 4);
	const record = {
		file: "a.csv",
		time: "t",
		columns: { pos: "Weg" },
		input: "zoh",
		detrend: "none",
		conditions: {},
		missing: [],
	} as const;
	const table = {
		source: "a.csv",
		nRows: 4,
		skipped: [],
		columns: [
			{ name: "t", values: t },
			{ name: "Weg", unit: "mm", values: y },
			{ name: "F", values: t },
		],
	};

	it("carries the columns' names and units, curves, what is left, and inputs", () => {
		const needed = { inputs: ["F"], outputs: ["pos"] };
		const played = {
			record: "a.csv",
			t,
			outputs: [{ name: "pos", values: Float64Array.of(1, 2, 2, 4), rmse: 0.5 }],
			states: [],
		};
		const ask = { record, table, times: t, needed, played, predicted: [], residuals: true };
		const strips = stripsOf(ask);
		expect(strips.map(({ label }) => label)).toEqual(["pos (Weg) [mm]", "measured − simulated", "F"]);
		expect(strips[0].marks.map(({ type, name }) => `${type} ${name}`)).toEqual([
			"line simulated",
			"dots measured",
		]);
		const [left] = strips[1].marks;
		expect(left.type === "dots" && [...left.y]).toEqual([0, 0, 1, 0]);
		// Before the model has names for them, the columns stand as they are.
		const plain = stripsOf({ ...ask, needed: { inputs: [], outputs: ["y"] }, played: undefined });
		expect(plain.map(({ label }) => label)).toEqual(["Weg [mm]", "F"]);
		const predicted = [
			{
				method: "fit",
				ink: "#00f",
				predictions: [{ experiment: "a.csv", output: "pos", part: "train" as const, t, y: t }],
			},
		];
		expect(stripsOf({ ...ask, predicted })[1].label).toBe("measured − fit");
	});

	it("has room for the arrow of a limit, and nothing is left of one that is kept", () => {
		const limits = Int8Array.of(-1, -1, 0, 0);
		const limited = { ...table, columns: [table.columns[0], { name: "Weg", values: y, limits }] };
		// Below the first limit, above the second.
		const values = Float64Array.of(0.5, 2.5, 3, 4);
		const played = { record: "a.csv", t, outputs: [{ name: "pos", values, rmse: 0 }], states: [] };
		const needed = { inputs: [], outputs: ["pos"] };
		const ask = { record, times: t, needed, played, predicted: [], residuals: true };
		const [strip, left] = stripsOf({ ...ask, table: limited });
		expect(left.marks[0].type === "dots" && [...left.marks[0].y]).toEqual([0, -0.5, 0, 0]);
		const plain = rangeOf(stripsOf({ ...ask, table })[0]);
		const { lo, hi } = rangeOf(strip);
		// An arrow is 10 pixels long, in a strip of 60 or more.
		expect((1 - lo) / (hi - lo)).toBeGreaterThan(10 / 60);
		expect([lo < plain.lo, hi]).toEqual([true, plain.hi]);
	});

	it("tells what is left of several outputs apart by colour and by sign", () => {
		const names = ["t", "Weg", "F"];
		const played = {
			record: "a.csv",
			t,
			outputs: names.map((name) => ({ name, values: t, rmse: 0 })),
			states: [],
		};
		const needed = { inputs: [], outputs: names };
		const strips = stripsOf({ record, table, times: t, needed, played, predicted: [], residuals: true });
		const left = strips.find(({ isCentred }) => isCentred)!.marks;
		expect(left.map(({ name }) => name)).toEqual(names.map((name) => `left of ${name}`));
		expect(new Set(left.map(({ ink }) => ink)).size).toBe(3);
		expect(new Set(left.map((mark) => mark.type === "dots" && mark.sign)).size).toBe(3);
	});

	it("is scaled by its samples: a curve that runs away leaves them in view", () => {
		const far = Float64Array.of(1, 10, 1e9, Infinity);
		const { lo, hi } = rangeOf({
			label: "y",
			weight: 1,
			marks: [
				{ type: "line", name: "simulated", ink: "", t, y: far },
				{ type: "dots", name: "measured", ink: "", t, y },
			],
		});
		expect(lo).toBeLessThan(1);
		expect(hi).toBeGreaterThan(4);
		expect(hi).toBeLessThan(5);
	});

	it("has round numbers along its axes", () => {
		const { at, text } = ticksOf(-0.52, 0.55, 3);
		expect(at.map(text)).toEqual(["−0.5", "0", "0.5"]);
		expect(ticksOf(0, 1.08, 5).at.map(ticksOf(0, 1.08, 5).text)).toEqual(["0", "0.5", "1.0"]);
		const large = ticksOf(0, 4e7, 4);
		expect(large.at.map(large.text)).toEqual(["0", "1e+7", "2e+7", "3e+7", "4e+7"]);
		expect(ticksOf(2, 2, 3).at).toEqual([]);
	});

	it("one number is no scale: a low strip has two", () => {
		for (const [from, to, pixels] of [
			[-0.0331, 0.0331, 30],
			[3.2, 82, 70],
			[-3.1, 8.4, 26],
			[0.999, 1.001, 20],
		]) {
			const { at } = ticksAlong(from, to, pixels);
			expect(at.length).toBeGreaterThan(1);
			for (const [i, value] of at.entries()) {
				expect(value).toBeGreaterThan(from - 1e-9);
				expect(value).toBeLessThan(to + 1e-9);
				if (i > 0) expect(((value - at[i - 1]) / (to - from)) * pixels).toBeGreaterThan(9);
			}
		}
	});

	it("of an answer can be read under the pointer", () => {
		const figure = {
			xLabel: "t",
			yLabel: "y",
			marks: [
				{ type: "band", x: t, lo: y, hi: y.map((v) => v + 1), role: "band" },
				{
					type: "points",
					x: Float64Array.of(0.9, 2.2),
					y: Float64Array.of(5, 6),
					role: "data",
					label: "measured",
				},
				{ type: "line", x: t, y, role: "model", label: "predicted" },
				{ type: "rule", axis: "y", at: 0, role: "guide" },
			],
		} as unknown as Figure;
		expect(readFigure(figure, 1.1)).toEqual({
			x: 1,
			readings: [
				{ name: "band", value: 2, to: 3 },
				{ name: "measured", value: 5 },
				{ name: "predicted", value: 2 },
			],
		});
		expect(readFigure({ ...figure, marks: [] }, 1)).toBeUndefined();
	});
});
