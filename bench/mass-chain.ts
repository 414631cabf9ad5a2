/** Chains of n masses between springs, each end at a wall, pushed at the first mass. */
import type { Experiment } from "../src/data/experiment.ts";
import { experimentOf, gridTimes, noisy, simulate } from "../test/methods/bayes/helpers.ts";

export interface MassesInChain {
	readonly text: string;
	readonly train: Experiment;
	/** Of the parameters, in their order. */
	readonly truth: readonly number[];
}

const damping = 0.2;
const noise = 0.002;

/** Every place is measured, every stiffness unknown. */
export function massesInChain(n: number): MassesInChain {
	const truth = Array.from({ length: n + 1 }, (_, i) => 6 + 2 * Math.sin(1.7 * i));
	const declared = numbered(n + 1, (i) => `param k${i} ~ lognormal(log(6), 0.3)`);
	return {
		text: `${declared}\n${equations(n, (i) => `k${i}`, String(damping))}\n${measured(n)}`,
		train: recordOf(truth, n, 200),
		truth,
	};
}

/** All springs are alike; the first four places are measured. */
export function alikeInChain(n: number): MassesInChain {
	const declared = "param k ~ lognormal(log(6), 0.3), c ~ lognormal(log(0.2), 0.5)";
	return {
		text: `${declared}\n${equations(n, () => "k", "c")}\n${measured(4)}`,
		train: recordOf(new Array<number>(n + 1).fill(7), 4, 60),
		truth: [7, damping],
	};
}

function recordOf(stiffness: readonly number[], nMeasured: number, samples: number): Experiment {
	const n = stiffness.length - 1;
	const times = gridTimes(samples, 0.25);
	const push = times.map((t) => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t));
	const u = experimentOf(times, {}, { u: push }).inputs.get("u")!;
	// Places, then velocities.
	const states = simulate(
		(t, x) => {
			const place = (i: number): number => (i < 0 || i >= n ? 0 : x[i]);
			const pull = (i: number): number => stiffness[i] * (place(i) - place(i - 1));
			return x.map((_, i) =>
				i < n ? x[n + i] : pull(i - n + 1) - pull(i - n) - damping * x[i] + (i === n ? u.at(t) : 0),
			);
		},
		new Array<number>(2 * n).fill(0),
		times,
		8,
	);
	const outputs = Array.from({ length: nMeasured }, (_, i) => {
		const places = states.map((state) => state[i]);
		return [`y${i}`, noisy(places, noise, 10 + i)] as const;
	});
	return experimentOf(times, Object.fromEntries(outputs), { u: push });
}

function equations(n: number, stiffness: (i: number) => string, friction: string): string {
	const place = (i: number): string => (i < 0 || i >= n ? "0" : `x${i}`);
	return `input u
${numbered(n, (i) => `state x${i} = 0, x${i}' = 0`)}
${numbered(n + 1, (i) => `let f${i} = ${stiffness(i)}*(${place(i)} - ${place(i - 1)})`)}
${numbered(n, (i) => `x${i}'' = f${i + 1} - f${i} - ${friction}*x${i}'${i === 0 ? " + u" : ""}`)}`;
}

function measured(count: number): string {
	return numbered(count, (i) => `measure y${i} ~ normal(x${i}, ${noise})`);
}

function numbered(count: number, line: (i: number) => string): string {
	return Array.from({ length: count }, (_, i) => line(i)).join("\n");
}
