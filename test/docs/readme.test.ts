/** What the README shows is run: a reader who copies it gets what it says. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { csvText } from "../../src/data/csv/write-csv.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { stream } from "../../src/num/random.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records/records.ts";
import { runStudy } from "../../src/study/run.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const block = (language: string): string =>
	new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme)![1];

describe("README", () => {
	test("its five lines and its study fit a record with the columns it names", async () => {
		const model = parseModel(block("ode"), "oscillator.ode");
		const study = parseStudy(block("yaml"), "study.yaml", methods);
		const record = csvText(simulated());
		const tables = await tablesOf(study, async (file) => readCsv(new TextEncoder().encode(record), file));
		const problem = problemFromStudy(study, model, tables, inline);
		const method = methods.get(study.method)!;
		const end = await runStudy({ method, problem, options: defaultOptions(method.options) });
		if (end.kind !== "done") throw new Error("stopped");
		const truth: Record<string, number> = { m: 1, c: 0.3, k: 2 };
		for (const { name, estimate, sd } of end.result.parameters)
			expect(Math.abs(estimate - truth[name])).toBeLessThan(4.5 * sd!);
		expect(end.result.outcome).toBe("converged");
	});

	test("every page it links to is there", () => {
		const links = [...readme.matchAll(/\]\((?!http)([^)#]+)/g)].map((match) => match[1]);
		expect(links.length).toBeGreaterThan(3);
		for (const link of links)
			expect(() => readFileSync(new URL(`../../${link}`, import.meta.url))).not.toThrow();
	});
});

/** The oscillator with m = 1, c = 0.3, k = 2 under a force that is linear between samples, by very small steps. */
function simulated(): { name: string; values: Float64Array }[] {
	const n = 400;
	const step = 0.05;
	const { normal } = stream(1, "readme noise");
	const t = Float64Array.from({ length: n }, (_, i) => i * step);
	const u = Float64Array.from(t, (time) => Math.sin(time) + Math.sin(2.3 * time));
	const y = new Float64Array(n);
	let [x, v] = [0, 0];
	for (let i = 0; i < n; i++) {
		y[i] = x + 0.02 * normal(i);
		if (i === n - 1) break;
		for (let s = 0; s < 2000; s++) {
			const force = u[i] + ((u[i + 1] - u[i]) * (s + 0.5)) / 2000;
			v += (step / 2000) * (force - 0.3 * v - 2 * x);
			x += (step / 2000) * v;
		}
	}
	return [
		{ name: "t", values: t },
		{ name: "u", values: u },
		{ name: "y", values: y },
	];
}
