/** Models that only some methods take: those that do answer, the others say why not; and what a proof tells of the answers of others. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { applicability } from "../../../src/methods/applicability.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { crossCheck } from "../../../src/methods/cross-check/cross-check.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import type { Method } from "../../../src/methods/method.ts";
import { registryOf } from "../../../src/methods/registry.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

const few = registryOf([fit, bayes, guaranteed]).get("all")!;
const two = crossCheck([fit, guaranteed] as unknown as Method[]) as unknown as Method;
const times = Array.from({ length: 13 }, (_, i) => i / 2);

type Given = Parameters<typeof record>;

function ask(method: Method, text: string, ...records: readonly Given[]): Promise<Result> {
	const own = records.map(([columns, options]) => record(columns, options));
	return Promise.resolve(runOf(method, parseModel(text, "m.ode"), own, { missingTerm: false }, { seed: 1 }));
}

const whyNot = ({ comparison }: Result): Record<string, string> =>
	Object.fromEntries(comparison!.refusals.map(({ method, why }) => [method, why]));
const answered = ({ comparison }: Result): string[] => comparison!.answers.map(({ method }) => method);

describe("a model that only some methods take", { timeout: 120_000 }, () => {
	test("an input within bounds: guaranteed answers", async () => {
		const text =
			"param k in [0.1, 1]\ninput w in [-0.01, 0.01]\nstate x = 1\nx' = -k*x + w\nmeasure y in x +- 0.02";
		expect(few.appliesTo(parseModel(text, "m.ode"))).toMatchObject({ applies: true });
		const result = await ask(few, text, [{ t: times, y: times.map((t) => Math.exp(-0.4 * t)) }]);
		expect(answered(result)).toEqual(["guaranteed"]);
		expect(whyNot(result).fit).toContain("input w is known within bounds only");
		expect(whyNot(result).bayes).toContain("input w is known within bounds only");
		expect(result.message).toBe("Only guaranteed has an answer, so nothing checks it.");
	});
	test("doses: fit and bayes answer", async () => {
		const text =
			"param k ~ uniform(0.1, 1)\ninput u\nstate x = 0\nx' = -k*x + u\nmeasure y ~ normal(x, 0.01)";
		const random = stream(4, "errors");
		const y = times.map((t, i) => (t === 0 ? 0 : 2 * Math.exp(-0.4 * t)) + 0.01 * random.normal(i));
		const result = await ask(few, text, [{ t: times, y }, { doses: { u: [{ time: 0, amount: 2 }] } }]);
		expect(answered(result)).toEqual(["fit", "bayes"]);
		expect(whyNot(result).guaranteed).toContain("The records have doses");
		const [{ verdict }] = result.comparison!.agreement;
		expect(verdict).toBe("agree");
	});
	test("a population: fit and bayes answer", async () => {
		const text =
			"param m ~ normal(1, 1)\nparam a[record] ~ normal(m, 0.5)\nstate x = 0\nx' = a\nmeasure y ~ normal(x, 0.05)";
		const random = stream(5, "errors");
		const records = [0.6, 1.2, 1.5, 0.9].map(
			(a, e): Given => [
				{ t: times, y: times.map((t, i) => a * t + 0.05 * random.normal(100 * e + i)) },
				{ name: `r${e}` },
			],
		);
		const result = await ask(few, text, ...records);
		expect(answered(result)).toEqual(["fit", "bayes"]);
		expect(whyNot(result).guaranteed).toContain("differs from record to record");
	});
	test("an assumption: guaranteed answers", async () => {
		const text = "param k in [0.1, 1]\nstate x = 1\nx' = -k*x\nassume k < 0.9\nmeasure y in x +- 0.02";
		const result = await ask(few, text, [{ t: times, y: times.map((t) => Math.exp(-0.4 * t)) }]);
		expect(answered(result)).toEqual(["guaranteed"]);
		expect(whyNot(result).fit).toContain("The model assumes something");
	});
	test("events: fit alone, so that there is nothing to compare", () => {
		const text =
			"param k in [0.1, 1]\nstate x = 1\nx' = -k*x\nwhen x < 0.5 { x = 1 }\nmeasure y ~ normal(x, 0.02)";
		const model = parseModel(text, "m.ode");
		const those = applicability(model).filter(({ applies }) => applies);
		expect(those.map(({ method }) => method)).toEqual(["fit"]);
	});
});

describe("what is proved, of generated records", { timeout: 120_000 }, () => {
	const bar = 0.02;
	const text = `param k in [0.1, 1], b in [0, 1]\nstate x = 1\nx' = -k*x + b\nmeasure y in x +- ${bar}`;
	/** Errors even between the bounds; of one sample it is `far` bounds. */
	const drawn = (seed: number, far = 0): Given => {
		const random = stream(seed, "record");
		const [k, b] = [0.3 + 0.5 * random.uniform(0), 0.2 + 0.4 * random.uniform(1)];
		const wrong = 3 + Math.floor(9 * random.uniform(2));
		const y = times.map((t, i) => {
			const clean = b / k + (1 - b / k) * Math.exp(-k * t);
			return clean + bar * (i === wrong && far > 0 ? far : 1.98 * random.uniform(3 + i) - 0.99);
		});
		return [{ t: times, y }];
	};
	test("errors within their bounds: nothing contradicts, and what of an interval leaves the proved set is told", async () => {
		let [told, inside] = [0, 0];
		for (const seed of [1, 2, 3, 4, 5]) {
			const { outcome, comparison } = await ask(two, text, drawn(seed));
			expect(outcome).toBe("agree");
			const of = (name: string) => comparison!.answers.find(({ method }) => method === name)!.parameters;
			for (const { name, lo, hi } of of("guaranteed")) {
				const own = of("fit").find((each) => each.name === name)!;
				const leaves = own.lo! < lo! || own.hi! > hi!;
				const said = comparison!.agreement.find(({ parameter }) => parameter === name)!.why;
				expect(said.includes("is excluded")).toBe(leaves);
				if (leaves) told++;
				else inside++;
			}
		}
		expect([told > 0, inside > 0]).toEqual([true, true]);
	});
	test.each([1, 2, 3, 4])(
		"one sample is off by 6 bounds: the model is refuted, and when (%i)",
		async (seed) => {
			const result = await ask(two, text, drawn(seed, 6));
			expect(result.outcome).toBe("contradict");
			const said = result.comparison!.agreement.find(({ parameter }) => parameter === "model")!;
			expect(said).toMatchObject({ verdict: "contradict", methods: ["guaranteed"] });
			expect(said.why).toContain("no value of its parameters is consistent");
			expect(said.why).toContain("The set became empty at t =");
		},
	);
});
