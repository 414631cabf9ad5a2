/**
 * Interval arithmetic: ns per operation beside its goal, and the ratio to a plain float sum on the same numbers. Loops over
 * arrays that fit the cache are timed in many short rounds, all loops in turn, so that other work on the machine meets none of them all the
 * time; a round's time is the lesser of clock and processor. The least is what the work costs, the median what it took beside all else that ran.
 */

import { stopwatch } from "../papers/stopwatch.ts";
import * as intervals from "../src/interval/index.ts";

const n = 1024;
const rounds = 201;
/** Milliseconds of a round: short enough to be left alone now and then on a busy machine. */
const short = 1;

type Loop = () => number;

interface Timed {
	readonly name: string;
	readonly loop: Loop;
	/** ns that are to be reached. */
	readonly goal?: number;
}

export async function bench(): Promise<void> {
	const a = numbers(1);
	const b = numbers(2);
	const out = new Float64Array(2 * n);
	const floats = Float64Array.from({ length: n }, (_, i) => a[2 * i]);
	const loops: Timed[] = [
		{ name: "float +", loop: floatSum(floats) },
		{ name: "add, inlined", loop: additions(out, a, b), goal: 8 },
		{ name: "mul, inlined", loop: products(out, a, b), goal: 15 },
		{ name: "sum of products", loop: convolution(out, a, b) },
		{ name: "div", loop: divisions(out, a, b), goal: 15 },
		{ name: "fma", loop: fused(out, a, b), goal: 15 },
		{ name: "sqr", loop: squares(out, a), goal: 15 },
		{ name: "recip", loop: reciprocals(out, a), goal: 15 },
		{ name: "sqrt", loop: roots(out, a), goal: 15 },
		{ name: "cube", loop: cubes(out, a), goal: 15 },
		{ name: "add, objects", loop: objects(a, b) },
		...Object.entries(functions).map(([name, into]) => ({ name, loop: calls(out, a, into) })),
		{ name: "pow", loop: powers(out, a, b) },
	];
	const repeats = loops.map(({ loop }) => warm(loop));
	const times = loops.map(() => new Float64Array(rounds));
	for (let round = 0; round < rounds; round++)
		for (const [k, { loop }] of loops.entries())
			times[k][round] = (time(loop, repeats[k]) * 1e6) / (repeats[k] * n);
	if (Number.isNaN(sink)) throw new Error("the results are no numbers");
	for (const own of times) own.sort();
	console.log("operation          least ns  median ns  to a float sum  goal");
	for (const [k, { name, goal }] of loops.entries()) {
		const [least, median] = [times[k][0], times[k][(rounds - 1) / 2]];
		const [first, second, third] = [least, median, least / times[0][0]].map((x) => x.toFixed(1));
		const verdict =
			goal === undefined ? "" : `  at most ${goal} ns: ${least <= goal ? "reached" : "not reached"}`;
		console.log(
			`${name.padEnd(18)} ${first.padStart(8)} ${second.padStart(10)} ${third.padStart(15)}${verdict}`,
		);
	}
}

const functions = {
	exp: intervals.expInto,
	log: intervals.logInto,
	sin: intervals.sinInto,
	cos: intervals.cosInto,
	tan: intervals.tanInto,
	asin: intervals.asinInto,
	acos: intervals.acosInto,
	atan: intervals.atanInto,
	sinh: intervals.sinhInto,
	cosh: intervals.coshInto,
	tanh: intervals.tanhInto,
};

/** Intervals of width 1e-3 in ]0, 1[. */
function numbers(seed: number): Float64Array {
	const out = new Float64Array(2 * n);
	let state = seed;
	for (let i = 0; i < n; i++) {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		const x = 0.01 + 0.98 * (state / 2 ** 32);
		out[2 * i] = x;
		out[2 * i + 1] = x + 1e-3;
	}
	return out;
}

function floatSum(a: Float64Array): Loop {
	return () => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += a[i];
		return sum;
	};
}

function additions(out: Float64Array, a: Float64Array, b: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.addInto(out, i, a, i, b, i);
		return out[n];
	};
}

function products(out: Float64Array, a: Float64Array, b: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.mulInto(out, i, a, i, b, i);
		return out[n];
	};
}

/** The inner loop of a Taylor coefficient: Σ a_i·b_(k-i). */
function convolution(out: Float64Array, a: Float64Array, b: Float64Array): Loop {
	return () => {
		out[0] = 0;
		out[1] = 0;
		for (let i = 0; i < 2 * n; i += 2) intervals.addProductInto(out, 0, a, i, b, 2 * n - 2 - i);
		return out[0];
	};
}

function divisions(out: Float64Array, a: Float64Array, b: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.divInto(out, i, a, i, b, i);
		return out[n];
	};
}

function fused(out: Float64Array, a: Float64Array, b: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.fmaInto(out, i, a, i, b, i, b, (i + 2) % (2 * n));
		return out[n];
	};
}

// Each in a loop of its own, as sums and products are: a loop over whatever function it is given calls it.
function squares(out: Float64Array, a: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.sqrInto(out, i, a, i);
		return out[n];
	};
}

function reciprocals(out: Float64Array, a: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.recipInto(out, i, a, i);
		return out[n];
	};
}

function roots(out: Float64Array, a: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.sqrtInto(out, i, a, i);
		return out[n];
	};
}

function cubes(out: Float64Array, a: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.powIntInto(out, i, a, i, 3);
		return out[n];
	};
}

function objects(a: Float64Array, b: Float64Array): Loop {
	const left = Array.from({ length: n }, (_, i) => intervals.boxSide(a, i));
	const right = Array.from({ length: n }, (_, i) => intervals.boxSide(b, i));
	return () => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += intervals.add(left[i], right[i]).lo;
		return sum;
	};
}

function calls(out: Float64Array, a: Float64Array, into: typeof intervals.expInto): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) into(out, i, a, i);
		return out[n];
	};
}

function powers(out: Float64Array, a: Float64Array, b: Float64Array): Loop {
	return () => {
		for (let i = 0; i < 2 * n; i += 2) intervals.powInto(out, i, a, i, b, i);
		return out[n];
	};
}

let sink = 0;

/** Runs a loop until it is compiled; how often it is to be repeated in a round. */
function warm(loop: Loop): number {
	let repeats = 1;
	let spent = time(loop, repeats);
	for (; spent < 20; repeats *= 2) spent = time(loop, 2 * repeats);
	return Math.max(1, Math.round((repeats * short) / spent));
}

/** Milliseconds of so many repeats. */
function time(loop: Loop, repeats: number): number {
	const elapsed = stopwatch();
	for (let i = 0; i < repeats; i++) sink += loop();
	return elapsed();
}
