/** Records of a program whose rows hold doses, groups or limits, as those of a study do. */
import { describe, expect, test } from "vitest";
import { model, record, recordFromFile, run } from "../../src/index.ts";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const dosed = model(
	"param k ~ lognormal(0, 1), V ~ lognormal(0, 1)\ninput u\nstate x = 0\nx' = u/V - k*x\nmeasure y ~ normal(x, 0.1)",
);
const decay = model("param k\nstate x = 10\nx' = -k*x\nmeasure y ~ normal(x, 0.1)");

describe("rows of a file", () => {
	test("hold doses, of several subjects and in a steady state too", async () => {
		const [k, V] = [0.5, 1.25];
		const at = (t: number, amount: number): string => String(((amount / V) * Math.exp(-k * t)).toFixed(6));
		const steady = (t: number): string => String(((8 / V) * Math.exp(-k * t)) / -Math.expm1(-k * 2));
		const csv = [
			"ID,t,y,AMT,EVID,II,SS",
			"1,0,,10,1,,",
			...[1, 2, 3, 4].map((t) => `1,${t},${at(t, 10)},,0,,`),
			"2,0,,20,1,,",
			...[1, 2, 3].map((t) => `2,${t},${at(t, 20)},,0,,`),
			"3,0,,8,1,2,1",
			...[1, 2, 3].map((t) => `3,${t},${steady(t)},,0,,`),
		];
		for (const doses of [{ u: "AMT" }, { u: { amount: "AMT" } }]) {
			const made = await recordFromFile(bytes(`${csv.join("\n")}\n`), "a.csv", { doses, group: "ID" });
			const { parameters, predictions } = await run(dosed, made);
			expect(predictions.map(({ experiment }) => experiment)).toEqual(["ID 1", "ID 2", "ID 3"]);
			expect(
				Object.fromEntries(parameters.map(({ name, estimate }) => [name, Number(estimate.toFixed(3))])),
			).toEqual({ k, V });
		}
	});

	test("are refused where a column is not there", async () => {
		const made = await recordFromFile(bytes("t,y\n0,1\n1,2\n"), "a.csv", { doses: { u: "AMT" } });
		expect(() => run(dosed, made)).toThrow(/a\.csv: has no column AMT/);
		const groups = await recordFromFile(bytes("t,y\n0,1\n1,2\n"), "a.csv", { group: "ID" });
		expect(() => run(decay, groups)).toThrow(/has no column ID/);
	});
});

test("a column holds limits", async () => {
	const t = [0, 1, 2, 3, 4, 5];
	const y = t.map((at) => 10 * Math.exp(-0.5 * at));
	const { parameters } = await run(decay, record({ t, y: [...y.slice(0, 5), "<1"] }));
	expect(parameters[0].estimate).toBeCloseTo(0.5, 2);
	expect(record({ t: [0, 1], y: ["> 3", 2] }).table.columns[1].limits).toEqual(Int8Array.of(1, 0));
	expect(() => record({ t: [0], y: ["<x"] })).toThrow(/which is no number/);
});

test("test records start from their first rows where that is asked for", async () => {
	const open = model("param k\nstate x\nx' = -k*x\nmeasure y ~ normal(x, 0.1)");
	const made = (first: number) => {
		const t = Array.from({ length: 12 }, (_, i) => i / 2);
		return record({ t, y: t.map((at, i) => first * Math.exp(-0.5 * at) + 0.05 * Math.sin(9 * i)) });
	};
	const [train, test] = [made(10), made(6)];
	const { predictions } = await run(open, train, { test, warmUp: 4 });
	const tested = predictions.find(({ part }) => part === "test")!;
	expect(tested.data!.t.length).toBe(8);
	expect(() => run(open, train, { warmUp: 4 })).toThrow(/no test record/);
	expect(() => run(open, train, { test, warmUp: 0.5 })).toThrow(/whole number/);
	expect(() => run(open, train, { test, warmUp: 4, method: "inversion" })).toThrow(/does not go with/);
});
