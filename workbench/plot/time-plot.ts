/** Strips over one axis of time, on a canvas: any number of samples, thinned to what the screen shows. */
import { type Mark, type PlotContent, type Reading, rangeOf, type Span, type Strip } from "./content.ts";
import { drawMark, legend } from "./draw-mark.ts";
import { colour, line, withAlpha } from "./ink.ts";
import { indexAt } from "./thin.ts";
import { ticksAlong, ticksOf } from "./ticks.ts";

const gutter = { left: 58, right: 14, bottom: 34 };
/** Room above a strip for its name and what is what: nothing that was measured lies below them. */
const caption = 18;
const gap = 4;
const font = "12px system-ui, sans-serif";
/** Samples for each pixel of the width from which on they are a cloud, and lines lie above it. */
const cloud = 2;

interface Place {
	readonly strip: Strip;
	readonly top: number;
	readonly height: number;
	readonly lo: number;
	readonly hi: number;
}

export class TimePlot {
	readonly #canvas = document.createElement("canvas");
	#content: PlotContent | undefined;
	#ranges: { lo: number; hi: number }[] = [];
	#window: readonly [number, number] = [0, 1];
	/** The pointer, in pixels from the left; the stretch that is being dragged over. */
	#pointer: number | undefined;
	#drag: readonly [number, number] | undefined;
	/** Milliseconds that the last drawing took. */
	lastDraw = 0;

	constructor(private readonly holder: HTMLElement) {
		this.#canvas.setAttribute("aria-hidden", "true");
		holder.append(this.#canvas);
	}

	destroy(): void {
		this.#canvas.remove();
	}

	show(content: PlotContent): void {
		const isSame = this.#content?.times === content.times;
		const before = this.#content;
		this.#content = content;
		this.#ranges = content.strips.map((strip, i) => {
			// Samples stay where they are while a curve moves.
			const old = before?.strips[i];
			const dots = (each: Strip | undefined) => each?.marks.find(({ type }) => type === "dots");
			const own = dots(strip);
			return isSame && own && !strip.isCentred && dots(old) && sameValues(dots(old)!, own) && this.#ranges[i]
				? this.#ranges[i]
				: rangeOf(strip);
		});
		if (!isSame) this.#window = [content.times[0], content.times[content.times.length - 1]];
		this.draw();
	}

	get window(): readonly [number, number] {
		return this.#window;
	}

	get isZoomed(): boolean {
		const times = this.#content?.times;
		return times !== undefined && (this.#window[0] > times[0] || this.#window[1] < times[times.length - 1]);
	}

	zoom(from: number, to: number): void {
		const times = this.#content?.times;
		if (!times || !(to > from)) return;
		const [first, last] = [times[0], times[times.length - 1]];
		const width = Math.min(to - from, last - first);
		const left = Math.max(first, Math.min(from, last - width));
		this.#window = [left, left + width];
		this.draw();
	}

	/** Keys: + and − zoom, arrows move, 0 shows all. True when the key was one of these. */
	key(key: string): boolean {
		const [from, to] = this.#window;
		const width = to - from;
		if (key === "+" || key === "=") this.zoom(from + width / 4, to - width / 4);
		else if (key === "-") this.zoom(from - width / 2, to + width / 2);
		else if (key === "ArrowLeft") this.zoom(from - width / 4, to - width / 4);
		else if (key === "ArrowRight") this.zoom(from + width / 4, to + width / 4);
		else if (key === "0") this.zoom(-Infinity, Infinity);
		else return false;
		return true;
	}

	/** The time at a distance from the left of the holder. */
	timeAt(pixel: number): number {
		const { left, right } = gutter;
		const share = (pixel - left) / Math.max(1, this.#width - left - right);
		return this.#window[0] + Math.min(1, Math.max(0, share)) * (this.#window[1] - this.#window[0]);
	}

	/** All values at the sample that is nearest to a pixel; none where the pointer is gone. */
	point(pixel: number | undefined): { t: number; readings: Reading[] } | undefined {
		this.#pointer = pixel;
		this.draw();
		if (pixel === undefined || !this.#content) return undefined;
		const { times, strips } = this.#content;
		const t = times[nearest(times, this.timeAt(pixel))];
		const areMany = strips.filter(({ marks, isCentred }) => marks.length > 1 && !isCentred).length > 1;
		const readings = strips.flatMap(({ label, marks, isCentred }) =>
			marks.flatMap((mark): Reading[] => {
				if (mark.type === "band" || mark.t.length === 0) return [];
				// Where a curve has no part, it has no value.
				if (t < mark.t[0] || t > mark.t[mark.t.length - 1]) return [];
				const value = mark.y[nearest(mark.t, t)];
				// Of several outputs each is named.
				const of = areMany && marks.length > 1 && !isCentred ? `${label.split(" ")[0]} ` : "";
				return Number.isFinite(value) ? [{ name: of + mark.name, ink: mark.ink, value }] : [];
			}),
		);
		return { t, readings };
	}

	/** Shades what a drag covers. */
	drag(stretch: readonly [number, number] | undefined): void {
		this.#drag = stretch;
		this.draw();
	}

	get #width(): number {
		return Math.max(240, this.holder.clientWidth);
	}

	draw(): void {
		const content = this.#content;
		if (!content) return;
		const start = performance.now();
		const width = this.#width;
		const height = Math.max(120, this.holder.clientHeight);
		const ratio = Math.min(3, devicePixelRatio || 1);
		const canvas = this.#canvas;
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
			canvas.style.width = `${width}px`;
			canvas.style.height = `${height}px`;
		}
		const ctx = canvas.getContext("2d")!;
		ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
		ctx.clearRect(0, 0, width, height);
		ctx.font = font;
		const inner = { left: gutter.left, right: width - gutter.right, bottom: height - gutter.bottom };
		this.#timeAxis(ctx, inner, height);
		const top = this.#top;
		const places = this.#places(height);
		for (const span of content.spans) this.#shade(ctx, span, inner);
		for (const place of places) this.#strip(ctx, place, inner);
		if (this.#drag) {
			const [a, b] = [...this.#drag].sort((x, y) => x - y);
			ctx.fillStyle = withAlpha(colour("--accent"), 0.15);
			ctx.fillRect(
				Math.max(a, inner.left),
				top,
				Math.min(b, inner.right) - Math.max(a, inner.left),
				inner.bottom - top,
			);
		}
		if (this.#pointer !== undefined && this.#pointer >= inner.left && this.#pointer <= inner.right) {
			ctx.strokeStyle = colour("--axis");
			ctx.lineWidth = 1;
			line(ctx, this.#pointer, top, this.#pointer, inner.bottom);
		}
		this.lastDraw = performance.now() - start;
	}

	/** Names of rows for training and testing stand above the strips. */
	get #top(): number {
		return this.#content!.spans.length > 0 ? 16 : 2;
	}

	#places(height: number): Place[] {
		const { strips } = this.#content!;
		const total = strips.reduce((sum, { weight }) => sum + weight, 0);
		const room = height - this.#top - gutter.bottom - (gap + caption) * strips.length + gap;
		let top = this.#top + caption;
		return strips.map((strip, i) => {
			const own = Math.max(8, (room * strip.weight) / total);
			const place = { strip, top, height: own, ...this.#ranges[i] };
			top += own + gap + caption;
			return place;
		});
	}

	#x(t: number, inner: { left: number; right: number }): number {
		const [from, to] = this.#window;
		return inner.left + ((t - from) / (to - from)) * (inner.right - inner.left);
	}

	#timeAxis(
		ctx: CanvasRenderingContext2D,
		inner: { left: number; right: number; bottom: number },
		height: number,
	): void {
		const { at, text } = ticksOf(...this.#window, (inner.right - inner.left) / 80);
		ctx.fillStyle = colour("--muted");
		ctx.textBaseline = "top";
		ctx.textAlign = "center";
		for (const value of at) {
			const x = this.#x(value, inner);
			const half = ctx.measureText(text(value)).width / 2;
			if (x - half < inner.left - 20 || x + half > inner.right + gutter.right) continue;
			ctx.fillText(text(value), x, inner.bottom + 4);
		}
		ctx.textBaseline = "bottom";
		ctx.fillText(this.#content!.timeName, (inner.left + inner.right) / 2, height - 1);
		ctx.strokeStyle = colour("--line");
		ctx.lineWidth = 1;
		line(ctx, inner.left, inner.bottom, inner.right, inner.bottom);
	}

	/** Rows for training and for testing, behind all else. */
	#shade(
		ctx: CanvasRenderingContext2D,
		{ from, to, kind }: Span,
		inner: { left: number; right: number; bottom: number },
	): void {
		const { times } = this.#content!;
		const left = Math.max(inner.left, this.#x(times[from], inner));
		const right = Math.min(inner.right, this.#x(times[Math.min(to, times.length) - 1], inner));
		if (!(right > left)) return;
		const ink = colour(kind === "train" ? "--accent" : "--truth");
		ctx.fillStyle = withAlpha(ink, 0.07);
		ctx.fillRect(left, this.#top, right - left, inner.bottom - this.#top);
		ctx.fillStyle = ink;
		ctx.textAlign = "right";
		ctx.textBaseline = "top";
		if (right - left > 30) ctx.fillText(kind, right - 5, 2);
	}

	#strip(ctx: CanvasRenderingContext2D, place: Place, inner: { left: number; right: number }): void {
		const { strip, top, height, lo, hi } = place;
		const y = (value: number): number => top + height * (1 - (value - lo) / (hi - lo));
		const { at, text } = ticksAlong(lo, hi, height);
		ctx.textAlign = "right";
		ctx.textBaseline = "middle";
		ctx.lineWidth = 1;
		for (const value of at) {
			ctx.strokeStyle = colour("--grid");
			line(ctx, inner.left, y(value), inner.right, y(value));
			ctx.fillStyle = colour("--muted");
			ctx.fillText(text(value), inner.left - 6, y(value));
		}
		ctx.save();
		ctx.beginPath();
		// A dot or a sign at the edge is seen whole.
		ctx.rect(inner.left - 4, top - 2, inner.right - inner.left + 8, height + 4);
		ctx.clip();
		const width = inner.right - inner.left;
		const axes = { window: this.#window, width, x: (t: number) => this.#x(t, inner), y };
		const times = this.#content!.times;
		const shown = indexAt(times, this.#window[1]) - indexAt(times, this.#window[0]);
		const isCloud = shown > cloud * width;
		const order = isCloud ? ["band", "dots", "line"] : ["band", "line", "dots"];
		for (const type of order)
			for (const mark of strip.marks) if (mark.type === type) drawMark(ctx, mark, axes, isCloud);
		ctx.restore();
		ctx.fillStyle = colour("--ink");
		ctx.font = `600 ${font}`;
		ctx.textAlign = "left";
		ctx.textBaseline = "top";
		ctx.fillText(strip.label, inner.left, top + 3 - caption);
		const begin = inner.left + ctx.measureText(strip.label).width + 14;
		ctx.font = font;
		if (strip.marks.length > 1) legend(ctx, strip.marks, begin, top + 3 - caption, inner.right);
	}
}

function sameValues(a: Mark, b: Mark): boolean {
	return a.type !== "band" && b.type !== "band" && a.y === b.y;
}

function nearest(times: Float64Array, t: number): number {
	const after = Math.min(times.length - 1, indexAt(times, t));
	return after > 0 && t - times[after - 1] < times[after] - t ? after - 1 : after;
}
