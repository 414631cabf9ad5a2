/** The boxes of two unknowns: at the end the paving, on the way what is left so far. */
import type { Figure, Mark } from "../../../estimate/figure.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { hullOf } from "../paving/sivia.ts";

const mostFigures = 6;
/** Boxes that are drawn one by one on the way; of more of them the cells of a grid that they touch. */
const mostOnTheWay = 1000;
const cells = 48;

/** Pairs of unknowns: boxes proved inside, boxes at the edge, and on the way those that are still to be sorted. */
export function boxFigures(run: GuaranteedRun, most = mostFigures): Figure[] {
	const { paving, unknowns, done } = run;
	if (run.isUnbound || (done && !paving)) return [];
	const figures: Figure[] = [];
	const { inner } = run.innerBoxes;
	const edge = sortedEdge(run);
	const open = run.openBoxes;
	const drawn = (list: readonly Float64Array[], i: number, j: number): readonly Float64Array[] =>
		done || list.length <= mostOnTheWay ? list.map((box) => side(box, i, j)) : touched(list, i, j);
	for (let i = 0; i < unknowns.length; i++)
		for (let j = i + 1; j < unknowns.length && figures.length < most; j++) {
			const boxes = (
				list: readonly Float64Array[],
				role: "accent" | "muted" | "band",
				label: string,
			): Mark => {
				const shown = drawn(list, i, j);
				const end = (k: number): number[] => shown.map((box) => box[k]);
				return { type: "boxes", x0: end(0), x1: end(1), y0: end(2), y1: end(3), role, label };
			};
			figures.push({
				name: `boxes-${i}-${j}`,
				title: `${unknowns[i].name} and ${unknowns[j].name}`,
				caption: `${done ? "" : "So far: "}Inner boxes hold only consistent values; outside all boxes there is none.${
					unknowns.length > 2 ? " Seen along the other unknowns, so boxes cover one another." : ""
				}`,
				xLabel: unknowns[i].name,
				yLabel: unknowns[j].name,
				marks: [
					...(done ? [] : [boxes(open, "band", "not sorted yet")]),
					boxes(edge, "muted", "edge"),
					boxes(inner, "accent", "inside"),
				],
				section: "sure",
			});
		}
	return figures;
}

/** Boxes that may hold consistent values: small ones of the paving, the very edge of the sets, parts that could not be followed to the end; on the way also those that are still to be sorted. */
export function edgeBoxes(run: GuaranteedRun): readonly Float64Array[] {
	return [...run.openBoxes, ...sortedEdge(run)];
}

function sortedEdge(run: GuaranteedRun): readonly Float64Array[] {
	// Before there is a paving, parts are among those that are to be sorted.
	const isOpen = !run.done && !run.paving;
	const failed =
		isOpen || run.options.prediction === "mueller" ? [] : run.parts.filter(({ failure }) => failure);
	return [...(run.paving?.outer ?? []), ...run.innerBoxes.edge, ...failed.map(({ box }) => box)];
}

function side(box: Float64Array, i: number, j: number): Float64Array {
	return Float64Array.of(box[2 * i], box[2 * i + 1], box[2 * j], box[2 * j + 1]);
}

/** The cells of a grid around many boxes that these touch, seen along all unknowns but two. */
function touched(list: readonly Float64Array[], i: number, j: number): Float64Array[] {
	const sides = list.map((box) => side(box, i, j));
	const whole = hullOf(sides)!;
	const steps = [0, 2].map((k) => (whole[k + 1] - whole[k]) / cells || 1);
	const cell = (value: number, axis: number): number =>
		Math.min(cells - 1, Math.floor((value - whole[2 * axis]) / steps[axis]));
	const seen = new Set<number>();
	for (const box of sides)
		for (let x = cell(box[0], 0); x <= cell(box[1], 0); x++)
			for (let y = cell(box[2], 1); y <= cell(box[3], 1); y++) seen.add(x * cells + y);
	return [...seen].map((at) => {
		const [x, y] = [Math.floor(at / cells), at % cells];
		const end = (n: number, axis: number): number => whole[2 * axis] + n * steps[axis];
		return Float64Array.of(end(x, 0), end(x + 1, 0), end(y, 1), end(y + 1, 1));
	});
}
