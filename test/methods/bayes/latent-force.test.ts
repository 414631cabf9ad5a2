/** A latent force: the filter against dense Gaussian computations, and a force that is found again. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { unitRecursion } from "../../../src/estimate/state-space/integrated-wiener.ts";
import { type FilterSettings, Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { smoothed } from "../../../src/methods/bayes/predict/smoother.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { choleskyInto, choleskyLogDeterminant, choleskySolveInto } from "../../../src/num/linear/cholesky.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { experimentOf, problemOf, runBayes } from "./helpers.ts";

const [c, k, sy, sa] = [0.4, 2.3, 0.05, 0.3];
const [sd, length] = [1.3, 0.7];
const text = (
	p: number,
	start = "x = 1, x' = -0.5",
): string => `param sd ~ lognormal(0, 1), length ~ lognormal(0, 1)
input u ~ matern(${p}.5, sd, length)
state ${start}
x'' + ${c}*x' + ${k}*x = u
measure y ~ normal(x, ${sy})
measure a ~ normal(x'', ${sa})`;
const settings: FilterSettings = {
	layout: "native",
	q: 3,
	linearisation: "ekf0",
	diffusion: "off",
	equationEvidence: false,
	substeps: 1,
};
const uneven = [0, 0.1, 0.2, 0.35, 0.45, 0.6, 0.62, 0.8, 0.9, 1.1, 1.2, 1.3];
const even = uneven.map((_, i) => 0.1 * i);
const data = (times: readonly number[]) => {
	const random = stream(3, "latent");
	const t = Float64Array.from(times);
	// Of the second output one sample in three is there.
	const some = t.filter((_, i) => i % 3 === 1);
	const one = experimentOf(t, { y: t.map((at, i) => Math.cos(at) + 0.1 * random.normal(i)) });
	const values = some.map((_, i) => -Math.cos(some[i]) + 0.3 * random.normal(100 + i));
	const outputs = new Map(one.outputs);
	outputs.set("a", { times: some, values, rows: Int32Array.from(some, (_, i) => i) });
	return { ...one, outputs };
};

/** Covariance of u at distance τ, and its derivatives. */
function matern(p: number, tau: number): number[] {
	const rate = Math.sqrt(2 * p + 1) / length;
	const [x, e] = [rate * tau, sd ** 2 * Math.exp(-rate * tau)];
	if (p === 0) return [e];
	if (p === 1) return [(1 + x) * e, -(rate ** 2) * tau * e];
	return [
		(1 + x + x ** 2 / 3) * e,
		-((rate ** 2 * tau) / 3) * (1 + x) * e,
		(-(rate ** 2) / 3) * (1 + x - x ** 2) * e,
	];
}

/** Log-likelihood, and the posterior of u at each sample: everything at all steps as one normal vector. */
function dense(p: number, samples: readonly number[]) {
	const times = [samples[0], ...filterOf(p, samples).filters[0].grid.stepTimes];
	const h = times.slice(1).map((t, i) => t - times[i]);
	const rate = Math.sqrt(2 * p + 1) / length;
	// Sources: the constant 1; u, u', … at the start; u at each later sample.
	const nSources = 1 + (p + 1) + h.length;
	const source = (i: number): number[] => Array.from({ length: nSources }, (_, j) => Number(i === j));
	const u = (s: number): number[] => source(s === 0 ? 1 : p + 1 + s);
	const plus = (...terms: [number, number[]][]): number[] =>
		terms[0][1].map((_, j) => terms.reduce((sum, [w, v]) => sum + w * v[j], 0));
	const one = source(0);
	const acceleration = (x: number[], v: number[], force: number[]) => plus([1, force], [-c, v], [-k, x]);
	const a0 = acceleration(plus([1, one]), plus([-0.5, one]), u(0));
	const jerk = plus([p > 0 ? 1 : 0, source(Math.min(2, p + 1))], [-c, a0], [0.5 * k, one]);
	let X = [one, plus([-0.5, one]), a0, jerk];
	const { gain } = unitRecursion(3, 2, h);
	const factorials = [1, 1, 2, 6];
	const rowsY = [X[0]];
	const rowsA = [a0];
	for (const [step, size] of h.entries()) {
		const predicted = X.map((_, i) =>
			plus(...X.slice(i).map((value, j): [number, number[]] => [size ** j / factorials[j], value])),
		);
		const F = acceleration(predicted[0], predicted[1], u(step + 1));
		const z = plus([1, predicted[2]], [-1, F]);
		// Gains are those of scaled coordinates, h^i/i! x^(i).
		X = predicted.map((value, i) =>
			plus([1, value], [(-gain[step * 4 + i] * (size ** 2 / 2) * factorials[i]) / size ** i, z]),
		);
		rowsY.push(X[0]);
		rowsA.push(acceleration(X[0], X[1], u(step + 1)));
	}
	const covariance = (i: number, j: number): number => {
		if (i === 0 || j === 0) return 0;
		const [a, b] = i < j ? [i, j] : [j, i];
		const derivative = a <= p + 1 ? a - 1 : 0;
		if (b <= p + 1) {
			if ((b - a) % 2 === 1) return 0;
			const stationary =
				p === 2
					? [
							[1, 0, -1 / 3],
							[0, 1 / 3, 0],
							[-1 / 3, 0, 1],
						]
					: [
							[1, 0],
							[0, 1],
						];
			return sd ** 2 * stationary[a - 1][b - 1] * rate ** (a + b - 2);
		}
		const at = (s: number): number => (s <= p + 1 ? times[0] : times[s - p - 1]);
		return (-1) ** derivative * matern(p, at(b) - at(a))[derivative];
	};
	const experiment = data(samples);
	const used = [
		...samples.map((t, s) => ({
			row: rowsY[times.indexOf(t)],
			y: experiment.outputs.get("y")!.values[s],
			R: sy ** 2,
		})),
		...Array.from(experiment.outputs.get("a")!.times, (t, i) => ({
			row: rowsA[times.indexOf(t)],
			y: experiment.outputs.get("a")!.values[i],
			R: sa ** 2,
		})),
	];
	const between = (a: number[], b: number[]): number => {
		let sum = 0;
		for (let i = 1; i < nSources; i++)
			for (let j = 1; j < nSources; j++) sum += a[i] * b[j] * covariance(i, j);
		return sum;
	};
	const n = used.length;
	const S = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) S[i * n + j] = between(used[i].row, used[j].row) + (i === j ? used[i].R : 0);
	choleskyInto(S, n);
	const residual = used.map(({ row, y }) => y - row[0]);
	const weights = Float64Array.from(residual);
	choleskySolveInto(weights, S, n);
	const quadratic = residual.reduce((sum, value, i) => sum + value * weights[i], 0);
	const forces = samples.map((t) => {
		const cross = used.map(({ row }) => between(u(times.indexOf(t)), row));
		const solved = Float64Array.from(cross);
		choleskySolveInto(solved, S, n);
		return {
			mean: cross.reduce((sum, value, i) => sum + value * weights[i], 0),
			variance: sd ** 2 - cross.reduce((sum, value, i) => sum + value * solved[i], 0),
		};
	});
	return {
		logLik: -0.5 * (n * Math.log(2 * Math.PI) + choleskyLogDeterminant(S, n) + quadratic),
		forces,
	};
}

function filterOf(p: number, times: readonly number[], more: Partial<FilterSettings> = {}): Likelihood {
	const model = parseModel(text(p), "force.ode");
	return new Likelihood(
		model,
		posteriorUnknowns(model, ["record"]),
		[data(times)],
		{ ...settings, ...more },
		inline,
	);
}
const theta = Float64Array.of(sd, length);

describe("a linear oscillator with a latent force", () => {
	for (const p of [0, 1, 2])
		for (const [name, times] of [
			["even", even],
			["uneven", uneven],
		] as const)
			it(`has the likelihood of the dense computation: smoothness ${p}.5, ${name} samples`, async () => {
				const [own] = await filterOf(p, times).logLikelihoods(theta, 1);
				const { logLik } = dense(p, times);
				expect(Math.abs(own - logLik)).toBeLessThan(1e-9 * Math.abs(logLik));
				const [root] = await filterOf(p, times, { form: "root" }).logLikelihoods(theta, 1);
				expect(Math.abs(root - logLik)).toBeLessThan(1e-9 * Math.abs(logLik));
			});

	it.each([0, 1, 2])("has the force that the dense computation finds: smoothness %i.5", async (p) => {
		const likelihood = filterOf(p, uneven);
		const [filter] = likelihood.filters;
		const [{ y, present }] = likelihood.samples;
		const outputs = await filter.smoothing(inline, likelihood.particles(theta, 1, 0), 1);
		const [force] = likelihood.layout.forces;
		const { mean, variance } = smoothed(
			{
				outputs,
				batch: 1,
				lane: 0,
				nCoordinates: likelihood.layout.nCoordinates,
				nOutputs: 2,
				nSamples: filter.nSamples,
				present,
				wanted: [force.from],
			},
			y,
		);
		for (const [s, expected] of dense(p, uneven).forces.entries()) {
			expect(Math.abs(mean[3 * s + 2] - expected.mean)).toBeLessThan(1e-8 * sd);
			expect(Math.abs(variance[3 * s + 2] - expected.variance)).toBeLessThan(1e-8 * sd ** 2);
		}
	});
});

/** Pendulum-like oscillator with a force drawn from its own prior; `seed` numbers the records. */
function forced(seed: number): { times: Float64Array; u: Float64Array; y: Float64Array } {
	const [rate, h, steps, n] = [Math.sqrt(3) / 1.5, 0.1, 20, 120];
	const random = stream(seed, "force");
	const d = h / steps;
	const decay = Math.exp(-rate * d);
	const tau = rate * d;
	// Matérn 3/2 exactly on a fine grid: u and u'/rate.
	const Q00 = 1 - decay ** 2 * ((1 + tau) ** 2 + tau ** 2);
	const Q01 = 2 * tau ** 2 * decay ** 2;
	const Q11 = 1 - decay ** 2 * ((1 - tau) ** 2 + tau ** 2);
	const [l00, l10] = [Math.sqrt(Q00), Q01 / Math.sqrt(Q00)];
	const l11 = Math.sqrt(Math.max(0, Q11 - l10 ** 2));
	let [u, du, x, v] = [random.normal(0), random.normal(1), 0, 0];
	const times = Float64Array.from({ length: n }, (_, i) => i * h);
	const out = { times, u: new Float64Array(n), y: new Float64Array(n) };
	for (let i = 0, draw = 2; i < n; i++) {
		out.u[i] = u;
		out.y[i] = x + 0.02 * random.normal(1_000_000 + i);
		for (let s = 0; s < steps; s++) {
			const [a, b] = [random.normal(draw++), random.normal(draw++)];
			const next = decay * ((1 + tau) * u + tau * du) + l00 * a;
			du = decay * (-tau * u + (1 - tau) * du) + l10 * a + l11 * b;
			const force = (u + next) / 2;
			const slope = (at: number, speed: number): number => force - 0.3 * speed - 2 * Math.sin(at);
			const half = slope(x, v);
			const vm = v + (d / 2) * half;
			const xm = x + (d / 2) * v;
			v += d * slope(xm, vm);
			x += d * vm;
			u = next;
		}
	}
	return out;
}

describe("a nonlinear oscillator with a latent force", () => {
	const model = `input u ~ matern(1.5, sd, length)
param k ~ lognormal(log(2), 0.3)
param sd ~ lognormal(0, 0.7)
param length ~ lognormal(0, 0.7)
state x = 0, x' = 0
x'' + 0.3*x' + k*sin(x) = u
measure y ~ normal(x, 0.02)`;

	it("is found with its parameters; bands hold as much of it as they say", async () => {
		const replications = repetitions(5, 12);
		let inside = 0;
		let total = 0;
		for (let seed = 0; seed < replications; seed++) {
			const { times, u, y } = forced(seed);
			const { result } = await runBayes(problemOf(model, [experimentOf(times, { y })], [], seed), {
				particles: 200,
				runs: 1,
				predictive: 50,
				netcdf: false,
			});
			expect(result.answered).toBe(true);
			const [head, ...lines] = (result.files.find(({ name }) => name === "force-u.csv")!.content as string)
				.trim()
				.split("\n");
			expect(head).toBe("t,u,u.lo,u.hi");
			const bands = new Map(
				lines.map((line) => line.split(",").map(Number)).map(([t, ...rest]) => [t, rest]),
			);
			// Neighbours are much alike: one instant in every two correlation lengths counts.
			for (let i = 15; i < times.length; i += 30) {
				const [, lo, hi] = bands.get(times[i])!;
				total++;
				if (lo <= u[i] && u[i] <= hi) inside++;
			}
		}
		// 90 % bands: outside of ± 3.3 standard deviations of a binomial once in a thousand.
		const sd3 = 3.3 * Math.sqrt(total * 0.9 * 0.1);
		expect(Math.abs(inside - 0.9 * total)).toBeLessThan(sd3);
	}, 120_000);

	it("answers with nothing else unknown, says what it finds, and refuses what does not go with a force", async () => {
		const { times, u, y } = forced(0);
		const known = `input u ~ matern(1.5, 1, 1.5)
state x = 0, x' = 0
x'' + 0.3*x' + 2*sin(x) = u
measure y ~ normal(x, 0.02)`;
		const problem = problemOf(known, [experimentOf(times, { y })]);
		const { result } = await runBayes(problem, { particles: 20, runs: 1 });
		expect(result.answered).toBe(true);
		expect(result.figures.map(({ name }) => name)).toContain("force-u-0");
		const [band, line] = result.figures.find(({ name }) => name === "force-u-0")!.marks;
		if (band.type !== "band" || line.type !== "line") throw new Error("a band and a line were expected");
		const errors = Array.from(times, (t, i) => line.y[Array.from(line.x).indexOf(t)] - u[i]);
		expect(Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length)).toBeLessThan(0.35);
		await expect(runBayes(problem, { linearisation: "ekf1" })).rejects.toThrow(/unknown force u/);
		await expect(runBayes(problem, { equationEvidence: true })).rejects.toThrow(/unknown force u/);
	});
});

describe("the likelihood of a force with small steps", () => {
	it.each([0, 1, 2])("tends to that of the exact stochastic equation: smoothness %i.5", async (p) => {
		const exact = exactLogLik(p, even);
		const errors: number[] = [];
		for (const substeps of [2, 4, 8]) {
			const likelihood = filterOf(p, even, { substeps, q: p === 0 ? 2 : 3 });
			errors.push(Math.abs((await likelihood.logLikelihoods(theta, 1))[0] - exact));
		}
		// A rough force is seen at the ends of steps only: there the order is 1.
		expect(errors[2]).toBeLessThan(p === 0 ? 0.03 : 5e-3);
		expect(errors[2]).toBeLessThan(0.4 * errors[0]);
	});
});

/** The Kalman filter of (x, x', u, u', …) with its exact transition and noise, by series and by quadrature. */
function exactLogLik(p: number, times: readonly number[]): number {
	const n = 3 + p;
	const rate = Math.sqrt(2 * p + 1) / length;
	const binomial = [[1], [1, 2], [1, 3, 3]][p];
	const F = Array.from({ length: n }, () => new Array<number>(n).fill(0));
	F[0][1] = 1;
	[F[1][0], F[1][1], F[1][2]] = [-k, -c, 1];
	for (let i = 0; i < p; i++) F[2 + i][3 + i] = 1;
	for (let i = 0; i <= p; i++) F[n - 1][2 + i] = -binomial[i] * rate ** (p + 1 - i);
	const density = sd ** 2 * [2, 4, 16 / 3][p] * rate ** (2 * p + 1);
	const times_ = (A: number[][], B: number[][]): number[][] =>
		A.map((row) => B[0].map((_, j) => row.reduce((sum, value, l) => sum + value * B[l][j], 0)));
	const flip = (A: number[][]): number[][] => A[0].map((_, j) => A.map((row) => row[j]));
	const exponential = (t: number): number[][] => {
		let term = F.map((row, i) => row.map((_, j) => Number(i === j)));
		let sum = term;
		for (let m = 1; m < 40; m++) {
			term = times_(term, F).map((row) => row.map((value) => (value * t) / m));
			sum = sum.map((row, i) => row.map((value, j) => value + term[i][j]));
		}
		return sum;
	};
	const stationary = [
		[[1]],
		[
			[1, 0],
			[0, 1],
		],
		[
			[1, 0, -1 / 3],
			[0, 1 / 3, 0],
			[-1 / 3, 0, 1],
		],
	][p];
	let m = [1, -0.5, ...new Array<number>(p + 1).fill(0)];
	let P = F.map((row) => row.map(() => 0));
	for (let i = 0; i <= p; i++)
		for (let j = 0; j <= p; j++) P[2 + i][2 + j] = sd ** 2 * stationary[i][j] * rate ** (i + j);
	const { outputs } = data(times);
	let logLik = 0;
	for (const [s, t] of times.entries()) {
		if (s > 0) {
			const h = t - times[s - 1];
			const A = exponential(h);
			let Q = P.map((row) => row.map(() => 0));
			const nodes = 400;
			for (let g = 0; g <= nodes; g++) {
				const weight = ((g === 0 || g === nodes ? 1 : g % 2 === 1 ? 4 : 2) * h) / (3 * nodes);
				const column = exponential((h * g) / nodes).map((row) => row[n - 1]);
				Q = Q.map((row, i) => row.map((value, j) => value + weight * density * column[i] * column[j]));
			}
			m = times_(
				A,
				m.map((value) => [value]),
			).map(([value]) => value);
			P = times_(times_(A, P), flip(A)).map((row, i) => row.map((value, j) => value + Q[i][j]));
		}
		for (const [name, H, R] of [
			["y", [1, 0, 0], sy ** 2],
			["a", [-k, -c, 1], sa ** 2],
		] as const) {
			const series = outputs.get(name)!;
			const at = series.times.indexOf(t);
			if (at < 0) continue;
			const PH = P.map((row) => H.reduce((sum, value, j) => sum + value * row[j], 0));
			const S = H.reduce((sum, value, j) => sum + value * PH[j], R);
			const innovation = series.values[at] - H.reduce((sum, value, j) => sum + value * m[j], 0);
			logLik -= 0.5 * (Math.log(2 * Math.PI * S) + innovation ** 2 / S);
			m = m.map((value, i) => value + (PH[i] * innovation) / S);
			P = P.map((row, i) => row.map((value, j) => value - (PH[i] * PH[j]) / S));
		}
	}
	return logLik;
}

describe("a process in the measurement", () => {
	it("of smoothness 0.5 is an error that is remembered", async () => {
		const params = "param k ~ lognormal(0, 1), s ~ lognormal(0, 1), tau ~ lognormal(0, 1)\n";
		const equation = "state x = 2\nx' = -k*x\n";
		const remembered = parseModel(
			`${params}${equation}measure y ~ normal(x, s, correlated: tau)`,
			"remembered.ode",
		);
		// Beside the process no error is left to speak of.
		const process = parseModel(
			`input w ~ matern(0.5, s, tau)\n${params}${equation}measure y ~ normal(x + w, 1e-6)`,
			"process.ode",
		);
		const t = Float64Array.from(uneven);
		const random = stream(5, "remembered");
		const experiment = experimentOf(t, { y: t.map((at, i) => 2 * Math.exp(-at) + 0.2 * random.normal(i)) });
		const theta = Float64Array.of(1, 0.7, 0.2, 0.3, 0.15, 0.9);
		const [own, other] = await Promise.all(
			[remembered, process].map((model) =>
				new Likelihood(
					model,
					posteriorUnknowns(model, ["record"]),
					[experiment],
					{ ...settings, substeps: 40 },
					inline,
				).logLikelihoods(theta, 2),
			),
		);
		for (const b of [0, 1]) expect(other[b]).toBeCloseTo(own[b], 3);
	});
});
