/**
 * The checker's integration: Lohner's method. States are m + C·(u - centre) + Q·r, linear in the unknowns u, with a rest in turned coordinates. A step adds the Taylor polynomial of the middle,
 * its derivative over the whole box times what is around the middle, and the next coefficient over a box that Picard's iteration shows to hold the states all the while.
 */
import {
	add,
	around,
	type Bounds,
	both,
	divide,
	holds,
	isNumber,
	middle,
	multiply,
	point,
	size,
	subtract,
	unit,
} from "./bounds.ts";
import type { Equations } from "./equations.ts";
import { applied, differences, directions, Inverse, inBounds, middles, product, sums } from "./linear.ts";
import { Series } from "./series.ts";

const degree = 8;
/** Largest last term of a step beside its state. */
const tolerance = 1e-9;
const mostSteps = 1000;
const mostTries = 80;

/** What is the same all the while: the unknowns, of which parameters come first, and what else is known. */
export interface Frame {
	readonly centre: readonly number[];
	readonly around: readonly Bounds[];
	readonly params: readonly Bounds[];
	readonly constants: readonly Bounds[];
}

export interface Place {
	readonly t: number;
	readonly m: readonly number[];
	/** By the unknowns. */
	readonly C: readonly (readonly number[])[];
	readonly Q: readonly (readonly number[])[];
	readonly r: readonly Bounds[];
	/** All of it. */
	readonly box: readonly Bounds[];
}

/** The box of states that are so. */
export function boxOf({ m, C, Q, r }: Omit<Place, "box" | "t">, frame: Frame): Bounds[] {
	return sums(m.map(point), sums(applied(inBounds(C), frame.around), applied(inBounds(Q), r)));
}

export class Course {
	#h: number;
	#steps = 0;

	constructor(
		readonly equations: Equations,
		readonly frame: Frame,
		span: number,
	) {
		this.#h = span / 16;
	}

	/** On to a later time; undefined where that cannot be shown. */
	to(place: Place, end: number): Place | undefined {
		let now: Place | undefined = place;
		while (now && now.t < end) now = this.#steps++ < mostSteps ? this.#step(now, end) : undefined;
		return now;
	}

	/** The states at any time of a short while, which begins where a place is or is about it: what they move by joins the rest. */
	within(place: Place, { lo, hi }: Bounds): Place | undefined {
		if (lo === hi) return place;
		const span = { lo: 0, hi: subtract(point(hi), point(lo)).hi };
		const held = this.#held(place.box, { lo, hi }, span);
		if (!held) return undefined;
		const moves = this.#rates(held, { lo, hi }).map((rate) => multiply(span, rate));
		const r = sums(place.r, new Inverse(place.Q).times(moves));
		return { ...place, t: hi, r, box: held };
	}

	#step(place: Place, end: number): Place | undefined {
		const { equations, frame } = this;
		const n = equations.nStates;
		const all = this.#series(place.box, frame.params, point(place.t), true);
		const mid = this.#series(
			place.m.map(point),
			frame.params.map((_, k) => point(frame.centre[k])),
			point(place.t),
			false,
		);
		for (let tries = 0; tries < mostTries; tries++) {
			const t = Math.min(place.t + this.#h, end);
			if (!(t > place.t)) return undefined;
			const h = subtract(point(t), point(place.t));
			const while_ = { lo: place.t, hi: t };
			const held = this.#held(place.box, while_, { lo: 0, hi: h.hi });
			const last = held && this.#series(held, frame.params, while_, false);
			let power = unit;
			for (let k = 0; k <= degree; k++) power = multiply(power, h);
			const rest = last && equations.states.map((i) => multiply(last[i][degree + 1], power));
			if (!held || !rest?.every((each, i) => each.hi - each.lo <= tolerance * size(held[i]))) {
				this.#h = (t - place.t) * 0.6;
				continue;
			}
			this.#h = Math.max(this.#h, t - place.t) * 1.25;
			const value = (coefficients: readonly Bounds[]): Bounds => {
				let sum = coefficients[degree];
				for (let k = degree - 1; k >= 0; k--) sum = add(multiply(sum, h), coefficients[k]);
				return sum;
			};
			const reached = sums(
				equations.states.map((i) => value(mid[i])),
				rest,
			);
			const plain = sums(
				equations.states.map((i) => value(all[i])),
				rest,
			);
			const slope = (i: number, j: number): Bounds => value(all[equations.slope(i, j)]);
			const byStates = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => slope(i, j)));
			const m = reached.map(middle);
			const byUnknowns = product(byStates, inBounds(place.C)).map((row, i) =>
				row.map((each, u) => (u < equations.nParams ? add(each, slope(i, n + u)) : each)),
			);
			const C = middles(byUnknowns);
			const rests = product(byStates, inBounds(place.Q));
			const Q = directions(
				middles(rests),
				place.r.map((each) => size(each)),
			);
			const inverse = new Inverse(Q);
			const turned = Array.from({ length: n }, (_, j) => inverse.times(rests.map((row) => row[j])));
			const error = sums(
				reached.map((each, i) => subtract(each, point(m[i]))),
				applied(differences(byUnknowns, C), frame.around),
			);
			const r = sums(
				applied(
					turned.map((_, i) => turned.map((column) => column[i])),
					place.r,
				),
				inverse.times(error),
			);
			const box = boxOf({ m, C, Q, r }, frame).map((each, i) => both(both(each, plain[i]), held[i]));
			if (!box.every((each) => isNumber(each) && each.lo <= each.hi)) return undefined;
			return { t, m, C, Q, r, box };
		}
		return undefined;
	}

	/** A box that holds the states all the while: X + [0, h]·f(B) is in B. */
	#held(box: readonly Bounds[], t: Bounds, span: Bounds): readonly Bounds[] | undefined {
		let held = box;
		for (let i = 0; i < 8; i++) {
			const next = sums(
				box,
				this.#rates(held, t).map((rate) => multiply(span, rate)),
			);
			if (!next.every(isNumber)) return undefined;
			if (i > 0 && next.every((each, k) => holds(held[k], each))) return next;
			held = next.map((each, k) => {
				const { lo, hi } = around(each, box[k]);
				const more = 0.1 * (hi - lo) + 1e-12 * size(each);
				return { lo: lo - more, hi: hi + more };
			});
		}
		return undefined;
	}

	#rates(box: readonly Bounds[], t: Bounds): Bounds[] {
		const series = new Series(this.equations.tape, this.equations.nPlain);
		const given = this.#given(box, this.frame.params, t);
		series.extend(0, (symbol) => given[symbol]);
		return this.equations.rates.map((line) => series.at(line, 0));
	}

	/** All symbols but derivatives. */
	#given(box: readonly Bounds[], params: readonly Bounds[], t: Bounds): Bounds[] {
		return [...box, ...params, ...this.frame.constants, t];
	}

	/** Coefficients of all symbols, up to one more than the degree; of derivatives, too, where they are asked for. */
	#series(box: readonly Bounds[], params: readonly Bounds[], t: Bounds, slopes: boolean): Bounds[][] {
		const { tape, nPlain, nSymbols, nStates, nParams, rates, slopeRates } = this.equations;
		const series = new Series(tape, slopes ? tape.lines.length : nPlain);
		const nothing = point(0);
		const symbols: Bounds[][] = this.#given(box, params, t).map((each) => [each]);
		for (let i = 0; slopes && i < nStates; i++)
			for (let j = 0; j < nStates + nParams; j++) symbols.push([i === j ? unit : nothing]);
		for (let k = 0; k <= degree; k++) {
			series.extend(k, (symbol) => symbols[symbol][k]);
			symbols.forEach((own, symbol) => {
				const rate =
					symbol < nStates ? rates[symbol] : symbol < nSymbols ? undefined : slopeRates[symbol - nSymbols];
				if (rate !== undefined) own.push(divide(series.at(rate, k), point(k + 1)));
				else own.push(k === 0 && symbol === nSymbols - 1 ? unit : nothing);
			});
		}
		return symbols;
	}
}
