import { describe, expect, it } from "vitest";
import { alignPoints, parameterTable } from "../../src/cli/terminal/parameter-table.ts";
import { bar, secondsToGo } from "../../src/cli/terminal/progress-bar.ts";
import { wrap, wrapItems } from "../../src/cli/terminal/wrap.ts";

describe("the table of parameters", () => {
	it("aligns numbers at their points", () => {
		const table = parameterTable(
			[
				{ name: "m", estimate: 1.00213, sd: 0.00412, lo: 0.994, hi: 1.01, verdict: "identifiable" },
				{ name: "k3", estimate: 123.4, sd: 11, lo: 101, hi: 146, verdict: "identifiable" },
				{ name: "tiny", estimate: 5.03e-6, sd: 1.2e-8, lo: 5.006e-6, hi: 5.054e-6, verdict: "identifiable" },
				{ name: "open", estimate: 2.5, verdict: "structurally unidentifiable" },
			],
			"fit",
			"95 % interval",
		);
		expect(table).toEqual([
			"       fit                    95 % interval",
			"m        1.002 ±  0.004         0.994 …   1.010       identifiable",
			"k3     123     ± 11           101     … 146           identifiable",
			"tiny     5.030 ±  0.012 e-6     5.006 …   5.054 e-6   identifiable",
			"open     2.5                                          structurally unidentifiable",
		]);
	});
	it("is nothing for no parameters", () => {
		expect(parameterTable([], "fit", "")).toEqual([]);
	});
	it("pads both sides of the point", () => {
		expect(alignPoints(["1.5", "20", "0.25", ""])).toEqual([" 1.5 ", "20   ", " 0.25", "     "]);
	});
});

describe("progress", () => {
	it("fills the bar in eighths", () => {
		expect(bar(0)).toBe("░".repeat(26));
		expect(bar(1)).toBe("█".repeat(26));
		expect(bar(2)).toBe("█".repeat(26));
		expect(bar(0.5)).toBe("█".repeat(13) + "░".repeat(13));
		expect(bar(0.5 + 1 / 52 / 4)).toMatch(/^█{13}[▏▎▍▌▋▊▉]░{12}$/);
	});
	it("tells the time to go only when it can", () => {
		expect(secondsToGo(0.25, 0, 10)).toBeCloseTo(30);
		expect(secondsToGo(0.001, 0, 10)).toBeUndefined();
		// Half was done by an earlier process: this one did half of the rest in 10 s.
		expect(secondsToGo(0.75, 0.5, 10)).toBeCloseTo(10);
	});
});

it("wraps words and items", () => {
	expect(wrap("one two three\nfour", 8)).toEqual(["one two", "three", "four"]);
	expect(wrapItems(["a(1, 2)", "b(3, 4)", "c"], 10)).toEqual(["a(1, 2),", "b(3, 4), c"]);
});
