/**
 * Covariances that depend on a distance alone, φ(r) with φ(0) = 1, as tables of coefficients. Each family is closed under
 * differentiation, so every derivative that exists is exact and costs one short polynomial.
 *
 * References: Wendland, Scattered Data Approximation, 2005, table 9.1; Stein, Interpolation of Spatial Data, 1999,
 * section 2.7 (Matérn with half-integer smoothness).
 */
import { InputError } from "../../../errors.ts";
import { exp } from "../../../num/elementary/number.ts";
import { wholePower } from "../../../num/whole-power.ts";

export interface Radial {
	readonly name: string;
	/** How often a process with this covariance can be differentiated (in mean square). */
	readonly smoothness: number;
	/** Distance from which on it is zero. */
	readonly support: number;
	/** The derivative of given order at r >= 0. One-sided at 0 where it is odd and does not exist. */
	derivative(order: number, r: number): number;
}

/** (1 - r)^power · polynomial, zero from r = 1 on. Coefficients from the constant upwards. */
const wendlandTable: Readonly<Record<string, { power: number; p: readonly number[]; smoothness: number }>> = {
	wendland30: { power: 2, p: [1], smoothness: 0 },
	wendland31: { power: 4, p: [1, 4], smoothness: 1 },
	wendland32: { power: 6, p: [1, 6, 35 / 3], smoothness: 2 },
	wendland33: { power: 8, p: [1, 8, 25, 32], smoothness: 3 },
};

/** exp(-s) · polynomial of s = √(2 smoothness + 1) r. */
const maternTable: Readonly<Record<string, { p: readonly number[]; smoothness: number }>> = {
	matern12: { p: [1], smoothness: 0 },
	matern32: { p: [1, 1], smoothness: 1 },
	matern52: { p: [1, 1, 1 / 3], smoothness: 2 },
	matern72: { p: [1, 1, 2 / 5, 1 / 15], smoothness: 3 },
	matern92: { p: [1, 1, 3 / 7, 2 / 21, 1 / 105], smoothness: 4 },
};

export const radials: ReadonlyMap<string, Radial> = new Map([
	...Object.entries(wendlandTable).map(([name, { power, p, smoothness }]) => {
		const polynomials = derivatives(p, 2 * smoothness + 1, (q, j) =>
			// d/dr (1-r)^m q = (1-r)^(m-1) ((1-r) q' - m q)
			combine([1, -1], derivativeOf(q), -(power - j), q),
		);
		const derivative = (order: number, r: number): number => {
			if (!(r < 1)) return 0;
			let value = polynomialAt(polynomials[order], r);
			for (let k = order; k < power; k++) value *= 1 - r;
			return value;
		};
		return [name, { name, smoothness, support: 1, derivative }] as const;
	}),
	...Object.entries(maternTable).map(([name, { p, smoothness }]) => {
		const rate = Math.sqrt(2 * smoothness + 1);
		const polynomials = derivatives(p, 2 * smoothness + 1, (q) => combine([1], derivativeOf(q), -1, q));
		const derivative = (order: number, r: number): number => {
			const s = rate * r;
			return wholePower(rate, order) * exp(-s) * polynomialAt(polynomials[order], s);
		};
		return [name, { name, smoothness, support: Number.POSITIVE_INFINITY, derivative }] as const;
	}),
]);

export const radialNames: readonly string[] = [...radials.keys()];

/** The covariance of that name; refused when it is too rough for derivatives of `order`. */
export function radialFor(name: string, order: number): Radial {
	const radial = radials.get(name)!;
	if (radial.smoothness < order) {
		const enough = [...radials.values()].filter(({ smoothness }) => smoothness >= order);
		throw new InputError(
			`covariance ${name}`,
			`has ${radial.smoothness} derivative${radial.smoothness === 1 ? "" : "s"}, but the model needs derivative ${order} of a state`,
			enough.length > 0
				? `Choose one that is smooth enough: ${enough.map((each) => each.name).join(", ")}.`
				: "No covariance here is smooth enough: measure a derivative of the state as well.",
		);
	}
	return radial;
}

/** The polynomials of all derivatives up to `most`. */
function derivatives(
	p: readonly number[],
	most: number,
	next: (q: readonly number[], order: number) => number[],
): (readonly number[])[] {
	const all: (readonly number[])[] = [p];
	for (let j = 0; j < most; j++) all.push(next(all[j], j));
	return all;
}

function derivativeOf(p: readonly number[]): number[] {
	return p.length < 2 ? [0] : p.slice(1).map((c, i) => c * (i + 1));
}

/** a·p + scale·q. */
function combine(a: readonly number[], p: readonly number[], scale: number, q: readonly number[]): number[] {
	const result = new Array<number>(Math.max(a.length + p.length - 1, q.length)).fill(0);
	for (let i = 0; i < a.length; i++) for (let j = 0; j < p.length; j++) result[i + j] += a[i] * p[j];
	for (let j = 0; j < q.length; j++) result[j] += scale * q[j];
	// Without leading zeros.
	while (result.length > 1 && result[result.length - 1] === 0) result.pop();
	return result;
}

function polynomialAt(p: readonly number[], x: number): number {
	let value = 0;
	for (let i = p.length - 1; i >= 0; i--) value = value * x + p[i];
	return value;
}
