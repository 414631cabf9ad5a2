/**
 * A line of any length as a path of at most four points a pixel column: the first, the lowest, the highest and the last
 * that fall into it. It looks the same as the whole line, and 10^5 samples stay small.
 */
import { px } from "./markup.ts";

/** Indices of `y` to draw, in order; `column[i]` must not fall. A NaN stays, as the break that it is. */
export function decimate(
	n: number,
	column: (i: number) => number,
	y: ArrayLike<number>,
	nColumns: number,
): Int32Array {
	if (n <= 2 * nColumns) return Int32Array.from({ length: n }, (_, i) => i);
	const keep: number[] = [];
	let i = 0;
	while (i < n) {
		const current = Math.floor(column(i));
		let lowest = i;
		let highest = i;
		let hole = -1;
		let end = i;
		for (; end < n && Math.floor(column(end)) === current; end++) {
			if (!(y[end] >= y[lowest])) {
				if (Number.isNaN(y[end])) hole = end;
				else lowest = end;
			}
			if (!(y[end] <= y[highest]) && !Number.isNaN(y[end])) highest = end;
		}
		if (end === i) {
			// A column that is NaN has no place.
			i++;
			continue;
		}
		const chosen = [i, lowest, highest, end - 1];
		if (hole >= 0) chosen.push(hole);
		chosen.sort((a, b) => a - b);
		for (const index of chosen) if (keep.at(-1) !== index) keep.push(index);
		i = end;
	}
	return Int32Array.from(keep);
}

type Position = (value: number) => number;

/** Path of a line; it breaks where a value is not finite. */
export function linePath(
	x: ArrayLike<number>,
	y: ArrayLike<number>,
	xAt: Position,
	yAt: Position,
	nColumns: number,
): string {
	let path = "";
	let pen = "M";
	for (const i of decimate(Math.min(x.length, y.length), (k) => xAt(x[k]), y, nColumns)) {
		if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) {
			pen = "M";
			continue;
		}
		path += `${pen}${px(xAt(x[i]))} ${px(yAt(y[i]))}`;
		pen = "L";
	}
	return path;
}

/** Path of dots (a stroke of no length with round ends); dots that fall on one another are drawn once. */
export function pointsPath(x: ArrayLike<number>, y: ArrayLike<number>, xAt: Position, yAt: Position): string {
	let path = "";
	const seen = new Set<number>();
	const n = Math.min(x.length, y.length);
	// Many points: cells of one pixel; few: of a tenth, so that nothing moves.
	const cell = n > 2000 ? 1 : 10;
	for (let i = 0; i < n; i++) {
		if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
		const column = Math.round(xAt(x[i]) * cell);
		const row = Math.round(yAt(y[i]) * cell);
		const key = column * 1e6 + row;
		if (seen.has(key)) continue;
		seen.add(key);
		path += `M${px(column / cell)} ${px(row / cell)}h0`;
	}
	return path;
}

/** Path of the area between two lines, broken where either is NaN; infinite ends are cut at the edge of the plot. */
export function bandPath(
	x: ArrayLike<number>,
	lo: ArrayLike<number>,
	hi: ArrayLike<number>,
	xAt: Position,
	yAt: Position,
	nColumns: number,
): string {
	const n = Math.min(x.length, lo.length, hi.length);
	const column = (k: number): number => xAt(x[k]);
	const indices = new Set<number>([
		...decimate(n, column, lo, nColumns),
		...decimate(n, column, hi, nColumns),
	]);
	let path = "";
	let run: number[] = [];
	const close = (): void => {
		if (run.length > 0) {
			const top = run.map((i) => `${px(xAt(x[i]))} ${px(yAt(hi[i]))}`);
			const bottom = run.reverse().map((i) => `${px(xAt(x[i]))} ${px(yAt(lo[i]))}`);
			path += `M${top.join("L")}L${bottom.join("L")}Z`;
		}
		run = [];
	};
	for (const i of [...indices].sort((a, b) => a - b)) {
		if (Number.isNaN(lo[i]) || Number.isNaN(hi[i]) || !Number.isFinite(x[i])) close();
		else run.push(i);
	}
	close();
	return path;
}
