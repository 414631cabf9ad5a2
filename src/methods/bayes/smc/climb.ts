/**
 * Tops of a log density that is known by its values alone, from several points at once: Newton's method with differences for
 * derivatives, damped as by Levenberg and Marquardt. Values come in batches, so that a Hessian costs one call.
 *
 * Reference: Nocedal, Wright, Numerical Optimization, 2006, sections 8.1 and 10.3.
 */
import { choleskyInto, choleskySolveInto } from "../../../num/linear/cholesky.ts";

/** Log density of n points in columns. */
export type LogDensity = (z: Float64Array, n: number) => Promise<Float64Array>;

export interface Top {
	readonly at: Float64Array;
	readonly value: number;
	/** Minus the Hessian, row-major. */
	readonly curvature: Float64Array;
}

const mostRounds = 25;
/** A gain that is worth no further round. */
const smallGain = 1e-2;
const dampings = [0, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
/** Differences, in standard deviations of one coordinate given all others. */
const difference = 0.5;

/** From each start; `curvature` is a first guess. A start whose surroundings are impossible has none. */
export async function climb(
	f: LogDensity,
	starts: readonly Float64Array[],
	curvature: Float64Array,
): Promise<Top[]> {
	let climbing = starts.map((at) => ({ at, value: Number.NEGATIVE_INFINITY, curvature }));
	const tops: Top[] = [];
	for (let round = 0; round < mostRounds && climbing.length > 0; round++) {
		const slopes = (await derivatives(f, climbing, false)).filter(({ H }) => H.every(Number.isFinite));
		const trials = slopes.map(steps);
		const values = await valuesAt(f, trials.flat());
		climbing = [];
		let first = 0;
		for (const [k, { at, value, H }] of slopes.entries()) {
			const own = Array.from(values.subarray(first, first + trials[k].length));
			first += trials[k].length;
			const best = own.reduce((top, one, t) => (one > (own[top] ?? value) ? t : top), -1);
			const next = best < 0 ? { at, value } : { at: trials[k][best], value: own[best] };
			(next.value - value > smallGain ? climbing : tops).push({ ...next, curvature: H });
		}
	}
	const ends = await derivatives(f, [...tops, ...climbing], true);
	return ends
		.filter(({ H }) => H.every(Number.isFinite))
		.map(({ at, value, H }) => ({ at, value, curvature: H }));
}

interface Slope {
	readonly at: Float64Array;
	readonly value: number;
	readonly gradient: Float64Array;
	readonly H: Float64Array;
}

/** `both`: mixed differences to both sides, which lets third derivatives drop out. */
async function derivatives(
	f: LogDensity,
	points: readonly Pick<Top, "at" | "curvature">[],
	both: boolean,
): Promise<Slope[]> {
	const grids = points.map(({ at, curvature }) => differenceGrid(at, curvature, both));
	const values = await valuesAt(
		f,
		grids.flatMap(({ places }) => places),
	);
	let first = 0;
	return grids.map((grid, k) => {
		const own = values.subarray(first, first + grid.places.length);
		first += grid.places.length;
		return slopeOf(points[k].at, grid.h, own, both);
	});
}

/** The point, then each coordinate up and down, then pairs up, and down where asked. */
function differenceGrid(
	at: Float64Array,
	curvature: Float64Array,
	both: boolean,
): { h: Float64Array; places: Float64Array[] } {
	const d = at.length;
	const h = at.map((_, i) => difference / Math.sqrt(Math.abs(curvature[i * d + i])));
	const moved = (sign: number, ...which: readonly number[]): Float64Array => {
		const place = at.slice();
		for (const i of which) place[i] += sign * h[i];
		return place;
	};
	const places = [at];
	for (let i = 0; i < d; i++) places.push(moved(1, i), moved(-1, i));
	for (let i = 0; i < d; i++)
		for (let j = 0; j < i; j++) places.push(moved(1, i, j), ...(both ? [moved(-1, i, j)] : []));
	return { h, places };
}

function slopeOf(at: Float64Array, h: Float64Array, values: Float64Array, both: boolean): Slope {
	const d = at.length;
	const [value] = values;
	const up = (i: number): number => values[1 + 2 * i] - value;
	const down = (i: number): number => values[2 + 2 * i] - value;
	const H = new Float64Array(d * d);
	let k = 1 + 2 * d;
	for (let i = 0; i < d; i++) {
		H[i * d + i] = -(up(i) + down(i)) / (h[i] * h[i]);
		for (let j = 0; j < i; j++) {
			let mixed = values[k++] - value - up(i) - up(j);
			if (both) mixed = 0.5 * (mixed + values[k++] - value - down(i) - down(j));
			H[i * d + j] = -mixed / (h[i] * h[j]);
			H[j * d + i] = H[i * d + j];
		}
	}
	return { at, value, gradient: h.map((step, i) => (up(i) - down(i)) / (2 * step)), H };
}

/** Where Newton's step leads with more and more damping. */
function steps({ at, gradient, H }: Slope): Float64Array[] {
	const d = at.length;
	return dampings.flatMap((damping) => {
		const A = H.slice();
		for (let i = 0; i < d; i++) A[i * d + i] += damping * Math.abs(H[i * d + i]);
		if (!choleskyInto(A, d)) return [];
		const step = gradient.slice();
		choleskySolveInto(step, A, d);
		return [at.map((x, i) => x + step[i])];
	});
}

async function valuesAt(f: LogDensity, points: readonly Float64Array[]): Promise<Float64Array> {
	const n = points.length;
	if (n === 0) return new Float64Array();
	const d = points[0].length;
	return f(
		Float64Array.from({ length: d * n }, (_, k) => points[k % n][Math.floor(k / n)]),
		n,
	);
}
