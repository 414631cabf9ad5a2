/** The values of a figure at a place along its axis, as the pointer asks for them. */
import type { Figure } from "../../src/methods/index.ts";

export interface FigureReading {
	readonly name: string;
	readonly value: number;
	/** The other end, of a band. */
	readonly to?: number;
}

/** The x of the nearest sample, and every mark's value there. Marks that are not along the axis have none. */
export function readFigure(figure: Figure, x: number): { x: number; readings: FigureReading[] } | undefined {
	let at: number | undefined;
	for (const mark of figure.marks) {
		if (!("x" in mark) || mark.type === "words") continue;
		const near = mark.x[nearest(mark.x, x)];
		if (Number.isFinite(near) && (at === undefined || Math.abs(near - x) < Math.abs(at - x))) at = near;
	}
	if (at === undefined) return undefined;
	const readings = figure.marks.flatMap((mark): FigureReading[] => {
		if (!("x" in mark) || mark.type === "words" || mark.x.length === 0) return [];
		const i = nearest(mark.x, at);
		const name = mark.label ?? (mark.type === "band" ? "band" : figure.yLabel);
		if (mark.type === "band") return [{ name, value: mark.lo[i], to: mark.hi[i] }];
		return [{ name, value: mark.y[i] }];
	});
	return { x: at, readings: readings.filter(({ value }) => Number.isFinite(value)).slice(0, 5) };
}

function nearest(list: ArrayLike<number>, x: number): number {
	let lo = 0;
	let hi = list.length - 1;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (list[middle] < x) lo = middle + 1;
		else hi = middle;
	}
	return lo > 0 && Math.abs(list[lo - 1] - x) < Math.abs(list[lo] - x) ? lo - 1 : lo;
}
