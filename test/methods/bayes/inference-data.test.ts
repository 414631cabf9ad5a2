/** posterior.nc, read back: groups, dimensions and numbers as ArviZ expects them. */
import * as hdf5 from "h5wasm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const times = gridTimes(60, 0.1);
const states = simulate((t, [x, v]) => [v, Math.sin(t) - 0.2 * v - 3 * x], [0, 0], times);
const y = noisy(
	states.map(([x]) => x),
	0.05,
	5,
);
const problem = problemOf(
	`input u
param c ~ lognormal(log(0.3), 1)
param k ~ lognormal(log(2), 1)
state x = 0, x' ~ normal(0, 1)
x'' + c*x' + k*x = u
measure y ~ normal(x, 0.05)`,
	[experimentOf(times, { y: y.subarray(0, 50) }, { u: times.map(Math.sin) })],
);

async function posteriorFiles(): Promise<{ csv: string; nc: Uint8Array }> {
	const { result } = await runBayes(problem, { particles: 100 });
	const content = (name: string) => result.files.find((file) => file.name === name)!.content;
	return { csv: content("posterior.csv") as string, nc: content("posterior.nc") as Uint8Array };
}

describe("posterior.nc", () => {
	let first: { csv: string; nc: Uint8Array };
	let file: hdf5.File;
	const dataset = (path: string): hdf5.Dataset => file.get(path) as hdf5.Dataset;
	beforeAll(async () => {
		first = await posteriorFiles();
		const { FS } = await hdf5.ready;
		FS.writeFile("/test.nc", first.nc);
		file = new hdf5.File("/test.nc", "r");
	});

	it("has a chain for each run and a draw for each particle", () => {
		expect(file.keys().sort()).toEqual([
			"constant_data",
			"log_likelihood",
			"observed_data",
			"posterior",
			"posterior_predictive",
			"prior",
			"sample_stats",
		]);
		for (const name of ["c", "k", "x'(0)"]) {
			const variable = dataset(`posterior/${name}`);
			expect(variable.metadata.shape).toEqual([2, 50]);
			expect(variable.get_attached_scales(0)).toEqual(["/posterior/chain"]);
			expect(variable.get_attached_scales(1)).toEqual(["/posterior/draw"]);
		}
		for (const group of ["log_likelihood", "posterior_predictive"]) {
			const variable = dataset(`${group}/y`);
			expect(variable.metadata.shape).toEqual([2, 50, 50]);
			expect(variable.get_attached_scales(2)).toEqual([`/${group}/time`]);
			expect((variable.value as Float64Array).every(Number.isFinite)).toBe(true);
		}
		expect(dataset("sample_stats/lp").metadata.shape).toEqual([2, 50]);
		expect(dataset("sample_stats/log_evidence").metadata.shape).toEqual([2]);
	});

	it("holds the draws that posterior.csv is taken from", () => {
		const draws = new Set(dataset("posterior/k").value as Float64Array);
		const [head, ...lines] = first.csv.trim().split("\n");
		const at = head.split(",").indexOf("k");
		expect(lines.length).toBe(100);
		for (const line of lines) expect(draws.has(Number(line.split(",")[at]))).toBe(true);
	});

	it("holds the data with their times", () => {
		expect(dataset("observed_data/y").value).toEqual(y.slice(0, 50));
		expect(dataset("observed_data/time").value).toEqual(times.slice(0, 50));
		expect(dataset("observed_data/y").get_attached_scales(0)).toEqual(["/observed_data/time"]);
	});

	it("has parameters and outputs that are called like its dimensions, and says nothing on the way", async () => {
		const said: unknown[] = [];
		const listen = (...words: unknown[]): void => {
			said.push(words);
		};
		const spies = (["log", "warn", "error"] as const).map((name) =>
			vi.spyOn(console, name).mockImplementation(listen),
		);
		const { result } = await runBayes(
			problemOf(
				`param draw ~ lognormal(0, 1)
param chain ~ lognormal(0, 1)
param draw_ ~ lognormal(0, 1)
state x = 1
x' = -draw*x + chain + draw_
measure time ~ normal(x, 0.05)`,
				[experimentOf(times, { time: times.map((t) => 1 + Math.exp(-t)) })],
			),
			{ particles: 60 },
		);
		for (const spy of spies) spy.mockRestore();
		const { content } = result.files.find(({ name }) => name === "posterior.nc")!;
		const { FS } = await hdf5.ready;
		FS.writeFile("/names.nc", content as Uint8Array);
		const own = new hdf5.File("/names.nc", "r");
		for (const group of ["posterior", "prior"]) {
			const { shape } = (own.get(`${group}/draw`) as hdf5.Dataset).metadata;
			expect(shape).toHaveLength(1);
			expect((own.get(group) as hdf5.Group).keys().sort()).toEqual([
				"chain",
				"chain_",
				"draw",
				"draw_",
				"draw__",
			]);
			const named = ["chain_", "draw_", "draw__"].map(
				(name) => (own.get(`${group}/${name}`) as hdf5.Dataset).attrs.long_name?.value ?? name,
			);
			expect(named).toEqual(["chain", "draw_", "draw"]);
		}
		expect((own.get("observed_data/time_") as hdf5.Dataset).metadata.shape).toEqual([60]);
		expect(said).toEqual([]);
	});

	it("is the same, byte for byte, at another time", async () => {
		await new Promise((next) => setTimeout(next, 1100));
		expect((await posteriorFiles()).nc).toEqual(first.nc);
	});
});
