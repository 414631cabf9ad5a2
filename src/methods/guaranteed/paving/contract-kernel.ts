/**
 * The linear contractor of `ConstraintReader.contract` as a kernel, a box a lane: each box is narrowed by all constraints in turn, and found outside, inside or neither, then with the side to cut it across. The operations are those of the reader, in the
 * same order, so that both come to the same bits; polynomials are unrolled, and lanes that are outside already go on without a purpose.
 */
import type { Monomials } from "../../../interval/taylor/monomials.ts";
import { raises, shiftError } from "../../../interval/taylor/polynomial-shift.ts";
import { KernelBuilder, type Value, type Variable } from "../../../lower/builder.ts";
import type { Kernel } from "../../../lower/ir.ts";
import type { Constraint } from "../constraint/constraint.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;

const outside = 0;
export const inside = 1;
/** Neither, and small. */
export const edge = 2;
/** Neither, to be cut across side k: k more than this. */
export const cut = 3;

/** Constraints of the same unknowns. */
export interface ConstraintGroup {
	readonly table: Monomials;
	readonly constraints: readonly Constraint[];
}

export interface ContractKernel {
	readonly kernel: Kernel;
	/** All constraints in numbers. */
	readonly rules: Float64Array;
	readonly scalars: Readonly<Record<string, number>>;
}

/** The kernel for boxes of n unknowns that are small where side k is at most `small[k]`, and the constraints in numbers. Lane buffers: `box`, lo and hi of each unknown in turn, and `verdict`. */
export function contractKernel(small: Float64Array, groups: readonly ConstraintGroup[]): ContractKernel {
	const n = small.length;
	const scalars: Record<string, number> = {};
	small.forEach((size, k) => {
		scalars[`small${k}`] = size;
	});
	const numbers: number[] = [];
	groups.forEach(({ table, constraints }, g) => {
		scalars[`from${g}`] = numbers.length;
		scalars[`count${g}`] = constraints.length;
		for (const constraint of constraints) numbers.push(...numbersOf(constraint, table));
	});
	const key = [
		n,
		...groups.map(({ table, constraints }) => [table.order, ...constraints[0].variables].join()),
	];
	const name = key.join(";");
	const kernel = made.get(name) ?? build(n, groups);
	made.set(name, kernel);
	return { kernel, rules: Float64Array.from(numbers), scalars };
}

/** Kernels by their unknowns and degrees: places know them by what they are. */
const made = new Map<string, Kernel>();

function build(n: number, groups: readonly ConstraintGroup[]): Kernel {
	const b = new KernelBuilder();
	const box = b.buffer("box", "lane", "update");
	const verdict = b.buffer("verdict", "lane", "write");
	const rules = b.buffer("rules", "uniform");
	const ends = Array.from({ length: 2 * n }, (_, i) => b.variable("lane", b.load(box, i)));
	const zero = b.constant(0);
	const isOut = b.variable("lane", zero);
	const isOpen = b.variable("lane", zero);
	groups.forEach(({ table, constraints }, g) => {
		const own = Array.from(constraints[0].variables, (k) => [ends[2 * k], ends[2 * k + 1]] as const);
		const from = b.scalar(`from${g}`, "int");
		const count = b.scalar(`count${g}`, "int");
		const stride = b.int(strideOf(table));
		b.loop(b.int(0), count, (i) => {
			const start = b.intAdd(from, b.intMul(i, stride));
			const read = (at: number): Value => b.load(rules, b.intAdd(start, b.int(at)));
			new Contraction(b, table, read, own, isOut, isOpen).build();
		});
	});
	ends.forEach((end, i) => {
		b.store(box, i, b.get(end));
	});
	const open = b.select(b.lt(zero, b.get(isOpen)), sideToCut(b, ends), b.constant(inside));
	b.store(verdict, 0, b.select(b.lt(zero, b.get(isOut)), b.constant(outside), open));
	return { ...b.kernel("contract-boxes"), exact: true };
}

/** Across the longest side, in units of what is small, if it is longer than that and there is a double between its ends. */
function sideToCut(b: KernelBuilder, ends: readonly Variable[]): Value {
	let most: Value = b.constant(1);
	let found: Value = b.constant(edge);
	const two = b.constant(2);
	for (let k = 0; 2 * k < ends.length; k++) {
		const [lo, hi] = [b.get(ends[2 * k]), b.get(ends[2 * k + 1])];
		const size = b.div(b.sub(hi, lo), b.scalar(`small${k}`, "real"));
		const isLonger = b.lt(most, size);
		const middle = b.add(b.div(lo, two), b.div(hi, two));
		const isBetween = b.and(b.lt(lo, middle), b.lt(middle, hi));
		const here = b.select(isBetween, b.constant(cut + k), b.constant(edge));
		found = b.select(isLonger, here, found);
		most = b.select(isLonger, size, most);
	}
	return found;
}

/** lo, hi, innerLo, innerHi, the range, the error; then centres, scales and coefficients. */
const head = 7;
const strideOf = ({ nVars, length }: Monomials): number => head + 2 * nVars + length;

function numbersOf(constraint: Constraint, table: Monomials): number[] {
	const { lo, hi, innerLo, innerHi, range, radius, centre, scale, coefficients } = constraint;
	const [least, most] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
	const error = (shiftError(coefficients, table) + radius) * UP;
	// What is divided by an infinite scale is 0: an unknown of which nothing depends.
	const scales = Array.from(scale, (each) => (each === 0 ? Number.POSITIVE_INFINITY : each));
	return [lo, hi, innerLo, innerHi, least, most, error, ...centre, ...scales, ...coefficients];
}

/** What one constraint does to a box. */
class Contraction {
	constructor(
		readonly b: KernelBuilder,
		readonly table: Monomials,
		readonly read: (at: number) => Value,
		readonly ends: readonly (readonly [Variable, Variable])[],
		readonly isOut: Variable,
		readonly isOpen: Variable,
	) {}

	build(): void {
		const { b, read } = this;
		const { nVars, length } = this.table;
		const [zero, one] = [b.constant(0), b.constant(1)];
		const [barLo, barHi, innerLo, innerHi, least, most, error] = Array.from({ length: head }, (_, i) =>
			read(i),
		);
		const sides = this.ends.map(([lo, hi]) => this.#side(b.get(lo), b.get(hi)));
		const c = this.#shifted(sides);
		const [restLo, restHi] = this.#nonlinear(c);
		let linear: Value = zero;
		if (length > 1) for (let v = 0; v < nVars; v++) linear = b.add(linear, b.abs(c[1 + v]));
		const up = b.constant(UP);
		const spread = b.mul(b.add(linear, error), up);
		const slack = b.mul(b.constant(8 * U), b.add(b.sub(b.add(b.abs(c[0]), linear), restLo), restHi));
		const lo = b.max(b.sub(b.sub(b.add(c[0], restLo), spread), slack), least);
		const hi = b.min(b.add(b.add(b.add(c[0], restHi), spread), slack), most);
		this.#mark(this.isOut, b.or(b.lt(hi, barLo), b.lt(barHi, lo)));
		const open = b.not(b.and(b.le(innerLo, lo), b.le(hi, innerHi)));
		this.#mark(this.isOpen, open);
		if (length === 1) return;
		const size = [restLo, restHi, b.abs(barLo), b.abs(barHi)].reduce(
			(sum, each, i) => (i === 0 ? b.sub(sum, each) : b.add(sum, each)),
			b.add(b.abs(c[0]), linear),
		);
		const loose = b.add(b.mul(error, up), b.mul(b.constant(16 * U), size));
		const below = b.sub(b.sub(b.sub(barLo, c[0]), restHi), loose);
		const above = b.add(b.sub(b.sub(barHi, c[0]), restLo), loose);
		for (let v = 0; v < nVars; v++) {
			const slope = c[1 + v];
			const own = b.abs(slope);
			const { middle, half } = sides[v];
			const isUsed = b.and(open, b.and(b.lt(b.mul(b.constant(1e-14), size), own), b.not(b.eq(half, zero))));
			const others = b.mul(b.add(b.sub(linear, own), b.mul(b.constant(4 * nVars * U), linear)), up);
			const from = b.div(b.sub(below, others), own);
			const to = b.div(b.add(above, others), own);
			const zLo = b.sub(from, b.mul(b.mul(b.abs(from), b.constant(4)), b.constant(U)));
			const zHi = b.add(to, b.mul(b.mul(b.abs(to), b.constant(4)), b.constant(U)));
			const isEmpty = b.or(b.lt(one, zLo), b.lt(zHi, b.constant(-1)));
			const rises = b.lt(zero, slope);
			const atLeast = b.select(rises, zLo, b.neg(zHi));
			const atMost = b.select(rises, zHi, b.neg(zLo));
			const wide = b.mul(b.mul(b.add(b.abs(middle), half), b.constant(8)), b.constant(U));
			const [loEnd, hiEnd] = this.ends[v];
			const [oldLo, oldHi] = [b.get(loEnd), b.get(hiEnd)];
			const newLo = b.max(oldLo, b.sub(b.add(middle, b.mul(half, atLeast)), wide));
			const newHi = b.min(oldHi, b.add(b.add(middle, b.mul(half, atMost)), wide));
			const setLo = b.select(b.and(isUsed, b.lt(b.constant(-1), atLeast)), newLo, oldLo);
			const setHi = b.select(b.and(isUsed, b.lt(atMost, one)), newHi, oldHi);
			b.set(loEnd, setLo);
			b.set(hiEnd, setHi);
			this.#mark(this.isOut, b.and(isUsed, b.or(isEmpty, b.not(b.le(setLo, setHi)))));
		}
	}

	#mark(variable: Variable, when: Value): void {
		const { b } = this;
		b.set(variable, b.select(when, b.constant(1), b.get(variable)));
	}

	#side(lo: Value, hi: Value): { readonly middle: Value; readonly half: Value } {
		const { b } = this;
		const isPoint = b.eq(lo, hi);
		const two = b.constant(2);
		const middle = b.select(isPoint, lo, b.add(b.div(lo, two), b.div(hi, two)));
		const half = b.mul(b.max(b.sub(hi, middle), b.sub(middle, lo)), b.constant(1 + 4 * U));
		return { middle, half: b.select(isPoint, b.constant(0), half) };
	}

	/** The coefficients of the polynomial centred on the box and scaled to it. */
	#shifted(sides: readonly { readonly middle: Value; readonly half: Value }[]): Value[] {
		const { b, read, table } = this;
		const { nVars, order, length } = table;
		const c = Array.from({ length }, (_, m) => read(head + 2 * nVars + m));
		const pairs = raises(table);
		for (let v = 0; v < nVars; v++) {
			const scale = read(head + nVars + v);
			const { middle, half } = sides[v];
			const shift = b.div(b.sub(middle, read(head + v)), scale);
			const factor = b.div(half, scale);
			const list = pairs[v];
			for (let i = 0; i < order; i++)
				for (let k = 0; k < list.length; k += 3)
					if (list[k + 2] >= i) c[list[k]] = b.add(c[list[k]], b.mul(shift, c[list[k + 1]]));
			for (let m = 0; m < length; m++)
				for (let i = 0; i < table.exponent(m, v); i++) c[m] = b.mul(c[m], factor);
		}
		return c;
	}

	/** Bounds of what is neither constant nor linear. */
	#nonlinear(c: readonly Value[]): [Value, Value] {
		const { b, table } = this;
		const zero = b.constant(0);
		let [lo, hi]: [Value, Value] = [zero, zero];
		for (let m = table.nVars + 1; m < table.length; m++)
			if (table.even[m] === 1) {
				const rises = b.lt(zero, c[m]);
				hi = b.add(hi, b.select(rises, c[m], zero));
				lo = b.add(lo, b.select(rises, zero, c[m]));
			} else {
				const size = b.abs(c[m]);
				hi = b.add(hi, size);
				lo = b.sub(lo, size);
			}
		const up = b.constant(UP);
		return [b.mul(lo, up), b.mul(hi, up)];
	}
}
