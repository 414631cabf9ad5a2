/** The rows of the positioning system, on short records made from its own model. */
import { expect, test } from "vitest";
import { emps } from "../../papers/bayes/emps.ts";
import { inline } from "../../src/compute/inline.ts";
import { type Table, tableOf } from "../../src/data/table/table.ts";
import { stream } from "../../src/num/random.ts";
import type { ReproductionContext, ReproductionRow } from "../../src/report/reproduction.ts";

const nSamples = 400;

/** Voltages that push the carriage to and fro, and where it goes. */
function record(beat: number, clock: (i: number) => number): Table {
	const random = stream(1, `emps ${beat}`);
	const vir = Float64Array.from({ length: nSamples }, (_, i) => 1.5 * Math.sin(beat * i * 1e-3) + 0.6);
	const force = (i: number, share: number): number =>
		35.15065188 * (vir[i] + share * ((vir[i + 1] ?? vir[i]) - vir[i]));
	const qm = new Float64Array(nSamples);
	let [q, v] = [0, 0];
	const fine = 10;
	for (let i = 0; i < nSamples; i++) {
		qm[i] = q + 1e-5 * random.normal(i);
		for (let k = 0; k < fine; k++) {
			const pull = (speed: number, at: number): number =>
				(force(i, at / fine) - 205 * speed - 20 * Math.tanh(speed / 1.25e-3) + 3) / 95;
			const middle = v + (0.5e-3 / fine) * pull(v, k);
			q += (1e-3 / fine) * middle;
			v += (1e-3 / fine) * pull(middle, k + 0.5);
		}
	}
	const t = Float64Array.from({ length: nSamples }, (_, i) => clock(i));
	return tableOf(
		"emps",
		Object.entries({ t, vir, qm }).map(([name, values]) => ({ name, values })),
	);
}

const rows = (data: (path: string) => Table | undefined): Promise<ReproductionRow[]> => {
	const context: ReproductionContext = {
		quick: true,
		seed: 1,
		compute: inline,
		record: async (path) => data(path),
		progress: () => {},
	};
	return emps(context, () => {});
};

const records =
	(clock: (i: number) => number) =>
	(path: string): Table =>
		record(path.includes("PULSES") ? 7 : 5, clock);

test("without the records both rows say what they need", async () => {
	expect((await rows(() => undefined)).map(({ verdict }) => verdict)).toEqual(["needs data", "needs data"]);
});

test("a machine that is as the model says is predicted in open loop, whatever the grain of its clock", async () => {
	const even = await rows(records((i) => i * 1e-3));
	for (const { ours, verdict } of even) {
		expect(verdict).toBe("reached");
		expect(Number(ours.split(" / ")[1])).toBeLessThan(0.5);
	}
	const grainy = await rows(records((i) => Math.round((i * 1e-3) / 4e-8) * 4e-8 + (i % 3) * 4e-8));
	expect(grainy.map(({ ours }) => ours)).toEqual(even.map(({ ours }) => ours));
}, 120_000);
