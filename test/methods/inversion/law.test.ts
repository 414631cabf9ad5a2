/** The law that inversion finds, as a person writes it: with numbers, with intervals, and with its rivals. */
import { describe, expect, test } from "vitest";
import { lawLines } from "../../../src/cli/terminal/law-lines.ts";
import { record } from "../../../src/data/data-record.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { accentOf } from "../../../src/methods/accent.ts";
import { reportPage } from "../../../src/report/page.ts";
import { keptResult } from "../../../src/study/kept-result.ts";
import { packJson } from "../../../src/study/packed-json.ts";

const times = Float64Array.from({ length: 81 }, (_, i) => i / 8);

async function logistic(noise: number) {
	const measured = `state x ~ normal(0.5, 0.2)\nmeasure y ~ normal(x, ${noise})\n`;
	const truth = model(
		`param r = 0.8, K = 5\nx' = r*x*(1 - x/K)\n${measured.replace("~ normal(0.5, 0.2)", "= 0.5")}`,
	);
	const { columns } = simulate(truth, { times, noise: true, seed: 3 });
	const candidates = model(`unknown f(x) = polynomial(3)\nx' = f(x)\n${measured}`);
	const options = { stability: 0, starts: 0 };
	return run(candidates, record({ t: columns.t, y: columns.y }), { method: "inversion", options });
}

describe("the law", async () => {
	const result = await logistic(0.05);
	const doubtful = await logistic(0.6);

	test("has numbers in the place of terms, and intervals as the table has them", () => {
		const { equations, intervals } = result.law!;
		const [, a, b] = /^x' = (0\.\d+)·x - (0\.\d+)·x²$/.exec(equations[0].plain)!.map(Number);
		for (const [value, name] of [
			[a, "f[x]"],
			[-b, "f[x^2]"],
		] as const) {
			const { estimate, sd } = result.parameters.find((row) => row.name === name)!;
			expect(Math.abs(value - estimate)).toBeLessThan(sd! / 10);
		}
		const ends = [...intervals[0].matchAll(/\[(-?[\d.]+), (-?[\d.]+)\]·(x²?)/g)];
		const nameOf: Record<string, string> = { x: "f[x]", "x²": "f[x^2]" };
		expect(ends.map((match) => match[3])).toEqual(["x", "x²"]);
		for (const [, lo, hi, term] of ends) {
			const row = result.parameters.find(({ name }) => name === nameOf[term])!;
			expect(Math.abs(Number(lo) - row.lo!)).toBeLessThan(row.sd! / 10);
			expect(Math.abs(Number(hi) - row.hi!)).toBeLessThan(row.sd! / 10);
		}
		const [growth, crowding] = ["f[x]", "f[x^2]"].map(
			(name) => result.parameters.find((row) => row.name === name)!,
		);
		expect(Math.abs(growth.estimate - 0.8)).toBeLessThan(5 * growth.sd!);
		expect(Math.abs(crowding.estimate + 0.16)).toBeLessThan(5 * crowding.sd!);
		expect(equations[0].tex).toMatch(/^x' = /);
		expect(equations[0].mathml).toMatch(/^<math/);
	});

	test("stands beside its rivals", () => {
		expect(result.law!.rivals).toEqual([]);
		const [rival] = doubtful.law!.rivals;
		expect(rival.equations[0].plain).toMatch(/^x' = [\d.]+·x - [\d.]+·x³$/);
		expect(rival.words).toMatch(/^with f\[x\^3\], without f\[x\^2\] \(\d\.\d behind\)$/);
	});

	test("is in the summary, on the terminal, in the report, and in what is kept", () => {
		expect(doubtful.summary.law).toEqual({
			equations: doubtful.law!.equations.map(({ plain }) => plain),
			intervals: doubtful.law!.intervals,
			rivals: doubtful.law!.rivals.map(({ words, equations }) => ({
				equations: equations.map(({ plain }) => plain),
				words,
			})),
		});
		const lines = lawLines(doubtful).join("\n");
		expect(lines).toMatch(
			/The law +x' = .*\n +Intervals +x' = \[.*\n +each a 95 % profile interval\n +Rivals +x' = /,
		);
		const facts = {
			title: "s",
			records: [],
			noise: {},
			seed: 1,
			seconds: 1,
			finished: "now",
			version: "0",
			nSamples: 1,
		};
		const kept = keptResult(packJson({ result: doubtful, facts }), "result.json");
		expect(kept.result.law).toEqual(doubtful.law);
		const page = reportPage({
			...facts,
			result: doubtful,
			accent: accentOf("inversion"),
			equations: [],
			study: "",
			references: [],
			files: [],
		});
		expect(page).toContain("The law that was found");
		expect(page).toContain("Almost as well supported");
	});
});
