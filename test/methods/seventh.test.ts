/** All that is known of a method stands in its folder: one that is added is one folder and one line of the registry. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { experimentFrom } from "../../src/data/experiment.ts";
import { tableOf } from "../../src/data/table/table.ts";
import type { Result } from "../../src/estimate/result.ts";
import { nothingSeen } from "../../src/estimate/run/glimpse.ts";
import { applicability } from "../../src/methods/applicability.ts";
import type { Method } from "../../src/methods/method.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import type { Problem } from "../../src/methods/problem.ts";
import { methods, registryOf, singleMethods } from "../../src/methods/registry.ts";
import { runStudy } from "../../src/study/run.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";
import { parse } from "../model/helpers.ts";

/** Guesses. */
const seventh: Method<{ steps: number }> = {
	name: "seventh",
	says: "A number that was guessed.",
	accent: { light: "#333", dark: "#ccc", terminal: "red" },
	options: { guess: { type: "number", default: 3, says: "The guess." } },
	appliesTo: () => ({ applies: true, why: "Guesses." }),
	suits: () => "a guess will do",
	prepare: async () => ({ steps: 0 }),
	advance: async (state) => ({ done: ++state.steps === 2, fraction: state.steps / 2, label: "guessing" }),
	result: async () => guessed,
	glimpse: () => nothingSeen,
	save: () => new Uint8Array(),
	load: async () => ({ steps: 1 }),
};
const guessed: Result = {
	method: "seventh",
	outcome: "guessed",
	message: "It is a guess.",
	answered: true,
	parameters: [{ name: "k", estimate: 3, lo: 2.5, hi: 3.5 }],
	intervalName: "guess",
	predictions: [],
	summary: { guess: 3 },
	doubts: [],
	assumptions: [],
	figures: [],
	files: [],
	references: [],
};

const model = parse("param k\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.01)");
const table = tableOf("record", [
	{ name: "t", values: Float64Array.of(0, 0.1, 0.2, 0.3, 0.4) },
	{ name: "y", values: Float64Array.of(1, 0.741, 0.549, 0.407, 0.301) },
]);
const record = experimentFrom(table, {
	name: "record",
	time: "t",
	columns: {},
	inputs: [],
	outputs: ["y"],
	input: "zoh",
	detrend: "none",
	conditions: {},
});
const problem: Problem = { model, train: [record], test: [], start: {}, seed: 1, compute: inline };

describe("a method that is added", () => {
	const single = [...singleMethods, seventh];
	const registry = registryOf(single);

	it("is known to the study file, with its options", () => {
		const text = "model: m.ode\ndata: { file: r.csv, time: t }\nmethod: seventh\nseventh: { guess: 4 }\n";
		const study = parseStudy(text, "study.yaml", registry);
		expect(study).toMatchObject({ method: "seventh", options: { seventh: { guess: 4 } } });
		expect(studyText(study, "state x\n", registry, (file) => file)).toContain("seventh:\n  guess: 4\n");
		expect(() => parseStudy(text.replace("guess", "gues"), "study.yaml", registry)).toThrow(/guess/);
	});

	it("says whether it applies, and is suggested", () => {
		expect(applicability(model, single).at(-1)).toEqual({
			method: "seventh",
			applies: true,
			why: "Guesses.",
			suits: "a guess will do",
		});
	});

	it("is asked by a cross-check, and its answer held against the others", async () => {
		const all = registry.get("all")!;
		const end = await runStudy({ method: all, problem, options: defaultOptions(all.options) });
		if (end.kind !== "done") throw new Error("was stopped");
		expect(end.result.comparison!.answers.map(({ method }) => method)).toContain("seventh");
		expect(end.result.comparison!.agreement.find(({ parameter }) => parameter === "k")?.methods).toContain(
			"seventh",
		);
	});
});

describe("outside of methods/", () => {
	const root = fileURLToPath(new URL("../../", import.meta.url));
	const files = ["src", "workbench"]
		.flatMap((folder) =>
			readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map(
				(name) => `${folder}/${name}`,
			),
		)
		.map((name) => name.replaceAll("\\", "/"))
		.filter((name) => /\.(ts|svelte|css)$/.test(name) && !name.startsWith("src/methods/"));
	const names = [...methods.keys()].filter((name) => name !== "all").join("|");
	const codeOf = (file: string): string =>
		readFileSync(`${root}${file}`, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");

	it("there are files", () => {
		expect(files.length).toBeGreaterThan(300);
	});

	it("no list of methods by name stands in any file", () => {
		// A string by itself or a key; prose that begins with a name is neither.
		const isName = new RegExp(`(?:(["'])(${names})\\1|(?<![\\w.$"'\`-])(${names})(?=\\s*:))`, "g");
		const lists = files.flatMap((file) => {
			const found = new Set([...codeOf(file).matchAll(isName)].map((match) => match[2] ?? match[3]));
			return found.size > 1 ? [`${file}: ${[...found].join(", ")}`] : [];
		});
		expect(lists).toEqual([]);
	});

	it("no file reaches into the folder of a method", () => {
		const reaches = files.filter((file) => new RegExp(`methods/(${names})/`).test(codeOf(file)));
		expect(reaches).toEqual([]);
	});
});
