/**
 * Importance weights with their largest ones smoothed: those are replaced by what a generalised Pareto law fitted to them
 * expects in their places. Its shape k tells whether the weights can be trusted: up to 0.7 they can.
 *
 * References: Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto smoothed importance sampling", 2024; Zhang, Stephens, "A new and
 * efficient estimation method for the generalized Pareto distribution", Technometrics 51, 2009 (the fit).
 */
import { exp, log } from "../elementary/number.ts";
import { largestLogWeight, logSumExp } from "./log-weights.ts";

export interface SmoothedWeights {
	/** Normalised: their exponentials sum up to 1. */
	readonly logWeights: Float64Array;
	/** Shape of the tail; infinite where there are too few to tell. */
	readonly k: number;
}

/** Below so many in the tail nothing is fitted. */
const fewest = 5;

export function paretoSmoothed(logRatios: ArrayLike<number>): SmoothedWeights {
	const n = logRatios.length;
	const most = largestLogWeight(logRatios);
	const logWeights = new Float64Array(n);
	for (let i = 0; i < n; i++) logWeights[i] = logRatios[i] - most;
	const tail = Math.ceil(Math.min(n / 5, 3 * Math.sqrt(n)));
	let k = Number.POSITIVE_INFINITY;
	if (tail >= fewest) {
		const sorted = logWeights.slice().sort();
		const largest = largestOf(logWeights, tail, sorted[n - tail]);
		const cut = exp(sorted[n - tail - 1]);
		const beyond = Float64Array.from(largest, (i) => exp(logWeights[i]) - cut);
		// Weights that are all the same have no tail.
		if (beyond[0] === beyond[tail - 1]) k = beyond[tail - 1] > 0 ? k : Number.NEGATIVE_INFINITY;
		else {
			const law = paretoFit(beyond);
			k = law.k;
			largest.forEach((i, place) => {
				const p = (place + 0.5) / tail;
				logWeights[i] = Math.min(0, log(cut + paretoQuantile(law, p)));
			});
		}
	}
	const total = logSumExp(logWeights);
	for (let i = 0; i < n; i++) logWeights[i] -= total;
	return { logWeights, k };
}

/** Places of the `count` largest, rising; `least` is the smallest of them. Of equals the later ones are taken. */
function largestOf(values: Float64Array, count: number, least: number): number[] {
	const above: number[] = [];
	for (let i = 0; i < values.length; i++) if (values[i] > least) above.push(i);
	const places = above.sort((a, b) => values[a] - values[b]);
	for (let i = values.length - 1; i >= 0 && places.length < count; i--)
		if (values[i] === least) places.unshift(i);
	return places;
}

interface Pareto {
	readonly k: number;
	readonly sigma: number;
}

function paretoQuantile({ k, sigma }: Pareto, p: number): number {
	const lost = log(1 - p);
	return Math.abs(k) < 1e-12 ? -sigma * lost : (sigma * (exp(-k * lost) - 1)) / k;
}

/** Of rising numbers, the last of them positive. */
function paretoFit(x: Float64Array): Pareto {
	const n = x.length;
	const count = 30 + Math.floor(Math.sqrt(n));
	const quarter = x[Math.floor(n / 4 + 0.5) - 1] || x[n - 1] / n;
	const thetas = Array.from(
		{ length: count },
		(_, j) => 1 / x[n - 1] + (1 - Math.sqrt(count / (j + 0.5))) / (3 * quarter),
	);
	const shapeOf = (theta: number): number => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += log(1 - theta * x[i]);
		return sum / n;
	};
	const profile = thetas.map((theta) => {
		const k = shapeOf(theta);
		return n * (log(-theta / k) - k - 1);
	});
	const total = logSumExp(Float64Array.from(profile));
	const theta = thetas.reduce((sum, each, j) => sum + each * exp(profile[j] - total), 0);
	const k = shapeOf(theta);
	// A prior worth ten samples towards a half, as the first reference has it.
	return { k: (k * n + 5) / (n + 10), sigma: -k / theta };
}
