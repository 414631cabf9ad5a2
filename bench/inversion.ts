/**
 * Recovery rates of inversion with their binomial errors: example 1 by threshold, by rule and by sample spacing, example 2 by
 * noise, cubic libraries; time of a fit with selection; 2,000 candidate weights.
 */

import { meanOf, medianOf, runCase, shareText } from "../papers/inversion/cases.ts";
import {
	type Example,
	lotkaVolterra,
	manyWeights,
	operatingConditions,
	splineTerms,
	vanDerPol,
} from "../papers/inversion/examples.ts";
import { inline } from "../src/compute/inline.ts";
import { findingOf } from "../src/methods/inversion/selection/finding.ts";
import type { InversionOptions } from "../src/methods/inversion/workspace.ts";

const noises = 200;
const fewer = 60;

export async function bench(): Promise<void> {
	console.log(`example 1, sd 0.1, ${noises} noises: exact pattern`);
	for (const threshold of [1.5, 2, 2.5, 3, 3.5])
		await rate(`  threshold ${threshold} standard errors`, operatingConditions(), 0.1, noises, {
			select: "threshold",
			threshold,
		});
	await rate("  BIC along the path", operatingConditions(), 0.1, noises, { select: "bic" });
	await rate("  evidence (the default)", operatingConditions(), 0.1, noises, {}, 0.75);
	await rate("  evidence, from 0 only", operatingConditions(), 0.1, noises, { bridge: false });
	console.log("example 1 by sample spacing, sd 0.1, and by noise");
	for (const step of [1, 0.5, 0.25]) {
		const example = operatingConditions({ step });
		for (const threshold of [2, 2.5, 3, 3.5])
			await rate(`  spacing ${step}, threshold ${threshold}`, example, 0.1, fewer, {
				select: "threshold",
				threshold,
			});
		await rate(`  spacing ${step}, evidence`, example, 0.1, fewer, {});
	}
	for (const sd of [0.03, 0.3])
		await rate(`  spacing 1, sd ${sd}, evidence`, operatingConditions({ sd }), sd, fewer, {});
	await pureNoise();
	console.log("example 2");
	await rate("  noise 1e-5", splineTerms(1e-5), 1e-5, 30, {}, 29 / 30);
	await rate("  noise 1e-3", splineTerms(1e-3), 1e-3, 60, {}, 0.6);
	console.log("cubic libraries, 20 candidates, 20 noises each");
	for (const [name, example] of [
		["van der Pol", vanDerPol()],
		["Lotka–Volterra", lotkaVolterra()],
	] as const)
		for (const sd of [0, 1e-3, 1e-2, 5e-2])
			await rate(`  ${name}, relative noise ${sd}`, example, { sd, relative: true }, 20, {}, 0.95);
	await large();
}

async function rate(
	name: string,
	example: Example,
	noise: number | { sd: number; relative: boolean },
	count: number,
	options: Partial<InversionOptions>,
	goal?: number,
): Promise<void> {
	let exact = 0;
	let onPath = 0;
	const iterations: number[] = [];
	const times: number[] = [];
	for (let seed = 1; seed <= count; seed++) {
		const outcome = await runCase({
			example,
			noise: typeof noise === "number" ? { sd: noise } : noise,
			seed,
			options,
			compute: inline,
		});
		if (outcome.exact) exact++;
		if (outcome.onPath) onPath++;
		iterations.push(outcome.iterations);
		times.push(outcome.milliseconds);
	}
	const verdict =
		goal === undefined ? "" : ` (goal ${goal.toFixed(2)}) ${exact >= goal * count ? "ok" : "FAIL"}`;
	console.log(
		`${name.padEnd(36)} ${shareText(exact, count)}${verdict}; on the path ${(onPath / count).toFixed(3)}; iterations ${meanOf(iterations).toFixed(1)}; median ${medianOf(times).toFixed(0)} ms`,
	);
}

/** Records without any signal: how often terms are returned as an answer. */
async function pureNoise(): Promise<void> {
	const example = { ...operatingConditions(), truth: {} };
	let answers = 0;
	for (let seed = 1; seed <= fewer; seed++) {
		const { run } = await runCase({ example, noise: { sd: 0.1 }, seed, compute: inline });
		if (findingOf(run) === "terms") answers++;
	}
	console.log(
		`${"  pure noise: answered".padEnd(36)} ${shareText(answers, fewer)} (goal 0.01) ${answers <= 0.05 * fewer ? "ok" : "FAIL"}`,
	);
}

async function large(): Promise<void> {
	const example = manyWeights({ states: 20, experiments: 100, samples: 21, seed: 5 });
	const before = process.cpuUsage();
	const { exact, run, milliseconds } = await runCase({
		example,
		noise: { sd: 0.02 },
		seed: 1,
		compute: inline,
	});
	const { user, system } = process.cpuUsage(before);
	const gib = process.resourceUsage().maxRSS / 2 ** 20;
	const seconds = milliseconds / 1000;
	console.log(
		`2,000 weights, 20 states, 100 experiments: ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor; goal 60) ${seconds <= 60 ? "ok" : "FAIL"}, ${gib.toFixed(2)} GiB (goal 2) ${gib <= 2 ? "ok" : "FAIL"}; ${run.final!.active.length} terms, ${exact ? "exactly the true ones" : "NOT the true ones"}`,
	);
}
