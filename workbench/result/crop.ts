/** A figure between two values of x: the same marks, fewer samples. */
import type { Figure, Mark } from "../../src/methods/index.ts";

/** Figures along an axis that can be looked at closer; bars, boxes and words cannot. */
export function canZoom({ marks }: Figure): boolean {
	const lines = marks.filter(({ type }) => type === "line" || type === "band" || type === "points");
	return (
		lines.length > 0 &&
		marks.every(({ type }) => type !== "bars" && type !== "boxes" && type !== "words") &&
		lines.every(isSorted)
	);
}

function isSorted(mark: Mark): boolean {
	if (!("x" in mark)) return true;
	for (let i = 1; i < mark.x.length; i++) if (mark.x[i] < mark.x[i - 1]) return false;
	return true;
}

export function crop(figure: Figure, lo: number, hi: number): Figure {
	const marks = figure.marks.flatMap((mark): Mark[] => {
		if (mark.type === "rule") return mark.axis === "x" && !(mark.at >= lo && mark.at <= hi) ? [] : [mark];
		if (mark.type === "boxes" || mark.type === "bars" || mark.type === "words") return [mark];
		// One sample beyond each end, so that lines go on to the edge.
		let from = 0;
		while (from < mark.x.length && mark.x[from] < lo) from++;
		let to = from;
		while (to < mark.x.length && mark.x[to] <= hi) to++;
		const beyond = mark.type === "points" ? 0 : 1;
		const cut = (values: ArrayLike<number>): number[] =>
			Array.prototype.slice.call(values, Math.max(0, from - beyond), to + beyond) as number[];
		if (mark.type === "band") return [{ ...mark, x: cut(mark.x), lo: cut(mark.lo), hi: cut(mark.hi) }];
		return [{ ...mark, x: cut(mark.x), y: cut(mark.y) }];
	});
	return { ...figure, marks };
}
