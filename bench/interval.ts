/**
 * Interval arithmetic: ns per operation, and the ratio to a plain float sum on the same numbers. Loops over
 * arrays that fit the cache are repeated; the least time is what the work costs, the median what it took
 * beside all else that ran.
 */
import * as intervals from "../src/interval/index.ts";

const n = 1024;
const rounds = 21;

type Loop = () => number;

export async function bench(): Promise<void> {
	const a = numbers(1);
	const b = numbers(2);
	const out = new Float64Array(2 * n);
	console.log("operation          least ns  median ns  to a float sum");
	const floats = Float64Array.from({ length: n }, (_, i) => a[2 * i]);
	show("float +", floatSum(floats));
	show("add, inlined", additions(out, a, b));
	show("mul, inlined", products(out, a, b));
	show("sum of products", convolution(out, a, b));
	show("div", divisions(out, a, b));
	show("add, objects", objects(a, b));
	for (const [name, into] of Object.entries(functions)) show(name, calls(out, a, into));
	show("pow", powers(out, a, b));
}

const functions = {
	sqr: intervals.sqrInto,
	sqrt: intervals.sqrtInto,
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

function objects(a: Float64Array, b: Float64Array): Loop {
	const left = Array.from({ length: n }, (_, i) => intervals.boxSide(a, i));
	const right = Array.from({ length: n }, (_, i) => intervals.boxSide(b, i));
	return () => {
		let sum = 0;
		for (let i = 0; i < n; i++) sum += intervals.add(left[i], right[i]).lo;
		return sum;
	};
}

function calls(out: Float64Array, a: Float64Array, into: typeof intervals.sqrInto): Loop {
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
/** ns of a float sum, which is shown first. */
let unit = 0;

function show(name: string, loop: Loop): void {
	let repeats = 1;
	// Warm, and long enough for the clock.
	for (let spent = 0; spent < 20; repeats *= 2) spent = time(loop, repeats);
	const times = Array.from({ length: rounds }, () => (time(loop, repeats) * 1e6) / (repeats * n));
	times.sort((x, y) => x - y);
	const [least, median] = [times[0], times[(rounds - 1) / 2]];
	unit ||= least;
	const columns = [least, median, least / unit].map((x) => x.toFixed(1));
	console.log(
		`${name.padEnd(18)} ${columns[0].padStart(8)} ${columns[1].padStart(10)} ${columns[2].padStart(15)}`,
	);
	if (Number.isNaN(sink)) throw new Error("the results are no numbers");
}

function time(loop: Loop, repeats: number): number {
	const start = performance.now();
	for (let i = 0; i < repeats; i++) sink += loop();
	return performance.now() - start;
}
