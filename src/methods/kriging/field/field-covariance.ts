/**
 * Covariances of an unknown function of several arguments, as functions of the distance h of (scaled) arguments:
 * generalised covariances, which need a polynomial trend beside them, and stationary ones.
 *
 * The generalised covariance is -a1 h + a3 h³ - a5 h⁵ with all a >= 0 (the paper prints the opposite sign). It is
 * positive definite only on contrasts that are free of polynomials of degree 0, 1 and 2 in *every* argument.
 *
 * Reference: Matheron, "The intrinsic random functions and their applications", 1973.
 */
import { exp } from "../../../num/elementary/number.ts";
import { squared, wholePower } from "../../../num/whole-power.ts";
import { radials } from "./radial.ts";

interface Parametric {
	readonly name: string;
	/** Names of its parameters, all positive. */
	readonly hyperNames: readonly string[];
	/** It is a sum of fixed functions times its parameters. */
	readonly isLinear: boolean;
	/** It is positive definite by itself, not only on contrasts that a trend leaves. */
	readonly isDefinite: boolean;
}

/** Of the distance alone. */
export interface DistanceCovariance extends Parametric {
	value(hyper: ArrayLike<number>, h: number): number;
	/** k'(h)/h: times x - x' it is the gradient. */
	slope(hyper: ArrayLike<number>, h: number): number;
	/** Derivative by the logarithm of parameter i. */
	byLog(hyper: ArrayLike<number>, h: number, i: number): number;
}

/** Of two points, by the squares of the differences of their (scaled) arguments: those from position `at` on. */
export interface FieldCovariance extends Parametric {
	value(hyper: ArrayLike<number>, squares: Float64Array, at: number): number;
	/** For each argument what, times x - x', is the gradient. */
	slopesInto(out: Float64Array, hyper: ArrayLike<number>, squares: Float64Array, at: number): void;
	/** Derivative by the logarithm of parameter i. */
	byLog(hyper: ArrayLike<number>, squares: Float64Array, at: number, i: number): number;
}

/** The same for every direction. */
function byDistance(own: DistanceCovariance, nArgs: number): FieldCovariance {
	const distance = (squares: Float64Array, at: number): number => {
		let sum = 0;
		for (let a = at; a < at + nArgs; a++) sum += squares[a];
		return Math.sqrt(sum);
	};
	return {
		name: own.name,
		hyperNames: own.hyperNames,
		isLinear: own.isLinear,
		isDefinite: own.isDefinite,
		value: (hyper, squares, at) => own.value(hyper, distance(squares, at)),
		slopesInto(out, hyper, squares, at) {
			out.fill(own.slope(hyper, distance(squares, at)));
		},
		byLog: (hyper, squares, at, i) => own.byLog(hyper, distance(squares, at), i),
	};
}

/** The odd powers that a trend of this degree makes admissible. */
export function generalized(trend: number): DistanceCovariance {
	const powers = [1, 3, 5].slice(0, Math.min(trend, 2) + 1);
	const signed = (i: number, a: number): number => (i % 2 === 0 ? -a : a);
	return {
		name: "generalized",
		hyperNames: powers.map((power) => `a${power}`),
		isLinear: true,
		isDefinite: false,
		value(hyper, h) {
			let value = 0;
			for (let i = powers.length - 1; i >= 0; i--) value = value * h * h + signed(i, hyper[i]);
			return value * h;
		},
		slope(hyper, h) {
			let value = 0;
			for (let i = powers.length - 1; i >= 1; i--) value = value * h * h + signed(i, hyper[i] * powers[i]);
			value *= h;
			// The kink of a1 h has no gradient at 0: there it counts as none.
			return h > 0 ? value - hyper[0] / h : value;
		},
		byLog(hyper, h, i) {
			return signed(i, hyper[i]) * wholePower(h, powers[i]);
		},
	};
}

/** σ² φ(h/ρ). */
function stationary(name: string): DistanceCovariance {
	const radial = radials.get(name)!;
	return {
		name,
		hyperNames: ["variance", "length"],
		isLinear: false,
		isDefinite: true,
		value: (hyper, h) => hyper[0] * radial.derivative(0, h / hyper[1]),
		slope(hyper, h) {
			const r = h / hyper[1];
			if (r > 0) return (hyper[0] * radial.derivative(1, r)) / (hyper[1] * h);
			return radial.smoothness > 0 ? (hyper[0] * radial.derivative(2, 0)) / squared(hyper[1]) : 0;
		},
		byLog(hyper, h, i) {
			const r = h / hyper[1];
			return i === 0 ? hyper[0] * radial.derivative(0, r) : -hyper[0] * r * radial.derivative(1, r);
		},
	};
}

/** Lengths of the smooth covariance, in units of the spread of the arguments; each is twice the one before. */
export const smoothLengths = [0.75, 1.5, 3, 6];
/** For functions that turn many times within their data. */
export const fineLengths = [0.1875, 0.375, ...smoothLengths];
const longest = smoothLengths[smoothLengths.length - 1];

/** Σ v_i exp(-h²/(2 ℓ_i²)) with fixed lengths: infinitely smooth, and linear in its parameters, so quick to fit. */
function smooth(name: string, lengths: readonly number[]): DistanceCovariance {
	const count = lengths.length;
	const rate = -0.5 / (longest * longest);
	return {
		name,
		hyperNames: lengths.map((length) => `v${length}`),
		isLinear: true,
		isDefinite: true,
		value(hyper, h) {
			// Half the length is the fourth power: one exponential serves all.
			let part = exp(rate * h * h);
			let value = 0;
			for (let i = count - 1; i >= 0; i--) {
				value += hyper[i] * part;
				part *= part;
				part *= part;
			}
			return value;
		},
		slope(hyper, h) {
			let part = exp(rate * h * h);
			let factor = 2 * rate;
			let value = 0;
			for (let i = count - 1; i >= 0; i--) {
				value += factor * hyper[i] * part;
				factor *= 4;
				part *= part;
				part *= part;
			}
			return value;
		},
		byLog: (hyper, h, i) => hyper[i] * exp((-0.5 * h * h) / squared(lengths[i])),
	};
}

export function fieldCovariance(name: string, trend: number, nArgs: number): FieldCovariance {
	return byDistance(distanceCovariance(name, trend), nArgs);
}

function distanceCovariance(name: string, trend: number): DistanceCovariance {
	if (name === "generalized") return generalized(trend);
	if (name === "smooth") return smooth(name, smoothLengths);
	return name === "fine" ? smooth(name, fineLengths) : stationary(name);
}
