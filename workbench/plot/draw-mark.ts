/** Bands, dots and lines of a strip on a canvas, and what is what. */
import type { Mark } from "./content.ts";
import { colour, withAlpha } from "./ink.ts";
import { indexAt, thin } from "./thin.ts";

/** Where values lie on the canvas: the time that is shown, its width in pixels, and both ways of going there. */
export interface Axes {
	readonly window: readonly [number, number];
	readonly width: number;
	x(t: number): number;
	y(value: number): number;
}

/** A mark inside its axes. `isCloud`: its samples are too many to be told apart. */
export function drawMark(
	ctx: CanvasRenderingContext2D,
	mark: Mark,
	{ window: [first, last], width, x: along, y }: Axes,
	isCloud: boolean,
): void {
	const from = Math.max(0, indexAt(mark.t, first) - 1);
	const to = Math.min(mark.t.length, indexAt(mark.t, last) + 2);
	const buckets = Math.ceil(width);
	const columns = mark.type === "band" ? [mark.lo, mark.hi] : [mark.y];
	const { x, columns: thinned } = thin(mark.t, columns, from, to, buckets);
	const ink = colour(mark.ink);
	if (mark.type === "band") {
		ctx.fillStyle = withAlpha(ink, 0.2);
		ctx.beginPath();
		for (let i = 0; i < x.length; i++) ctx.lineTo(along(x[i]), y(thinned[1][i]));
		for (let i = x.length - 1; i >= 0; i--) ctx.lineTo(along(x[i]), y(thinned[0][i]));
		ctx.fill();
	} else if (mark.type === "dots") {
		const size = isCloud ? 1.4 : x.length > 400 ? 2.2 : 3.6;
		ctx.fillStyle = withAlpha(ink, isCloud ? 0.55 : 0.85);
		// What is thinned is no single sample any more.
		const limits = x.length === to - from ? mark.limits?.subarray(from, to) : undefined;
		const { sign = "•" } = mark;
		for (let i = 0; i < x.length; i++) {
			const value = thinned[0][i];
			if (Number.isNaN(value)) continue;
			const px = along(x[i]);
			if (sign !== "•" && !isCloud) strokes(ctx, px, y(value), outlines[sign]);
			else if (limits?.[i]) arrow(ctx, px, y(value), limits[i], Math.min(3, (0.35 * width) / x.length));
			else if (size < 3) ctx.fillRect(px - size / 2, y(value) - size / 2, size, size);
			else {
				ctx.beginPath();
				ctx.arc(px, y(value), size / 2, 0, 7);
				ctx.fill();
			}
		}
	} else {
		ctx.strokeStyle = ink;
		ctx.lineWidth = mark.ink === "--muted" ? 1 : 1.5;
		ctx.lineJoin = "round";
		ctx.beginPath();
		let isUp = true;
		for (let i = 0; i < x.length; i++) {
			const value = thinned[0][i];
			if (!Number.isFinite(value)) {
				isUp = true;
				continue;
			}
			// What runs away stays near enough for the canvas to draw the line towards it.
			const py = Math.max(-1e5, Math.min(1e5, y(value)));
			const px = along(x[i]);
			if (isUp) ctx.moveTo(px, py);
			else {
				if (mark.steps) ctx.lineTo(px, Math.max(-1e5, Math.min(1e5, y(thinned[0][i - 1]))));
				ctx.lineTo(px, py);
			}
			isUp = false;
		}
		ctx.stroke();
	}
}

/** What is what, in its colour, behind the name of a strip. */
export function legend(
	ctx: CanvasRenderingContext2D,
	marks: readonly Mark[],
	left: number,
	top: number,
	right: number,
): void {
	const named = new Map<string, Mark>();
	for (const mark of [...marks].sort((a, b) => Number(b.type === "dots") - Number(a.type === "dots")))
		if (mark.type !== "band") named.set(mark.name, mark);
	let x = left;
	for (const [name, mark] of named) {
		const text = `${mark.type === "dots" ? (mark.sign ?? "•") : "—"} ${name}`;
		const width = ctx.measureText(text).width;
		if (x + width > right) return;
		ctx.fillStyle = colour(mark.ink);
		ctx.fillText(text, x, top);
		x += width + 12;
	}
}

/** Lines of a small drawing, each a row of x and y from its middle. */
type Outline = readonly (readonly number[])[];

const outlines = {
	"×": [
		[-2.4, -2.4, 2.4, 2.4],
		[-2.4, 2.4, 2.4, -2.4],
	],
	"△": [[-2.8, 2.2, 0, -2.8, 2.8, 2.2, -2.8, 2.2]],
	"□": [[-2.2, -2.2, 2.2, -2.2, 2.2, 2.2, -2.2, 2.2, -2.2, -2.2]],
} satisfies Record<string, Outline>;

/** From a limit to where the value may lie: down where it is below. */
function arrow(ctx: CanvasRenderingContext2D, x: number, y: number, sign: number, half: number): void {
	const [tip, barb] = [-10 * sign, -6.5 * sign];
	strokes(ctx, x, y, [
		[-half, 0, half, 0],
		[0, 0, 0, tip],
		[-half, barb, 0, tip, half, barb],
	]);
}

/** In the colour that dots are filled with. */
function strokes(ctx: CanvasRenderingContext2D, x: number, y: number, outline: Outline): void {
	ctx.beginPath();
	for (const one of outline) {
		ctx.moveTo(x + one[0], y + one[1]);
		for (let i = 2; i < one.length; i += 2) ctx.lineTo(x + one[i], y + one[i + 1]);
	}
	ctx.strokeStyle = ctx.fillStyle;
	ctx.lineWidth = 1;
	ctx.stroke();
}
