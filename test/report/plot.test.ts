import { describe, expect, it } from "vitest";
import type { Figure } from "../../src/estimate/figure.ts";
import { stream } from "../../src/num/random.ts";
import { decimate, linePath } from "../../src/report/decimate.ts";
import { spread } from "../../src/report/direct-labels.ts";
import { domainOf, layoutOf, plot } from "../../src/report/plot.ts";
import { niceTicks, powerOfTen } from "../../src/report/scale.ts";
import { zoomData } from "../../src/report/zoom-data.ts";

const figure = (marks: Figure["marks"], more: Partial<Figure> = {}): Figure => ({
	name: "f",
	title: "A title",
	caption: "What to see.",
	xLabel: "t",
	yLabel: "y",
	marks,
	section: "fit",
	...more,
});

describe("bands one above the other", () => {
	it("have a scale of their shades beside the plot, inside the drawing, with every value", () => {
		const bands = figure([{ type: "band", x: [0, 1], lo: [0, 0], hi: [1, 1], role: "band" }], {
			levels: [-0.5, 0, 12.25],
		});
		const { width, right } = layoutOf(bands);
		const svg = plot(bands, "p").html;
		const scale = /<g class="scale">.*<\/g>/s.exec(svg)![0];
		for (const text of ["−0.5", "0", "12.25"]) expect(scale).toContain(`>${text}</text>`);
		expect(scale.match(/class="area r-band"/g)).toHaveLength(3);
		expect(right).toBeGreaterThan(layoutOf(figure([])).right);
		expect(Number(/<text x="([\d.]+)"/.exec(scale)![1])).toBeLessThan(width);
		expect(plot(figure([]), "p").html).not.toContain('class="scale"');
	});
});

describe("ticks", () => {
	it.each([
		[0, 20, 5, ["0", "5", "10", "15", "20"]],
		[-0.13, 0.11, 5, ["−0.10", "−0.05", "0.00", "0.05", "0.10"]],
		[0.98, 1.02, 4, ["0.98", "0.99", "1.00", "1.01", "1.02"]],
	])("from %d to %d, about %d, are round and have equal decimals", (lo, hi, count, labels) => {
		expect(niceTicks(lo, hi, count).labels).toEqual(labels);
	});
	it("set a power of ten apart where numbers are very small or large", () => {
		expect(niceTicks(0, 4e-6, 4)).toEqual({
			values: [0, 1e-6, 2e-6, 3e-6, 4e-6].map((v) => expect.closeTo(v, 12)),
			labels: ["0", "1", "2", "3", "4"],
			exponent: -6,
		});
		expect(powerOfTen(-6)).toBe("×10⁻⁶");
	});
	it("are none where there is no range", () => {
		expect(niceTicks(1, 1, 5).values).toEqual([]);
		expect(niceTicks(Number.NaN, 1, 5).values).toEqual([]);
	});
});

describe("long lines", () => {
	const n = 100_000;
	const noise = stream(3, "plot test");
	const x = Float64Array.from({ length: n }, (_, i) => i / n);
	const y = x.map((_, i) => noise.normal(i));
	y[54_321] = 9;

	it("keep the lowest and the highest value of every pixel column", () => {
		const kept = decimate(n, (i) => 700 * x[i], y, 700);
		expect(kept.length).toBeLessThanOrEqual(4 * 701);
		const columns = new Map<number, { lo: number; hi: number }>();
		const note = (i: number, into: typeof columns): void => {
			const c = Math.floor(700 * x[i]);
			const old = into.get(c) ?? { lo: Infinity, hi: -Infinity };
			into.set(c, { lo: Math.min(old.lo, y[i]), hi: Math.max(old.hi, y[i]) });
		};
		const ofKept: typeof columns = new Map();
		for (let i = 0; i < n; i++) note(i, columns);
		for (const i of kept) note(i, ofKept);
		expect(ofKept).toEqual(columns);
		expect([...kept]).toEqual([...kept].sort((a, b) => a - b));
	});

	it("make a drawing of less than 60 kB from 10^5 points", () => {
		expect(plot(figure([{ type: "line", x, y, role: "data" }]), "a").html.length).toBeLessThan(60_000);
	});

	it("make zoom data of less than 150 kB from 10^5 points, the outlier kept", () => {
		const data = zoomData(figure([{ type: "line", x, y, role: "data" }], { zoom: true }), "a", "g");
		expect(JSON.stringify(data).length).toBeLessThan(150_000);
		expect(data?.marks[0]).toMatchObject({ y: { hi: 9 } });
	});

	it("break where a value is missing", () => {
		const identity = (value: number): number => value;
		expect(linePath([0, 1, 2, 3], [1, Number.NaN, 2, Infinity], identity, identity, 100)).toBe("M0 1M2 2");
		const many = y.map((value, i) => (i === 500 ? Number.NaN : value));
		expect([...decimate(n, (i) => 700 * x[i], many, 700)]).toContain(500);
	});
});

describe("a drawing", () => {
	it("says what it shows, and escapes it", () => {
		const evil = '"><script>alert(1)</script>';
		const drawn = plot(
			figure([{ type: "line", x: [0, 1], y: [0, 1], role: "data", label: evil }], {
				title: evil,
				caption: evil,
				xLabel: evil,
				yLabel: evil,
			}),
			"a",
		).html;
		expect(drawn).not.toContain("<script");
		expect(drawn).toContain("&lt;script&gt;");
		expect(drawn).toMatch(/<title id="a-t">/);
		expect(drawn).toMatch(/role="img" aria-labelledby="a-t a-d"/);
	});

	it("writes names instead of numbers where places have them, with room around", () => {
		const named = figure(
			[
				{ type: "boxes", x0: [1], x1: [2], y0: [0.8], y1: [1.2], role: "accent" },
				{ type: "words", x: [1.5], y: [1], words: ["<held>"], role: "data" },
			],
			{
				yNames: [
					{ at: 1, name: "guaranteed & proved" },
					{ at: 2, name: "fit" },
				],
			},
		);
		expect(domainOf(named).y).toEqual({ lo: 0.5, hi: 2.5 });
		const drawn = plot(named, "a").html;
		expect(drawn).toContain("guaranteed &amp; proved</text>");
		expect(drawn).toMatch(/text-anchor="middle">&lt;held&gt;<\/text>/);
		expect(layoutOf(named).left).toBeGreaterThan(100);
		expect(zoomData(named, "a", "a")).toBeUndefined();
	});

	it("does not cut few dots in half at the edge", () => {
		const { x } = domainOf(figure([{ type: "points", x: [0, 10], y: [1, 2], role: "data" }]));
		expect(x.lo).toBeLessThan(0);
		expect(x.hi).toBeGreaterThan(10);
	});

	it.each([
		["nothing", []],
		["empty columns", [{ type: "line", x: [], y: [], role: "data", label: "empty" }]],
		["only holes", [{ type: "points", x: [0, 1], y: [Number.NaN, Number.NaN], role: "data" }]],
		["one point", [{ type: "points", x: [1], y: [2], role: "data" }]],
		["a constant", [{ type: "line", x: [0, 1], y: [5, 5], role: "model" }]],
		["infinite ends", [{ type: "band", x: [0, 1], lo: [-Infinity, 0], hi: [1, Infinity], role: "band" }]],
		["bars", [{ type: "bars", x: [1, 2], y: [0.5, -0.5], role: "accent" }]],
		["boxes", [{ type: "boxes", x0: [0], x1: [1], y0: [0], y1: [Infinity], role: "accent" }]],
		["rules", [{ type: "rule", axis: "x", at: Number.NaN, role: "guide", label: "nowhere" }]],
	] as [string, Figure["marks"]][])("of %s has no coordinate that is not a number", (_, marks) => {
		for (const small of [true, false]) {
			const drawn = plot(figure(marks, { small }), "a").html;
			expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
		}
	});
});

it("moves labels apart, inside the plot, in their order", () => {
	const labels = [10, 12, 11, 95, 99].map((y, i) => ({ text: String(i), role: "data", y }));
	const placed = spread(labels, 12, 0, 100);
	for (let i = 1; i < placed.length; i++) expect(placed[i].y - placed[i - 1].y).toBeGreaterThanOrEqual(12);
	expect(placed.map(({ text }) => text)).toEqual(["0", "2", "1", "3", "4"]);
	expect(placed.at(-1)!.y).toBeLessThanOrEqual(100);
});
