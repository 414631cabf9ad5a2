/** Data times a factor: both are the decimals that were written, and the bounds hold for their exact product. */
import { expect, it } from "vitest";
import { readCsv } from "../../../src/data/csv/csv.ts";
import { experimentFrom } from "../../../src/data/experiment.ts";
import { Draws } from "../../../src/num/statistics/draws.ts";
import { enclose } from "./records.ts";

const places = 12;
/** Sign of a double less a decimal with so many places, without rounding. */
function compared(x: number, decimal: bigint): number {
	let [whole, twos] = [x, 0];
	while (!Number.isInteger(whole)) {
		whole *= 2;
		twos++;
	}
	const difference = BigInt(whole) * 10n ** BigInt(places) - decimal * 2n ** BigInt(twos);
	return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

it.each(["mueller", "taylor"] as const)("by %s", async (prediction) => {
	const d = new Draws(3, "factors");
	const text = "param q in [0, 30]\nstate x = 0\nx' = 0\nmeasure y in q + x +- 0.25";
	for (let i = 0; i < 60; i++) {
		// The first was once left out, by less than the last digit.
		const [value, factor] = i === 0 ? [44053, 45359237] : [d.whole(20_000, 99_999), d.whole(2e7, 3e7)];
		const record = experimentFrom(readCsv(new TextEncoder().encode(`t,y\n0,${value / 1e4}\n`), "r.csv"), {
			name: "record",
			time: "t",
			columns: {},
			inputs: [],
			outputs: ["y"],
			input: "zoh",
			detrend: "none",
			conditions: {},
			factors: { y: factor / 1e8 },
		});
		const { enclosure } = await enclose(text, [record], { prediction, correction: "box" });
		const product = BigInt(value) * BigInt(factor);
		const bar = 25n * 10n ** BigInt(places - 2);
		expect(compared(enclosure![0], product - bar), `${value} ${factor}`).toBeLessThanOrEqual(0);
		expect(compared(enclosure![1], product + bar), `${value} ${factor}`).toBeGreaterThanOrEqual(0);
	}
});
