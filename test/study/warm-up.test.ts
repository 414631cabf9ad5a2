/** Test records that start from their first rows alone: what comes later must not tell. */
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { methods } from "../../src/methods/registry.ts";
import { Session } from "../../src/methods/session.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { stream } from "../../src/num/random.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";

const model = parseModel(
	"param k ~ lognormal(-1, 1)\nstate x ~ normal(0, 10)\nx' = -k*x\nmeasure y ~ normal(x, 0.05)\n",
	"m.ode",
);
const random = stream(2, "warm-up");
const rows = Array.from({ length: 40 }, (_, i) => 0.25 * i);
const csv = (late: number): string =>
	`t,y\n${rows.map((t, i) => `${t},${4 * Math.exp(-0.4 * t) + 0.05 * random.normal(i) + (i >= 10 ? late : 0)}`).join("\n")}\n`;
const study = (method: string, more = "warmUp: 10\n"): string =>
	`model: m.ode\ndata: { file: a.csv, time: t }\ntest: { file: b.csv }\nmethod: ${method}\n${more}`;
const table = (text: string, name: string) => readCsv(new TextEncoder().encode(text), name);

function problem(text: string, late: number) {
	const tables = new Map([
		["a.csv", table(csv(0), "a.csv")],
		["b.csv", table(csv(late), "b.csv")],
	]);
	return problemFromStudy(parseStudy(text, "s.yaml", methods), model, tables, inline);
}

async function tested(method: string, late: number, more?: string) {
	const options = method === "bayes" ? { particles: 100, runs: 1 } : { starts: 1 };
	const session = await Session.begin({
		method: methods.get(method)!,
		problem: problem(study(method, more), late),
		options,
	});
	while (!(await session.advance()).done);
	const { predictions } = await session.result();
	return predictions.find(({ part }) => part === "test")!;
}

describe.each(["fit", "bayes"])("%s", (method) => {
	it("finds the start from the first rows alone, and counts the others", async () => {
		const [plain, shifted] = [await tested(method, 0), await tested(method, 1)];
		expect([...shifted.y]).toEqual([...plain.y]);
		expect(plain.data!.t.length).toBe(30);
		// Four sd of a start known from ten samples.
		expect(Math.abs(plain.y[0] - 4)).toBeLessThan(0.2);
	});

	it("takes all rows where nothing is asked", async () => {
		const [plain, shifted] = [await tested(method, 0, ""), await tested(method, 1, "")];
		expect(shifted.y[0]).toBeGreaterThan(plain.y[0] + 0.1);
		expect(plain.data!.t.length).toBe(40);
	});
});

describe("what cannot be", () => {
	const message = (text: string): string => {
		try {
			problem(text, 0);
		} catch (error) {
			return (error as Error).message;
		}
		throw new Error("accepted");
	};
	it("is refused clearly", () => {
		expect(message(study("fit", "warmUp: 40\n"))).toMatch(/leaves no sample to predict/);
		expect(message(study("periodic"))).toMatch(/periodic does not start test records/);
		expect(message(study("fit").replace("test: { file: b.csv }\n", ""))).toMatch(/no test record to warm up/);
		expect(() => parseStudy(study("fit", "warmUp: 0\n"), "s.yaml", methods)).toThrow(
			/whole number of at least 1/,
		);
	});
	it("is written again as it was read", () => {
		const text = studyText(
			parseStudy(study("fit"), "s.yaml", methods),
			model.source,
			methods,
			(file) => file,
		);
		expect(parseStudy(text, "s.yaml", methods).warmUp).toBe(10);
	});
});
