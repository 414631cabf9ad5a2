/**
 * The judge on records whose truth is known: how often each verdict is a false alarm, beside the level that is stated, and
 * how often it finds what is there. Noise goes through a least squares fit, whose regressors stand for the sensitivities of
 * a model: slow ones, swinging ones, ones as rough as a random input makes them, and alternating ones.
 */
import { dependences } from "../src/estimate/judge/independence.ts";
import { instrumentFault } from "../src/estimate/judge/instrument.ts";
import { outlierDoubt } from "../src/estimate/judge/outliers.ts";
import { level, type ResidualSeries } from "../src/estimate/judge/series.ts";
import { strangeSizes } from "../src/estimate/judge/size.ts";
import { stream } from "../src/num/random.ts";
import { fitted } from "../test/estimate/judge/instrument-residuals.ts";
import { leftOver, type Noise, noiseOf, type Shape, seriesFrom } from "../test/estimate/judge/simulated.ts";
import { judgeLevel } from "./judge-level.ts";
import { judgeTime } from "./judge-time.ts";

interface Case {
	readonly shape: Shape;
	readonly n: number;
	readonly p: number;
	readonly outputs?: number;
	readonly records?: number;
	readonly uneven?: boolean;
	readonly noise?: Noise;
}

const sizes: readonly [number, number][] = [
	[10, 2],
	[10, 4],
	[30, 5],
	[100, 5],
	[1000, 5],
	[10_000, 5],
];

export async function bench(): Promise<void> {
	console.log(`level ${level}: false alarms${" ".repeat(33)}dependent      size  outliers`);
	for (const [n, p] of sizes)
		for (const shape of ["slow", "swinging", "rough", "alternating"] as const) {
			const seeds = n > 1000 ? 300 : n > 100 ? 2000 : 10_000;
			report({ n, p, shape }, seeds);
		}
	report({ n: 100, p: 5, shape: "slow", uneven: true }, 10_000);
	report({ n: 100, p: 5, shape: "slow", outputs: 3 }, 10_000);
	report({ n: 12, p: 6, shape: "slow", records: 20 }, 3000);
	report({ n: 100, p: 5, shape: "slow", noise: { kind: "even" } }, 10_000);
	report({ n: 100, p: 5, shape: "slow", noise: { kind: "heavy" } }, 10_000);
	for (const shape of ["slow", "swinging", "rough"] as const)
		for (const outputs of [1, 2, 4]) instruments(shape, outputs, 10_000);
	console.log("\nfound");
	for (const [n, rho] of [
		[50, 0.42],
		[100, 0.42],
		[200, 0.42],
		[100, 0.6],
		[1000, 0.2],
	])
		report({ n, p: 3, shape: "slow", noise: { kind: "correlated", rho } }, 400);
	report({ n: 1000, p: 3, shape: "slow", noise: { kind: "slow", share: 0.1, tau: 50 } }, 400);
	report({ n: 100, p: 3, shape: "slow", noise: { kind: "swing", share: 0.4, period: 3.3 } }, 400);
	await judgeLevel(400_000, 300);
	await judgeTime();
}

/** How often sound residuals look like a fault of an instrument: of each output four are asked for, and the clock of all. */
function instruments(shape: "slow" | "swinging" | "rough", outputs: number, seeds: number): void {
	let alarms = 0;
	for (let seed = 0; seed < seeds; seed++) if (instrumentFault(fitted(seed, { shape, outputs }), 4)) alarms++;
	console.log(
		`${`instruments, ${shape}, n = 60, p = 4, outputs: ${outputs}`.padEnd(56)}${(alarms / seeds).toPrecision(2).padStart(10)}  (${seeds} records)`,
	);
}

/** How often each question gets the answer that something is wrong. */
function report(each: Case, seeds: number): void {
	const alarms = [0, 0, 0];
	const nUnknowns = each.p * (each.outputs ?? 1);
	for (let seed = 0; seed < seeds; seed++) {
		const series = residualsOf(each, seed);
		if (dependences(series, nUnknowns).length > 0) alarms[0]++;
		if (strangeSizes(series, nUnknowns).length > 0) alarms[1]++;
		if (outlierDoubt(series, nUnknowns).length > 0) alarms[2]++;
	}
	const noise = each.noise ? `${Object.values(each.noise).join(" ")}, ` : "";
	const several = `${each.outputs ? `, ${each.outputs} outputs` : ""}${each.records ? `, ${each.records} records` : ""}${each.uneven ? ", uneven times" : ""}`;
	const rates = alarms.map((count) => (count / seeds).toPrecision(2).padStart(10)).join("");
	console.log(
		`${`${noise}${each.shape}, n = ${each.n}, p = ${each.p}${several}`.padEnd(56)}${rates}  (${seeds} records)`,
	);
}

function residualsOf(
	{ shape, n, p, outputs = 1, records = 1, uneven, noise }: Case,
	seed: number,
): ResidualSeries[] {
	return Array.from({ length: outputs }, (_, output) => {
		const random = stream(seed, `judge ${output}`);
		const rows = leftOver(noiseOf(random, n * records, noise), { shape, p, n, uneven, random });
		return Array.from({ length: records }, (_, k) =>
			seriesFrom(rows.slice(k * n, (k + 1) * n), {
				experiment: `record ${k}`,
				output: `y${output}`,
				noise: noise?.kind === "even" ? "bound" : "declared",
			}),
		);
	}).flat();
}
