/** Odd values of a record, with their rows; and which of them a run would stop at: exactly those that the engine refuses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/index.ts";
import { InputError } from "../../src/index.ts";
import { methods } from "../../src/methods/index.ts";
import { describeModel, parseModel } from "../../src/model/index.ts";
import { parseStudy, problemFromStudy } from "../../src/study/index.ts";
import type { PlanRecord, TableData } from "../../workbench/contract.ts";
import { readTableData } from "../../workbench/engine/read-table-data.ts";
import { openStudy, planText } from "../../workbench/engine/studies.ts";
import { exampleList } from "../../workbench/page/example-list.ts";
import { neededNames } from "../../workbench/page/record-guess.ts";
import { oddities } from "../../workbench/records/oddities.ts";
import { root } from "../cli/odentify.ts";

const model = "param k\nparam s = 0.01\ninput u\nstate x\nx' = -k*x + u\nmeasure y ~ normal(x, s)\n";
const needed = neededNames(describeModel(parseModel(model, "m.ode")));
const plain: PlanRecord = {
	file: "r.csv",
	time: "t",
	columns: {},
	input: "zoh",
	detrend: "none",
	conditions: {},
	missing: [],
};

function table(columns: Record<string, readonly (number | undefined)[]>): TableData {
	const all = Object.entries(columns).map(([name, fields]) => ({
		name,
		values: Float64Array.from(fields, (field) => field ?? Number.NaN),
		...(fields.includes(undefined)
			? { missing: Uint8Array.from(fields, (field) => Number(field === undefined)) }
			: {}),
	}));
	return { source: "r.csv", nRows: all[0].values.length, columns: all, skipped: [] };
}
const wave = Array.from({ length: 20 }, (_, i) => Math.sin(i));
const times = wave.map((_, i) => i);
const put = (values: readonly number[], change: Record<number, number | undefined>) =>
	values.map((value, i) => (i in change ? change[i] : value));
const texts = (record: PlanRecord, data: TableData): string[] =>
	oddities(record, data, needed).map(({ text }) => text);

describe("odd values of a record", () => {
	it("are named with their rows", () => {
		expect(texts(plain, table({ t: times, u: wave, y: wave }))).toEqual([]);
		expect(texts(plain, table({ t: put(times, { 3: 2, 8: 1 }), u: wave, y: wave }))).toEqual([
			"t does not increase in 2 rows: row 3 (2 again), row 8 (1 after 7). Sort the rows by time and keep one row for each time, or choose the rate under “Columns and clock”.",
		]);
		expect(texts(plain, table({ t: times, u: put(wave, { 4: undefined }), y: wave }))).toEqual([
			"u: 1 empty field (row 4). It is needed in every row: fill it in the file.",
		]);
		expect(
			texts(
				plain,
				table({
					t: times,
					u: wave,
					y: put(wave, {
						1: undefined,
						2: undefined,
						5: undefined,
						9: undefined,
						10: undefined,
						17: undefined,
					}),
				}),
			),
		).toEqual(["y: 6 empty fields (rows 1, 2, 5, 9 and 2 more), left out."]);
		expect(
			texts({ ...plain, missing: [-999] }, table({ t: times, u: wave, y: put(wave, { 2: -999 }) })),
		).toEqual(["y: 1 empty field (row 2), left out."]);
		expect(texts(plain, table({ t: times, u: wave, y: wave, z: put(wave, { 0: undefined }) }))).toEqual([
			"z: 1 empty field (row 0), in a column that is not used.",
		]);
	});

	it("far from all others are named, several kinds of them, too", () => {
		expect(texts(plain, table({ t: times, u: wave, y: put(wave, { 2: -999, 6: 9999, 11: -999 }) }))).toEqual([
			"y: 3 values are far from all others: -999 (rows 2 and 11), 9999 (row 6). Where one stands for no value, write it at “no value” under “Columns and clock”.",
		]);
		expect(texts(plain, table({ t: times, u: put(wave, { 3: 1e30 }), y: wave }))).toEqual([
			"u: 1 value is far from all others: 1e+30 (row 3).",
		]);
		// A swift start is none; a number that no record comes near to is, there too.
		expect(texts(plain, table({ t: times, u: wave, y: put(wave, { 0: 30, 1: 12 }) }))).toEqual([]);
		expect(texts(plain, table({ t: times, u: wave, y: put(wave, { 0: -999 }) }))[0]).toContain(
			"-999 (row 0)",
		);
		// Steps, and what fades, are as they should be.
		const step = wave.map((_, i) => (i < 18 ? 0 : 1));
		const fades = wave.map((_, i) => Math.exp(-i));
		expect(texts(plain, table({ t: times, u: step, y: fades }))).toEqual([]);
	});

	for (const { id } of exampleList)
		it(`there are none in ${id}`, async () => {
			const folder = join(root, "examples/papers", id);
			const { plan, modelFile } = openStudy(readFileSync(join(folder, "study.yaml"), "utf8"), "study.yaml");
			const own = neededNames(
				describeModel(parseModel(readFileSync(join(folder, modelFile!), "utf8"), "m.ode")),
			);
			for (const record of plan.records) {
				const data = await readTableData(readFileSync(join(folder, record.file)), record.file);
				expect(oddities(record, data, own)).toEqual([]);
			}
		});

	it("stop a run exactly where the engine refuses the record", () => {
		const field = fc.oneof(
			{ weight: 40, arbitrary: fc.integer({ min: -3, max: 3 }) },
			{ weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -999, undefined) },
		);
		const column = fc.array(field, { minLength: 8, maxLength: 8 });
		const clock = fc.oneof(
			{ weight: 3, arbitrary: fc.constant([0, 1, 2, 3, 4, 5, 6, 7]) },
			{
				weight: 1,
				arbitrary: fc.constantFrom(
					[0, 1, 2, 2, 4, 5, 6, 7],
					[0, 1, 2, 1, 4, 5, 6, 7],
					[0, 1, 2, Number.NaN, 4, 5, 6, 7],
				),
			},
		);
		const rows = fc.constantFrom(undefined, "none" as const, { from: 0, to: 4 }, { from: 4 });
		const seen = new Set<boolean>();
		fc.assert(
			fc.property(
				clock,
				column,
				column,
				fc.constantFrom([], [-999], [Number.NaN]),
				rows,
				fc.constantFrom("none" as const, "mean" as const),
				(t, u, y, missing, train, detrend) => {
					fc.pre(
						y.slice(0, 4).some((v) => Number.isFinite(v) && v !== -999) &&
							y.slice(4).some((v) => Number.isFinite(v) && v !== -999),
					);
					const record: PlanRecord = {
						...plain,
						missing,
						detrend,
						...(train === undefined ? {} : { train }),
						...(train === "none" ? { test: { from: 2 } } : {}),
					};
					const whole: PlanRecord = { ...plain, file: "good.csv" };
					const data = table({ t, u, y });
					const good = { ...table({ t: times, u: wave, y: wave }), source: "good.csv" };
					const plan = {
						title: "",
						model,
						records: [record, whole],
						method: "fit",
						options: {},
						seed: 1,
						set: {},
					};
					const study = parseStudy(planText(plan), "study.yaml", methods);
					const tables = new Map(
						[data, good].map((each) => [each.source, { ...each, columns: [...each.columns], skipped: [] }]),
					);
					let refused = false;
					try {
						problemFromStudy(study, parseModel(model, "m.ode"), tables, inline);
					} catch (error) {
						if (!(error instanceof InputError)) throw error;
						refused = true;
					}
					seen.add(refused);
					expect(oddities(record, data, needed).some(({ stops }) => stops)).toBe(refused);
				},
			),
			{ numRuns: 400, seed: 5 },
		);
		expect(seen.size).toBe(2);
	});
});
