/**
 * A tube: bounds of all states at all times of a stretch. Between rows it is a list of pieces, each of which bounds the states for as long as it lasts; at a row it is known closer. What is said of a tube holds of every
 * course in it, rounding included.
 */
import { InputError } from "../../../errors.ts";
import type { Interval } from "../../../interval/interval.ts";

export interface TubePiece {
	readonly from: number;
	readonly to: number;
	/** lo and hi of each state in turn. */
	readonly bounds: Float64Array;
}

/** Bounds of each state by its name. */
export type StateBounds = Readonly<Record<string, Interval>>;

/** Ends of pieces are rounded: so near to one, both are asked. */
const slack = 2 ** -50;

export class Tube {
	readonly from: number;
	readonly to: number;

	constructor(
		readonly states: readonly string[],
		/** In order, each from where the last one ends. */
		readonly pieces: readonly TubePiece[],
		/** Closer bounds at single instants: pieces without a length. */
		readonly points: readonly TubePiece[] = [],
	) {
		if (pieces.length === 0) throw new InputError("tube", "has no piece", "Give a time after the first one.");
		this.from = pieces[0].from;
		this.to = pieces[pieces.length - 1].to;
	}

	/** Bounds of all states at an instant. */
	at(t: number): StateBounds {
		this.#refuse(t);
		return this.#named(this.#boundsAt(t));
	}

	/** Bounds of all states from one instant to another. */
	over(from: number, to: number): StateBounds {
		this.#refuse(from);
		this.#refuse(to);
		const near = slack * Math.max(Math.abs(from), Math.abs(to));
		return this.#named(hullOfPieces(this.#between(from - near, to + near)));
	}

	/** Whether these values can be those of a course at an instant; those that are not given can be anything. */
	contains(t: number, values: Readonly<Record<string, number>>): boolean {
		const bounds = this.at(t);
		return Object.entries(values).every(([name, value]) => {
			const own = bounds[name];
			if (!own) throw this.#unknown(name);
			return own.lo <= value && value <= own.hi;
		});
	}

	/** Whether every course of another tube is in this one, as far as both reach. */
	encloses(other: Tube): boolean {
		const pieces = this.#together(other);
		const [first, last] = [pieces[0].from, pieces[pieces.length - 1].to];
		return (
			pieces.every(({ own, its }) => isAround(own, its)) &&
			// At a row this tube is narrower than its pieces.
			this.points.every(
				({ from, bounds }) => from < first || from > last || isAround(bounds, other.#boundsAt(from)),
			)
		);
	}

	/** The courses that are in both, as far as both reach; undefined where at some time there is none. */
	intersect(other: Tube): Tube | undefined {
		const pieces: TubePiece[] = [];
		for (const { from, to, own, its } of this.#together(other)) {
			const bounds = own.slice();
			if (!narrow(bounds, its)) return undefined;
			pieces.push({ from, to, bounds });
		}
		const [first, last] = [pieces[0].from, pieces[pieces.length - 1].to];
		const points = [...this.points, ...other.points].filter(({ from }) => from >= first && from <= last);
		// At a row of either a tube is narrower than its pieces.
		if (points.some(({ from }) => !narrow(this.#boundsAt(from), other.#boundsAt(from)))) return undefined;
		return new Tube(this.states, pieces, points);
	}

	/** The least tube around both, as far as both reach. */
	hull(other: Tube): Tube {
		const pieces = this.#together(other).map(({ from, to, own, its }) => ({
			from,
			to,
			bounds: own.map((end, i) => (i % 2 === 0 ? Math.min(end, its[i]) : Math.max(end, its[i]))),
		}));
		return new Tube(this.states, pieces);
	}

	/** For plots: both ends of each piece, and the bounds of one state there. */
	columns(state: string): { readonly t: Float64Array; readonly lo: Float64Array; readonly hi: Float64Array } {
		const i = this.states.indexOf(state);
		if (i < 0) throw this.#unknown(state);
		const of = (value: (piece: TubePiece) => readonly [number, number]): Float64Array =>
			Float64Array.from(this.pieces.flatMap(value));
		return {
			t: of(({ from, to }) => [from, to]),
			lo: of(({ bounds }) => [bounds[2 * i], bounds[2 * i]]),
			hi: of(({ bounds }) => [bounds[2 * i + 1], bounds[2 * i + 1]]),
		};
	}

	/** Bounds of all states at an instant of the tube. */
	#boundsAt(t: number): Float64Array {
		const near = slack * Math.abs(t);
		const bounds = hullOfPieces(this.#between(t - near, t + near));
		for (const point of this.points) if (point.from === t) narrow(bounds, point.bounds);
		return bounds;
	}

	/** Pieces that share a time with [from, to]. */
	#between(from: number, to: number): TubePiece[] {
		let [low, high] = [0, this.pieces.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.pieces[middle].to < from) low = middle + 1;
			else high = middle;
		}
		const found: TubePiece[] = [];
		for (let i = low; i < this.pieces.length && this.pieces[i].from <= to; i++) found.push(this.pieces[i]);
		return found;
	}

	/** Both tubes on the pieces of both, where both are. */
	#together(other: Tube): { from: number; to: number; own: Float64Array; its: Float64Array }[] {
		if (other.states.join() !== this.states.join())
			throw new InputError(
				"tube",
				`has the states ${other.states.join(", ")}, not ${this.states.join(", ")}`,
				"Give one of the same states, in the same order.",
			);
		const [from, to] = [Math.max(this.from, other.from), Math.min(this.to, other.to)];
		if (!(from < to))
			throw new InputError(
				"tube",
				"shares no time with this one",
				`Give one between ${this.from} and ${this.to}.`,
			);
		return onPieces([this.pieces, other.pieces], from, to).map((piece) => ({
			from: piece.from,
			to: piece.to,
			own: piece.bounds[0],
			its: piece.bounds[1],
		}));
	}

	#named(bounds: Float64Array): StateBounds {
		return Object.fromEntries(
			this.states.map((name, i) => [name, { lo: bounds[2 * i], hi: bounds[2 * i + 1] }]),
		);
	}

	#refuse(t: number): void {
		if (t >= this.from && t <= this.to) return;
		throw new InputError("tube", `does not reach to t = ${t}`, `Ask between ${this.from} and ${this.to}.`);
	}

	#unknown(name: string): InputError {
		return new InputError("tube", `has no state "${name}"`, `It has ${this.states.join(", ")}.`);
	}
}

/** Several lists of pieces cut at the ends of all: the bounds of each list on each stretch. */
export function onPieces(
	lists: readonly (readonly TubePiece[])[],
	from: number,
	to: number,
): { from: number; to: number; bounds: Float64Array[] }[] {
	const inside = (t: number): boolean => t > from && t < to;
	const ends = [
		...new Set([
			from,
			to,
			...lists.flatMap((list) => list.flatMap((piece) => [piece.from, piece.to]).filter(inside)),
		]),
	].sort((a, b) => a - b);
	const at = lists.map(() => 0);
	return ends.slice(1).map((end, k) => {
		const middle = ends[k] / 2 + end / 2;
		const bounds = lists.map((list, i) => {
			while (at[i] < list.length - 1 && list[at[i]].to < middle) at[i]++;
			return list[at[i]].bounds;
		});
		return { from: ends[k], to: end, bounds };
	});
}

export function hullOfPieces(pieces: readonly Pick<TubePiece, "bounds">[]): Float64Array {
	const out = pieces[0].bounds.slice();
	for (const { bounds } of pieces)
		for (let i = 0; i < out.length; i += 2) {
			out[i] = Math.min(out[i], bounds[i]);
			out[i + 1] = Math.max(out[i + 1], bounds[i + 1]);
		}
	return out;
}

/** Whether one set of bounds holds another. */
function isAround(outer: Float64Array, inner: Float64Array): boolean {
	return outer.every((end, i) => (i % 2 === 0 ? end <= inner[i] : end >= inner[i]));
}

/** In place; false where nothing is in both. */
function narrow(bounds: Float64Array, by: Float64Array): boolean {
	let isLeft = true;
	for (let i = 0; i < bounds.length; i += 2) {
		bounds[i] = Math.max(bounds[i], by[i]);
		bounds[i + 1] = Math.min(bounds[i + 1], by[i + 1]);
		isLeft &&= bounds[i] <= bounds[i + 1];
	}
	return isLeft;
}
