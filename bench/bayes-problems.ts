/** Problems that posteriors are judged on: simulated here, or public numbers that are short. */
import { trainingRecord } from "../papers/bayes/bouc-wen.ts";
import type { Experiment } from "../src/data/experiment.ts";
import type { Problem } from "../src/methods/problem.ts";
import {
	experimentOf,
	gridTimes,
	noisy,
	problemOf,
	type Rhs,
	simulate,
} from "../test/methods/bayes/helpers.ts";

export interface BayesProblem {
	readonly name: string;
	readonly text: string;
	readonly train: readonly Experiment[];
}

export function problemWith({ text, train }: BayesProblem, seed: number): Problem {
	return problemOf(text, train, [], seed);
}

const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);

/** States of a simulation with many steps a sample. */
function statesOf(f: Rhs, x0: number[], times: Float64Array): (i: number) => number[] {
	const states = simulate(f, x0, times, 200);
	return (i) => states.map((state) => state[i]);
}

/** Two tanks, one above the other; what does not fit into the upper one runs over into the lower. */
export function tanks(): BayesProblem {
	const times = gridTimes(300, 4);
	const pump = times.map((t) => 2.4 + 1.6 * Math.sin(t / 97) + 1.1 * Math.sin(t / 31));
	const { inputs } = experimentOf(times, {}, { u: pump });
	const u = inputs.get("u")!;
	const over = (x: number): number => 1.2 * Math.max(x - 9, 0);
	const x = statesOf(
		(t, [upper, lower]) => {
			const down = 0.05 * Math.sqrt(Math.max(upper, 0)) + over(upper);
			return [0.06 * u.at(t) - down, down - 0.05 * Math.sqrt(Math.max(lower, 0))];
		},
		[5, 5],
		times,
	);
	return {
		name: "tanks with overflow",
		text: `input u
param k1 ~ lognormal(log(0.05), 0.5), k2 ~ lognormal(log(0.05), 0.5), k ~ lognormal(log(0.05), 0.5)
param w ~ lognormal(0, 0.5), full ~ normal(9, 1)
param s ~ lognormal(log(0.1), 1)
state upper = 5, lower = 5
let over = w*max(upper - full, 0)
let down = k1*sqrt(max(upper, 0)) + over
upper' = k*u - down
lower' = down - k2*sqrt(max(lower, 0))
measure y ~ normal(lower, s)`,
		train: [experimentOf(times, { y: noisy(x(1), 0.05, 1) }, { u: pump })],
	};
}

export function duffing(sd: number, h = 0.1): BayesProblem {
	const times = gridTimes(200, h);
	const { inputs } = experimentOf(times, {}, { u: times.map(force) });
	const u = inputs.get("u")!;
	const x = statesOf((t, [x, v]) => [v, u.at(t) - 0.2 * v - 3 * x - 0.8 * x * x * x], [0, 0], times);
	return {
		name: `Duffing, sd ${sd}`,
		text: `input u
param c  ~ lognormal(log(0.3), 1)
param k  ~ lognormal(log(2), 1)
param k3 ~ lognormal(log(1), 1)
state x = 0, x' = 0
x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, ${sd})`,
		train: [experimentOf(times, { y: noisy(x(0), sd, 5) }, { u: times.map(force) })],
	};
}

export function vanDerPol(): BayesProblem {
	const times = gridTimes(150, 0.2);
	const x = statesOf((_, [x, v]) => [v, 3 * (1 - x * x) * v - 1.5 * x], [2, 0], times);
	return {
		name: "van der Pol",
		text: `param mu ~ lognormal(log(2), 0.5), k ~ lognormal(0, 0.5), s ~ lognormal(log(0.1), 1)
state x ~ normal(2, 0.5), x' ~ normal(0, 0.5)
x'' = mu*(1 - x^2)*x' - k*x
measure y ~ normal(x, s)`,
		train: [experimentOf(times, { y: noisy(x(0), 0.02, 2) })],
	};
}

export function massChain(): BayesProblem {
	const times = gridTimes(200, 0.1);
	const { inputs } = experimentOf(times, {}, { u: times.map(force) });
	const u = inputs.get("u")!;
	const f: Rhs = (t, [a, va, b, vb, c, vc]) => [
		va,
		u.at(t) - 8 * a - 6 * (a - b) - 0.3 * va,
		vb,
		6 * (a - b) - 9 * (b - c) - 0.3 * vb,
		vc,
		9 * (b - c) - 5 * c - 0.3 * vc,
	];
	const x = statesOf(f, [0, 0, 0, 0, 0, 0], times);
	return {
		name: "mass chain",
		text: `input u
param k0 ~ lognormal(log(6), 0.5), k1 ~ lognormal(log(6), 0.5), k2 ~ lognormal(log(6), 0.5), k3 ~ lognormal(log(6), 0.5)
param c ~ lognormal(log(0.2), 0.5), s ~ lognormal(log(0.01), 1)
state a = 0, a' = 0, b = 0, b' = 0, d = 0, d' = 0
a'' = u - k0*a - k1*(a - b) - c*a'
b'' = k1*(a - b) - k2*(b - d) - c*b'
d'' = k2*(b - d) - k3*d - c*d'
measure ya ~ normal(a, s)
measure yd ~ normal(d, s)`,
		train: [
			experimentOf(times, { ya: noisy(x(0), 0.003, 3), yd: noisy(x(4), 0.003, 4) }, { u: times.map(force) }),
		],
	};
}

/** Pelts of the Hudson Bay Company, thousands, 1900 to 1920; model and priors of Stan's case study. */
export function lynxHare(): BayesProblem {
	const lynx = [
		4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4, 8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1,
		8.6,
	];
	const hare = [
		30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1, 40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6,
		16.2, 24.7,
	];
	return {
		name: "lynx and hare",
		text: `param alpha ~ normal(1, 0.5), gamma ~ normal(1, 0.5)
param beta ~ normal(0.05, 0.05), delta ~ normal(0.05, 0.05)
param s1 ~ lognormal(-1, 1), s2 ~ lognormal(-1, 1)
state u ~ lognormal(log(10), 1), v ~ lognormal(log(10), 1)
u' = (alpha - beta*v)*u
v' = (-gamma + delta*u)*v
measure hare ~ lognormal(log(u), s1)
measure lynx ~ lognormal(log(v), s2)`,
		train: [experimentOf(gridTimes(21, 1), { hare: Float64Array.from(hare), lynx: Float64Array.from(lynx) })],
	};
}

export function epidemic(): BayesProblem {
	const times = gridTimes(15, 1);
	const x = statesOf((_, [s, i]) => [(-1.7 * s * i) / 763, (1.7 * s * i) / 763 - 0.45 * i], [762, 1], times);
	return {
		name: "SIR",
		text: `param beta ~ lognormal(0, 1), gamma ~ lognormal(log(0.4), 0.5), s ~ lognormal(log(10), 1)
state S = 762, I = 1
S' = -beta*S*I/763
I' = beta*S*I/763 - gamma*I
measure bed ~ normal(I, s)`,
		train: [experimentOf(times, { bed: noisy(x(1), 8, 6) })],
	};
}

export function boucWen(): BayesProblem {
	const { times, u, a } = trainingRecord(1);
	const n = 3000;
	return {
		name: "Bouc–Wen",
		text: `input u
param m     ~ lognormal(log(2),   0.3)
param c     ~ lognormal(log(10),  0.5)
param k     ~ lognormal(log(5e4), 0.3)
param alpha ~ lognormal(log(5e4), 0.3)
param bg    ~ normal(800, 500)
param bd    ~ normal(-1100, 500)
param s     ~ lognormal(log(0.5), 1)
state x = 0, x' = 0, z = 0
m*x'' + c*x' + k*x + z = u
z' = alpha*x' - bg*abs(x')*z - bd*x'*abs(z)
measure a ~ normal(x'', s)`,
		train: [experimentOf(times.subarray(0, n), { a: a.subarray(0, n) }, { u: u.subarray(0, n) })],
	};
}

/** a and -a say the same, and a wide prior for each: two far modes in three unknowns. */
export function twoModes(): BayesProblem {
	const times = gridTimes(60, 0.1);
	const x = statesOf((_, [x]) => [-0.49 * x + 0.3], [1], times);
	return {
		name: "two modes",
		text: `param a ~ normal(0, 2), b ~ normal(0, 1), s ~ lognormal(log(0.1), 1)
state x = 1
x' = -a^2*x + b
measure y ~ normal(x, s)`,
		train: [experimentOf(times, { y: noisy(x(0), 0.03, 7) })],
	};
}
