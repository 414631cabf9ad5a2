/** Lines of equal height of a function on a grid (marching squares), and the areas above them. */

export interface Contour {
	readonly level: number;
	/** Lines, with NaN between two of them; the last one is that which reaches farthest to the right, and ends there. */
	readonly x: Float64Array;
	readonly y: Float64Array;
	/** Where the function is larger: strips of columns, with NaN between two of them. */
	readonly above: { readonly x: Float64Array; readonly lo: Float64Array; readonly hi: Float64Array };
}

/** Columns of strips for each column of the grid. */
const between = 4;

type Point = readonly [number, number];

/** `values[j * xs.length + i]` belongs to (xs[i], ys[j]). */
export function contours(
	xs: Float64Array,
	ys: Float64Array,
	values: Float64Array,
	levels: readonly number[],
): Contour[] {
	return levels.map((level) => {
		const lines = joined(pieces(xs, ys, values, level)).sort(
			(a, b) => a[a.length - 1][0] - b[b.length - 1][0],
		);
		const points = lines.flatMap((line, i) => (i > 0 ? [[Number.NaN, Number.NaN] as const, ...line] : line));
		return {
			level,
			x: Float64Array.from(points, ([x]) => x),
			y: Float64Array.from(points, ([, y]) => y),
			above: strips(xs, ys, values, level),
		};
	});
}

/** The short lines across each cell. */
function pieces(xs: Float64Array, ys: Float64Array, values: Float64Array, level: number): [Point, Point][] {
	const n = xs.length;
	const found: [Point, Point][] = [];
	for (let j = 0; j + 1 < ys.length; j++)
		for (let i = 0; i + 1 < n; i++) {
			// Corners around the cell, and where the level crosses its sides (always from the same end of a side).
			const sides = [
				[i, j, i + 1, j],
				[i + 1, j, i + 1, j + 1],
				[i, j + 1, i + 1, j + 1],
				[i, j, i, j + 1],
			];
			const crossings: Point[] = [];
			for (const [ai, aj, bi, bj] of sides) {
				const a = values[aj * n + ai] - level;
				const b = values[bj * n + bi] - level;
				if (a < 0 === b < 0) continue;
				const share = a / (a - b);
				crossings.push([xs[ai] + share * (xs[bi] - xs[ai]), ys[aj] + share * (ys[bj] - ys[aj])]);
			}
			for (let k = 0; k + 1 < crossings.length; k += 2) found.push([crossings[k], crossings[k + 1]]);
		}
	return found;
}

/** Pieces that meet, joined into lines; an open line ends at its right end. */
function joined(all: readonly [Point, Point][]): Point[][] {
	const key = ([x, y]: Point): string => `${x} ${y}`;
	const at = new Map<string, number[]>();
	all.forEach((piece, i) => {
		for (const point of piece) at.set(key(point), [...(at.get(key(point)) ?? []), i]);
	});
	const used = new Array<boolean>(all.length).fill(false);
	const follow = (from: Point): Point[] => {
		const line: Point[] = [];
		for (let point = from; ; ) {
			const next = at.get(key(point))!.find((i) => !used[i]);
			if (next === undefined) return line;
			used[next] = true;
			point = key(all[next][0]) === key(point) ? all[next][1] : all[next][0];
			line.push(point);
		}
	};
	return all.flatMap(([a, b], i) => {
		if (used[i]) return [];
		used[i] = true;
		const line = [...follow(a).reverse(), a, b, ...follow(b)];
		return [line[0][0] > line[line.length - 1][0] ? line.reverse() : line];
	});
}

interface Strip {
	readonly x: number[];
	readonly lo: number[];
	readonly hi: number[];
}

function add(strip: Strip, x: number, lo: number, hi: number): void {
	strip.x.push(x);
	strip.lo.push(lo);
	strip.hi.push(hi);
}

function last({ x, lo, hi }: Strip): { x: number; lo: number; hi: number } {
	const end = x.length - 1;
	return { x: x[end], lo: lo[end], hi: hi[end] };
}

/** Column by column the intervals in which the function is larger than the level, joined with those next to them. */
function strips(xs: Float64Array, ys: Float64Array, values: Float64Array, level: number): Contour["above"] {
	const n = xs.length;
	const all: Strip[] = [];
	let open: Strip[] = [];
	// Between columns of the grid too, so that a strip starts and ends where its line does.
	for (let c = 0; c <= (n - 1) * between; c++) {
		const i = Math.min(Math.floor(c / between), n - 2);
		const share = c / between - i;
		const x = (1 - share) * xs[i] + share * xs[i + 1];
		const value = (j: number): number =>
			(1 - share) * values[j * n + i] + share * values[j * n + i + 1] - level;
		const ends = open.map((strip) => ({ strip, ...last(strip), taken: false }));
		const now = intervals(ys, value);
		open = now.map(([lo, hi]) => {
			const near = ends.filter((end) => end.lo <= hi && end.hi >= lo);
			const free = near.find(({ taken }) => !taken);
			const strip: Strip = free?.strip ?? { x: [], lo: [], hi: [] };
			if (free) free.taken = true;
			else {
				all.push(strip);
				// An area that parts in two: the other part starts where they were one.
				for (const end of near.slice(0, 1)) add(strip, end.x, Math.max(lo, end.lo), Math.min(hi, end.hi));
			}
			add(strip, x, lo, hi);
			return strip;
		});
		// Two that become one: the other ends inside it.
		for (const { strip, taken, lo, hi } of ends) {
			const into = taken ? undefined : now.find(([from, to]) => from <= hi && to >= lo);
			if (into) add(strip, x, Math.max(lo, into[0]), Math.min(hi, into[1]));
		}
	}
	const column = (of: "x" | "lo" | "hi"): Float64Array =>
		Float64Array.from(all.flatMap((strip) => [...strip[of], Number.NaN]));
	return { x: column("x"), lo: column("lo"), hi: column("hi") };
}

/** Where a function on a line is positive. */
function intervals(ys: Float64Array, value: (j: number) => number): [number, number][] {
	const found: [number, number][] = [];
	let start = value(0) >= 0 ? ys[0] : Number.NaN;
	for (let j = 1; j < ys.length; j++) {
		const a = value(j - 1);
		const b = value(j);
		if (a < 0 === b < 0) continue;
		const crossing = ys[j - 1] + (a / (a - b)) * (ys[j] - ys[j - 1]);
		if (b >= 0) start = crossing;
		else {
			found.push([start, crossing]);
			start = Number.NaN;
		}
	}
	if (!Number.isNaN(start)) found.push([start, ys[ys.length - 1]]);
	return found;
}

/** About `count` round levels between the smallest and the largest value. */
export function roundLevels(values: Float64Array, count: number): number[] {
	let lo = Number.POSITIVE_INFINITY;
	let hi = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		lo = Math.min(lo, value);
		hi = Math.max(hi, value);
	}
	if (!(hi > lo)) return [];
	const raw = (hi - lo) / count;
	let unit = 1;
	while (unit > raw) unit /= 10;
	while (unit * 10 <= raw) unit *= 10;
	const step =
		raw / unit < 1.5 ? unit : raw / unit < 3.5 ? 2 * unit : raw / unit < 7.5 ? 5 * unit : 10 * unit;
	const first = Math.ceil(lo / step);
	const levels: number[] = [];
	for (let k = first; k * step <= hi; k++) levels.push(Number((k * step).toPrecision(12)));
	return levels;
}
