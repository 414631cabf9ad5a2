/** Times are the decimals that were written: bounds are as close as these allow, and hold. */
import { describe, expect, it } from "vitest";
import { readCsv } from "../../../src/data/csv/csv.ts";
import { type Experiment, experimentFrom } from "../../../src/data/experiment.ts";
import type { RecordSpec } from "../../../src/data/record.ts";
import { enclose } from "./records.ts";

function recordOf(csv: string, spec: Partial<RecordSpec>): Experiment {
	return experimentFrom(readCsv(new TextEncoder().encode(csv), "record.csv"), {
		name: "record",
		columns: {},
		inputs: [],
		outputs: ["y"],
		input: "zoh",
		detrend: "none",
		conditions: {},
		...spec,
	});
}

async function boundsOf(text: string, record: Experiment, options = {}): Promise<[number, number]> {
	const box = (await enclose(text, [record], options)).enclosure!;
	return [box[0], box[1]];
}

describe("times", () => {
	it.each(["taylor", "mueller"] as const)(
		"with microseconds: the truth is kept, by %s",
		async (prediction) => {
			const csv = "t,y\n2024-05-01 12:00:00.123456,0\n2024-05-01 12:00:00.123457,1\n";
			const text = "param p in [0, 2]\nstate x = 0\nx' = 1000000*p\nmeasure y in x +- 1e-13";
			const [lo, hi] = await boundsOf(text, recordOf(csv, { time: "t" }), { prediction, precision: 1e-3 });
			expect(lo).toBeLessThanOrEqual(1);
			expect(hi).toBeGreaterThanOrEqual(1);
			if (prediction === "taylor") expect(hi - lo).toBeLessThan(2.6e-13);
		},
	);
	it("at a rate, far from the start: the truth is kept", async () => {
		const rows = Array.from({ length: 3002 }, (_, i) => (i === 3001 ? "0.3333333333333333" : ""));
		const text = "param p in [0, 2]\nstate x = 0\nx' = 0\nmeasure y in p*t + x +- 1e-14\nmeasure z in x +- 1";
		const csv = `y,z\n${rows.map((y, i) => `${y},${i % 1000 === 0 ? 0 : ""}`).join("\n")}\n`;
		const record = recordOf(csv, { rate: 3, start: -1000, outputs: ["y", "z"] });
		const [lo, hi] = await boundsOf(text, record);
		// |p/3 - .3333333333333333| <= 1e-14 exactly: p from 1 - 3.01e-14 to 1 + 2.99e-14.
		expect(lo).toBeLessThanOrEqual(1 - 3e-14);
		expect(hi).toBeGreaterThanOrEqual(1 + 2.98e-14);
		expect(hi - lo).toBeLessThan(1e-13);
	});
});
