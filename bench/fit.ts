/**
 * Fit of a Duffing oscillator to the Silverbox record, as a user asks for it: eight starts, steps chosen, integration
 * checked. Cold: the first fit of the process, compilation included. Warm: the same again, without intervals and with.
 */
import { inline } from "../src/compute/inline.ts";
import { experimentFrom } from "../src/data/experiment.ts";
import { readTableFile } from "../src/data/node/read-file.ts";
import { fit } from "../src/methods/fit/fit.ts";
import { defaultOptions } from "../src/methods/options.ts";
import type { Problem } from "../src/methods/problem.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { publicRecord } from "./public-records.ts";

const repetitions = 15;

const model = parseModel(
	`input u
param m ~ lognormal(log(5e-6), 1), c ~ lognormal(log(2e-4), 1), k ~ lognormal(log(1), 1), k3 ~ lognormal(log(4), 1)
state x = 0, x' = 0
m*x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, 1e-3)`,
	"silverbox.ode",
);

export async function bench(records?: string): Promise<void> {
	const record = publicRecord(records, "silverbox/SNLS80mV.csv");
	if (!record) return;
	const table = await readTableFile(record);
	const rows = (from: number, to: number) =>
		experimentFrom(table, {
			name: "silverbox",
			rate: 610.3515625,
			columns: { u: "V1", y: "V2" },
			inputs: ["u"],
			outputs: ["y"],
			input: "sinc",
			detrend: "mean",
			conditions: {},
			rows: { from, to },
		});
	const problem: Problem = {
		model,
		train: [rows(49_278, 52_350)],
		test: [rows(1000, 40_000)],
		start: {},
		seed: 1,
		compute: inline,
	};
	const offBy10 = { m: 5.4e-5, c: 2.3e-3, k: 9.9, k3: 39 };
	const cold = await search(problem);
	const warm: Awaited<ReturnType<typeof search>>[] = [];
	for (let i = 0; i < repetitions; i++) warm.push(await search(problem));
	const profiled: typeof warm = [];
	for (let i = 0; i < repetitions; i++) profiled.push(await search({ ...problem, test: [] }, true));
	const far = await search({ ...problem, start: offBy10 });
	const median = middle(warm.map(({ clock }) => clock));
	console.log(`cold ${cold.clock.toFixed(0)} ms`);
	console.log(
		`warm ${spread(warm.map(({ clock }) => clock))} by the clock (goal 100 on an idle machine) ${median <= 100 ? "ok" : "FAIL"}`,
	);
	console.log(
		`warm ${spread(warm.map(({ cpu }) => cpu))} of processor time, that of collecting garbage aside included`,
	);
	console.log(`with profiles ${spread(profiled.map(({ cpu }) => cpu))} of processor time`);
	for (const [name, { rmse, starts }] of Object.entries({ "own start": cold, "10x off": far }))
		console.log(
			`${name}: test RMSE ${(1000 * rmse).toFixed(4)} mV, ${starts} starts agree (goal 0.45 mV) ${rmse <= 0.45e-3 ? "ok" : "FAIL"}`,
		);
}

const sorted = (times: readonly number[]): number[] => [...times].sort((a, b) => a - b);
const middle = (times: readonly number[]): number => sorted(times)[Math.floor(times.length / 2)];

function spread(times: readonly number[]): string {
	const [best, worst] = [sorted(times)[0], sorted(times)[times.length - 1]];
	return `${middle(times).toFixed(0)} ms (best ${best.toFixed(0)}, worst ${worst.toFixed(0)})`;
}

async function search(
	problem: Problem,
	profile = false,
): Promise<{ clock: number; cpu: number; rmse: number; starts: string }> {
	const began = performance.now();
	const used = process.cpuUsage();
	const run = await fit.prepare(problem, { ...defaultOptions(fit.options), profile });
	while (!(await fit.advance(run)).done);
	const clock = performance.now() - began;
	const { user, system } = process.cpuUsage(used);
	const { predictions, summary } = await fit.result(run);
	const { t, y, data } = predictions[predictions.length - 1];
	if (t.length !== data!.t.length)
		throw new Error("the records are dense: no points are put between their samples");
	const squares = y.reduce((sum, value, i) => sum + (value - data!.y[i]) ** 2, 0);
	const { agree, tried } = summary.starts as { agree: number; tried: number };
	return {
		clock,
		cpu: (user + system) / 1000,
		rmse: Math.sqrt(squares / y.length),
		starts: `${agree} of ${tried}`,
	};
}
