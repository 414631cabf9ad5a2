/**
 * What an answer costs as the model grows: a chain of n masses between springs, pushed at its first mass. By `fit`, with and without
 * profiles, every stiffness is unknown; the exponent is the slope of the logarithm of processor time over that of n. By `bayes`
 * a hundred masses, two hundred states, share one stiffness and one damping.
 */
import { inline } from "../src/compute/inline.ts";
import { bayes } from "../src/methods/bayes/bayes.ts";
import { fit } from "../src/methods/fit/fit.ts";
import { defaultOptions } from "../src/methods/options.ts";
import type { Problem } from "../src/methods/problem.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import type { BenchOptions } from "./main.ts";
import { alikeInChain, massesInChain } from "./mass-chain.ts";
import { secondsSince } from "./processor.ts";

const sizes = [2, 4, 8, 16, 32, 64];

/** What one fit may take at this size. */
const goal = { masses: 32, seconds: 20, megabytes: 1000 };
/** The most memory that the process ever held, in megabytes. */
const megabytes = (): number => (process.resourceUsage().maxRSS * 1024) / 1e6;

function goalLine(seconds: number): string {
	const isReached = seconds <= goal.seconds && megabytes() <= goal.megabytes;
	return `${seconds.toFixed(2)} s (at most ${goal.seconds}), ${megabytes().toFixed(0)} MB (at most ${goal.megabytes}): ${isReached ? "reached" : "MISSED"}`;
}

export async function bench({ count = 64 }: BenchOptions): Promise<void> {
	for (const profile of [false, true]) {
		const points: { n: number; seconds: number }[] = [];
		for (const n of sizes.filter((size) => size <= count)) {
			const { text, train, truth } = massesInChain(n);
			const used = process.cpuUsage();
			const run = await fit.prepare(problemOf(text, train), { ...defaultOptions(fit.options), profile });
			while (!(await fit.advance(run)).done);
			const { parameters } = await fit.result(run);
			const seconds = secondsSince(used);
			points.push({ n, seconds });
			const off = truth.map(
				(k, i) => Math.abs(parameters[i].estimate - k) / (parameters[i].sd ?? Number.NaN),
			);
			console.log(
				`fit${profile ? " with profiles" : ""}, ${n} masses: ${spent(seconds)}; stiffness off by ${Math.max(...off).toFixed(1)} sd at most`,
			);
			if (n === goal.masses) console.log(`  ${goalLine(seconds)}`);
		}
		const slope = exponent(points);
		console.log(
			`  cost like n^${slope.toFixed(2)}, from n = 8 on n^${exponent(points.filter(({ n }) => n >= 8)).toFixed(2)}: ${slope <= 2.2 ? "reached" : "MISSED"} (2.2)`,
		);
	}
	const { text, train, truth } = alikeInChain(100);
	const used = process.cpuUsage();
	const run = await bayes.prepare(problemOf(text, train), {
		...defaultOptions(bayes.options),
		netcdf: false,
	});
	while (!(await bayes.advance(run)).done);
	const { parameters } = await bayes.result(run);
	const off = truth.map((value, i) => Math.abs(parameters[i].estimate - value) / parameters[i].sd!);
	console.log(
		`bayes, 200 states: ${spent(secondsSince(used))}; off by ${Math.max(...off).toFixed(1)} sd at most`,
	);
}

function problemOf(text: string, train: Problem["train"][number]): Problem {
	const model = parseModel(text, "chain.ode");
	return { model, train: [train], test: [], start: {}, seed: 1, compute: inline };
}

function spent(seconds: number): string {
	return `${seconds.toFixed(2)} s of processor, ${megabytes().toFixed(0)} MB so far at most`;
}

function exponent(points: readonly { n: number; seconds: number }[]): number {
	const x = points.map(({ n }) => Math.log(n));
	const y = points.map(({ seconds }) => Math.log(seconds));
	const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;
	const [mx, my] = [mean(x), mean(y)];
	const over = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
	return over / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
