/** The plane of two quantities: where the curve goes, where the samples lie, and which way the field points. */

import { colour } from "./ink.ts";
import { ticksOf } from "./ticks.ts";

export interface PhaseContent {
	readonly xLabel: string;
	readonly yLabel: string;
	readonly curves: readonly { readonly ink: string; readonly x: Float64Array; readonly y: Float64Array }[];
	readonly dots?: { readonly x: Float64Array; readonly y: Float64Array } | undefined;
	/** Slopes at `arrowPlaces` of the same range. */
	readonly slopes?: Float64Array | undefined;
}

interface PhaseRange {
	readonly x: readonly [number, number];
	readonly y: readonly [number, number];
}

const nArrows = 16;
const gutter = { left: 58, right: 14, top: 8, bottom: 34 };

export function phaseRange({ curves, dots }: PhaseContent): PhaseRange {
	const of = (lists: readonly Float64Array[]): [number, number] => {
		let lo = Infinity;
		let hi = -Infinity;
		for (const list of lists)
			for (const value of list) {
				if (!Number.isFinite(value) || Math.abs(value) > 1e12) continue;
				if (value < lo) lo = value;
				if (value > hi) hi = value;
			}
		if (!(lo <= hi)) return [-1, 1];
		const margin = 0.06 * (hi - lo) || Math.abs(lo) * 0.1 || 1;
		return [lo - margin, hi + margin];
	};
	const all = [...(dots ? [dots] : []), ...curves];
	return { x: of(all.map(({ x }) => x)), y: of(all.map(({ y }) => y)) };
}

/** Where arrows stand, pairs in a row. */
export function arrowPlaces({ x, y }: PhaseRange): Float64Array {
	const at = ([lo, hi]: readonly [number, number], i: number): number =>
		lo + ((i + 0.5) / nArrows) * (hi - lo);
	const places = new Float64Array(2 * nArrows * nArrows);
	for (let i = 0; i < nArrows; i++)
		for (let j = 0; j < nArrows; j++) places.set([at(x, i), at(y, j)], 2 * (i * nArrows + j));
	return places;
}

export function drawPhase(
	canvas: HTMLCanvasElement,
	width: number,
	height: number,
	content: PhaseContent,
): void {
	const ratio = Math.min(3, devicePixelRatio || 1);
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
	const ctx = canvas.getContext("2d")!;
	ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
	ctx.clearRect(0, 0, width, height);
	const range = phaseRange(content);
	const box = {
		left: gutter.left,
		right: width - gutter.right,
		top: gutter.top,
		bottom: height - gutter.bottom,
	};
	const px = (value: number): number =>
		box.left + ((value - range.x[0]) / (range.x[1] - range.x[0])) * (box.right - box.left);
	const py = (value: number): number =>
		box.bottom - ((value - range.y[0]) / (range.y[1] - range.y[0])) * (box.bottom - box.top);
	axes(ctx, range, box, px, py, content, height);
	ctx.save();
	ctx.beginPath();
	ctx.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
	ctx.clip();
	if (content.slopes)
		arrows(ctx, arrowPlaces(range), content.slopes, px, py, (box.right - box.left) / nArrows);
	if (content.dots) {
		ctx.fillStyle = colour("--data");
		ctx.globalAlpha = 0.7;
		for (let i = 0; i < content.dots.x.length; i++)
			ctx.fillRect(px(content.dots.x[i]) - 1.2, py(content.dots.y[i]) - 1.2, 2.4, 2.4);
		ctx.globalAlpha = 1;
	}
	for (const { ink, x, y } of content.curves) {
		ctx.strokeStyle = colour(ink);
		ctx.lineWidth = 1.5;
		ctx.beginPath();
		for (let i = 0; i < x.length; i++)
			if (Number.isFinite(x[i]) && Number.isFinite(y[i])) ctx.lineTo(px(x[i]), py(y[i]));
		ctx.stroke();
		if (x.length > 0) {
			ctx.fillStyle = colour(ink);
			ctx.beginPath();
			ctx.arc(px(x[0]), py(y[0]), 4, 0, 7);
			ctx.fill();
		}
	}
	ctx.restore();
}

interface Box {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

function axes(
	ctx: CanvasRenderingContext2D,
	range: PhaseRange,
	box: Box,
	px: (value: number) => number,
	py: (value: number) => number,
	{ xLabel, yLabel }: PhaseContent,
	height: number,
): void {
	ctx.font = "12px system-ui, sans-serif";
	ctx.lineWidth = 1;
	const xs = ticksOf(...range.x, (box.right - box.left) / 90);
	const ys = ticksOf(...range.y, (box.bottom - box.top) / 40);
	ctx.textBaseline = "top";
	ctx.textAlign = "center";
	for (const value of xs.at) {
		ctx.strokeStyle = colour("--grid");
		ctx.strokeRect(Math.round(px(value)) + 0.5, box.top, 0, box.bottom - box.top);
		ctx.fillStyle = colour("--muted");
		const half = ctx.measureText(xs.text(value)).width / 2;
		if (px(value) + half < box.right + gutter.right) ctx.fillText(xs.text(value), px(value), box.bottom + 4);
	}
	ctx.textBaseline = "middle";
	ctx.textAlign = "right";
	for (const value of ys.at) {
		ctx.strokeStyle = colour("--grid");
		ctx.strokeRect(box.left, Math.round(py(value)) + 0.5, box.right - box.left, 0);
		ctx.fillStyle = colour("--muted");
		ctx.fillText(ys.text(value), box.left - 6, py(value));
	}
	ctx.fillStyle = colour("--ink");
	ctx.textAlign = "center";
	ctx.textBaseline = "bottom";
	ctx.fillText(xLabel, (box.left + box.right) / 2, height - 1);
	ctx.textAlign = "left";
	ctx.textBaseline = "top";
	ctx.font = "600 12px system-ui, sans-serif";
	ctx.fillText(yLabel, box.left + 6, box.top + 2);
}

/** Of one length: which way, not how fast. */
function arrows(
	ctx: CanvasRenderingContext2D,
	places: Float64Array,
	slopes: Float64Array,
	px: (value: number) => number,
	py: (value: number) => number,
	room: number,
): void {
	ctx.strokeStyle = colour("--axis");
	ctx.lineWidth = 1;
	const length = Math.min(18, 0.45 * room);
	for (let i = 0; i < places.length; i += 2) {
		const dx = px(places[i] + slopes[i]) - px(places[i]);
		const dy = py(places[i + 1] + slopes[i + 1]) - py(places[i + 1]);
		const size = Math.sqrt(dx * dx + dy * dy);
		if (!(size > 0) || !Number.isFinite(size)) continue;
		const [ux, uy] = [(dx / size) * length, (dy / size) * length];
		const [x, y] = [px(places[i]) - ux / 2, py(places[i + 1]) - uy / 2];
		ctx.beginPath();
		ctx.moveTo(x, y);
		ctx.lineTo(x + ux, y + uy);
		ctx.lineTo(x + 0.6 * ux - 0.25 * uy, y + 0.6 * uy + 0.25 * ux);
		ctx.moveTo(x + ux, y + uy);
		ctx.lineTo(x + 0.6 * ux + 0.25 * uy, y + 0.6 * uy - 0.25 * ux);
		ctx.stroke();
	}
}
