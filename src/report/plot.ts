/**
 * A figure as SVG text: thin axes, round ticks, labels beside what they name. Colours are CSS variables (palette.ts),
 * so that light, dark and print share one drawing. What a figure shows is also said in its title and description.
 */
import type { Figure, Mark, NamedPlace } from "../estimate/figure.ts";
import { cellsBelow, cellsBeside, cellsOf, heightBelow, widthBeside } from "./cells.ts";
import { bandPath, linePath, pointsPath } from "./decimate.ts";
import { type EndLabel, spread, textWidth } from "./direct-labels.ts";
import { html, Markup, px } from "./markup.ts";
import { Extent, linearScale, niceTicks, powerOfTen, type Scale, type Ticks } from "./scale.ts";

const font = 11;

/** So few points are drawn larger. */
const fewPoints = 150;

export interface PlotLayout {
	readonly width: number;
	readonly height: number;
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

/**
 * SVG of a figure. `id` must be unique in its page and safe in an attribute. `width`: pixels that it will have, where that is
 * known; its letters are then of one size, whatever room there is.
 */
export function plot(figure: Figure, id: string, width?: number): Markup {
	return drawn(figure, id, layoutOf(figure, width));
}

function drawn(figure: Figure, id: string, layout: PlotLayout): Markup {
	const { width, height, left, right, top, bottom } = layout;
	const domain = domainOf(figure);
	const x = linearScale(domain.x.lo, domain.x.hi, left, width - right);
	const y = linearScale(domain.y.lo, domain.y.hi, height - bottom, top);
	const clip = `${id}-clip`;
	return html`<svg class="plot${!figure.small && " wide"}" id="${id}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">${figure.title}</title><desc id="${id}-d">${figure.caption}</desc>
<clipPath id="${clip}"><rect x="${left}" y="${top}" width="${width - left - right}" height="${height - top - bottom}"/></clipPath>
${axes(figure, x, y, layout)}
<g class="marks" clip-path="url(#${clip})">${figure.marks.map((mark, index) => draw(mark, index, x, y, layout))}</g>
<g class="labels">${labels(figure.marks, x, y, layout)}</g>
${levelScale(figure, layout)}
</svg>`;
}

export function layoutOf(figure: Figure, width: number = figure.small ? 360 : 760): PlotLayout {
	const height = figure.square ? Math.min(width, 520) : figure.small ? 230 : 270;
	const longest = Math.max(
		0,
		...figure.marks.map((mark) => (endLabel(mark) ? textWidth(mark.label!, font) : 0)),
	);
	// Plots that zoom together share their edges, labelled or not.
	const least = figure.zoom ? 74 : 14;
	const right = Math.min(150, width / 3, Math.max(least, longest + 12, scaleWidth(figure)));
	const beside = cellsOf(figure.yNames);
	const below = cellsOf(figure.xNames);
	const left = beside
		? widthBeside(beside)
		: Math.max(52, ...(figure.yNames ?? []).map(({ name }) => textWidth(name, font) + 14));
	return {
		width,
		height,
		left,
		right,
		top: 26,
		bottom: below ? heightBelow(below, width - left - right) : 36,
	};
}

const shade = 12;

function scaleWidth({ levels = [] }: Figure): number {
	if (levels.length === 0) return 0;
	return shade + 22 + Math.max(...levels.map((level) => textWidth(levelText(level), font)));
}

function levelText(level: number): string {
	return String(level).replace("-", "−");
}

/** Shades one above the other, as they lie in the plot, with the value at each edge between them. */
function levelScale({ levels = [] }: Figure, layout: PlotLayout): Markup {
	if (levels.length === 0) return html``;
	const { width, height, right, top, bottom } = layout;
	const x = width - right + 10;
	const step = (height - top - bottom) / (levels.length + 1);
	const at = (k: number): number => height - bottom - (k + 1) * step;
	return html`<g class="scale"><rect class="axis" x="${x}" y="${top}" width="${shade}" height="${height - top - bottom}" fill="none"/>${levels.map(
		(level, k) =>
			html`<rect class="area r-band" x="${x}" y="${top}" width="${shade}" height="${px(at(k) - top)}"/><text x="${x + shade + 5}" y="${px(at(k) + 3.5)}">${levelText(level)}</text>`,
	)}</g>`;
}

/** What the axes span: all finite values of all marks; bars stand on 0; a rule of y is always seen; named places have room. */
export function domainOf({ marks, xNames, yNames }: Pick<Figure, "marks" | "xNames" | "yNames">): {
	x: { lo: number; hi: number };
	y: { lo: number; hi: number };
} {
	const x = new Extent();
	const y = new Extent();
	for (const mark of marks) {
		if (mark.type === "rule") (mark.axis === "x" ? x : y).one(mark.at);
		else if (mark.type === "boxes") {
			x.include(mark.x0).include(mark.x1);
			y.include(mark.y0).include(mark.y1);
		} else {
			x.include(mark.x);
			if (mark.type === "band") y.include(mark.lo).include(mark.hi);
			else y.include(mark.y);
			if (mark.type === "bars") y.one(0);
		}
	}
	const bars = marks.some((mark) => mark.type === "bars");
	// Dots that are few are large, and not cut in half at the edge.
	const dots = marks.some((mark) => mark.type === "points" && mark.x.length <= fewPoints);
	return {
		x: xNames ? around(xNames) : x.padded(bars ? 0.03 : dots ? 0.01 : 0),
		y: yNames ? around(yNames) : y.padded(0.05),
	};
}

function around(places: readonly NamedPlace[]): { lo: number; hi: number } {
	const at = places.map((place) => place.at);
	return { lo: Math.min(...at) - 0.5, hi: Math.max(...at) + 0.5 };
}

function ticksOf(scale: Scale, names: readonly NamedPlace[] | undefined, count: number): Ticks {
	if (!names) return niceTicks(scale.lo, scale.hi, count);
	return { values: names.map(({ at }) => at), labels: names.map(({ name }) => name), exponent: 0 };
}

function axes(figure: Figure, x: Scale, y: Scale, layout: PlotLayout): Markup {
	const { width, height, left, right, top, bottom } = layout;
	const base = height - bottom;
	const xTicks = ticksOf(x, figure.xNames, Math.max(2, Math.round(width / 92)));
	const yTicks = ticksOf(y, figure.yNames, figure.small ? 4 : 5);
	const unit = (exponent: number): string => (exponent === 0 ? "" : `  ${powerOfTen(exponent)}`);
	const beside = cellsOf(figure.yNames);
	const below = cellsOf(figure.xNames);
	const yMarks = yTicks.values.map(
		(value, i) =>
			html`<line class="grid" x1="${left}" x2="${width - right}" y1="${px(y(value))}" y2="${px(y(value))}"/><text x="${left - 6}" y="${px(y(value) + 3.5)}" text-anchor="end">${yTicks.labels[i]}</text>`,
	);
	const xMarks = xTicks.values.map(
		(value, i) =>
			html`<line class="tick" x1="${px(x(value))}" x2="${px(x(value))}" y1="${base}" y2="${base + 4}"/><text x="${px(x(value))}" y="${base + 16}" text-anchor="middle">${xTicks.labels[i]}</text>`,
	);
	return html`<g class="axes"><g class="y-ticks">${beside ? cellsBeside(beside, y, left) : yMarks}</g><g class="x-ticks">${below ? cellsBelow(below, x, base, width - left - right) : xMarks}</g><line class="axis" x1="${left}" x2="${width - right}" y1="${base}" y2="${base}"/>
<text class="name y-name" x="${left - 46}" y="${top - 12}">${figure.yLabel}${unit(yTicks.exponent)}</text>
<text class="name x-name" x="${width - right}" y="${height - 5}" text-anchor="end">${figure.xLabel}${unit(xTicks.exponent)}</text></g>`;
}

function draw(mark: Mark, index: number, x: Scale, y: Scale, layout: PlotLayout): Markup {
	const columns = Math.ceil(layout.width - layout.left - layout.right);
	const path = (kind: string, d: string): Markup =>
		html`<path class="${kind} r-${mark.role}" data-mark="${index}" d="${new Markup(d)}"/>`;
	switch (mark.type) {
		case "line":
			return path("line", linePath(mark.x, mark.y, x, y, columns));
		case "points":
			return path(mark.x.length <= fewPoints ? "points few" : "points", pointsPath(mark.x, mark.y, x, y));
		case "band": {
			const clamped = (value: number): number => y(Math.min(y.hi, Math.max(y.lo, value)));
			return path("area", bandPath(mark.x, mark.lo, mark.hi, x, clamped, columns));
		}
		case "bars":
			return path("area solid", barsPath(mark.x, mark.y, x, y));
		case "boxes":
			return path("boxes", boxesPath(mark, x, y));
		case "words":
			return html`<g data-mark="${index}">${mark.words.map(
				(word, i) =>
					html`<text class="t-${mark.role}" x="${px(x(mark.x[i]))}" y="${px(y(mark.y[i]) + 3.5)}" text-anchor="middle">${word}</text>`,
			)}</g>`;
		case "rule":
			return path("rule", rulePath(mark.axis, mark.at, x, y, layout));
	}
}

function rulePath(axis: "x" | "y", at: number, x: Scale, y: Scale, layout: PlotLayout): string {
	if (!Number.isFinite(at)) return "";
	if (axis === "x") return `M${px(x(at))} ${layout.top}V${layout.height - layout.bottom}`;
	return `M${layout.left} ${px(y(at))}H${layout.width - layout.right}`;
}

function barsPath(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): string {
	let spacing = Infinity;
	for (let i = 1; i < xs.length; i++) {
		const gap = Math.abs(x(xs[i]) - x(xs[i - 1]));
		if (gap > 0) spacing = Math.min(spacing, gap);
	}
	const wide = Math.min(24, Math.max(1, spacing * 0.75));
	let path = "";
	for (let i = 0; i < xs.length; i++) {
		if (!Number.isFinite(xs[i]) || !Number.isFinite(ys[i])) continue;
		path += `M${px(x(xs[i]) - wide / 2)} ${px(y(0))}V${px(y(ys[i]))}h${px(wide)}V${px(y(0))}Z`;
	}
	return path;
}

function boxesPath(mark: Extract<Mark, { type: "boxes" }>, x: Scale, y: Scale): string {
	let path = "";
	for (let i = 0; i < mark.x0.length; i++) {
		const corners = [x(mark.x0[i]), y(mark.y1[i]), x(mark.x1[i]), y(mark.y0[i])];
		if (!corners.every(Number.isFinite)) continue;
		path += `M${px(corners[0])} ${px(corners[1])}H${px(corners[2])}V${px(corners[3])}H${px(corners[0])}Z`;
	}
	return path;
}

/** Lines, points and bands are named at their right end, rules of y too; a rule of x is named at its top. */
function endLabel(mark: Mark): boolean {
	return mark.label !== undefined && !(mark.type === "rule" && mark.axis === "x");
}

function labels(marks: readonly Mark[], x: Scale, y: Scale, layout: PlotLayout): Markup[] {
	const { width, height, right, top, bottom } = layout;
	const ends: EndLabel[] = [];
	const out: Markup[] = [];
	for (const mark of marks) {
		if (mark.label === undefined || (mark.type === "rule" && !Number.isFinite(mark.at))) continue;
		if (mark.type === "rule" && mark.axis === "x")
			out.push(
				html`<text class="t-${mark.role}" x="${px(x(mark.at) + 4)}" y="${top + 9}">${mark.label}</text>`,
			);
		else ends.push({ text: mark.label, role: mark.role, y: y(endHeight(mark, y)) });
	}
	for (const label of spread(ends, font + 2, top + 4, height - bottom))
		out.push(
			html`<text class="t-${label.role}" x="${width - right + 6}" y="${px(label.y + 3.5)}">${label.text}</text>`,
		);
	return out;
}

function endHeight(mark: Mark, y: Scale): number {
	if (mark.type === "rule") return mark.at;
	const heights = mark.type === "band" ? mark.hi : mark.type === "boxes" ? mark.y1 : mark.y;
	for (let i = heights.length - 1; i >= 0; i--) if (Number.isFinite(heights[i])) return heights[i];
	return y.lo;
}
