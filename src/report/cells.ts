/** Cells in a row along an axis, each with a scale of its own: round numbers inside, which never meet those of the next cell. */
import type { NamedPlace } from "../estimate/figure.ts";
import { textWidth } from "./direct-labels.ts";
import { html, type Markup, px } from "./markup.ts";
import { niceTicks, powerOfTen, type Scale } from "./scale.ts";

const font = 11;
/** Of a line of text, with air. */
const line = 13;
/** Share of a cell at either end that has no number, and the least between the outer ones. */
const free = 0.16;
const reach = 0.34;

interface Cell {
	readonly name: string;
	readonly middle: number;
	/** Places along the axis, and what stands there. */
	readonly at: readonly number[];
	readonly labels: readonly string[];
	/** Set apart from the numbers. */
	readonly power: string;
}

interface Cells {
	readonly cells: readonly Cell[];
	/** Of the widest number and the widest name, in pixels. */
	readonly number: number;
	readonly name: number;
	readonly hasPower: boolean;
}

/** Nothing where no place has a scale. */
export function cellsOf(places: readonly NamedPlace[] | undefined): Cells | undefined {
	if (!places?.some(({ span }) => span)) return undefined;
	const cells = places.map(cellOf);
	const widest = (texts: readonly string[]): number =>
		Math.max(0, ...texts.map((text) => textWidth(text, font)));
	return {
		cells,
		number: widest(cells.flatMap(({ labels }) => labels)),
		name: widest(cells.flatMap(({ name, power }) => [name, power])),
		hasPower: cells.some(({ power }) => power !== ""),
	};
}

function cellOf({ at: middle, name, span }: NamedPlace): Cell {
	const none = { name, middle, at: [], labels: [], power: "" };
	if (!span) return none;
	const { lo, hi } = span;
	const share = (value: number): number => (value - lo) / (hi - lo);
	for (let count = 2; count <= 16; count++) {
		const { values, labels, exponent } = niceTicks(lo, hi, count);
		const inside = values.map((_, i) => i).filter((i) => Math.abs(share(values[i]) - 0.5) <= 0.5 - free);
		const [first, last] = [inside[0], inside[inside.length - 1]];
		if (inside.length < 2 || share(values[last]) - share(values[first]) < reach) continue;
		const kept = inside.length > 4 ? [first, last] : inside;
		return {
			name,
			middle,
			at: kept.map((i) => middle - 0.5 + share(values[i])),
			labels: kept.map((i) => labels[i]),
			power: exponent === 0 ? "" : powerOfTen(exponent),
		};
	}
	return none;
}

/** Numbers that are `size` pixels long along the axis: the outer ones alone where all would touch. */
function thinned({ at, labels }: Cell, size: number, scale: Scale): number[] {
	const all = labels.map((_, i) => i);
	const touches = all.some((i) => i > 0 && Math.abs(scale(at[i]) - scale(at[i - 1])) < size + 4);
	return touches ? [0, labels.length - 1] : all;
}

/** Numbers below cells stand upright where they have no room side by side. */
function areUpright({ cells, number }: Cells, room: number): boolean {
	const cell = room / cells.length;
	return number / 2 > free * cell || number + 4 > reach * cell;
}

export function heightBelow(cells: Cells, room: number): number {
	return (areUpright(cells, room) ? cells.number + 10 : line + 4) + line * (cells.hasPower ? 2 : 1) + 6;
}

export function widthBeside({ name, number }: Cells): number {
	return name + number + 24;
}

/** From `base` down: numbers, names, powers. */
export function cellsBelow(cells: Cells, x: Scale, base: number, room: number): Markup[] {
	const upright = areUpright(cells, room);
	const under = base + (upright ? cells.number + 12 : line + 6) + line - 3;
	return cells.cells.map((cell) => {
		const middle = px(x(cell.middle));
		return html`<g class="cell">${thinned(cell, upright ? line - 4 : cells.number, x).map((k) => {
			const at = px(x(cell.at[k]));
			const place = upright
				? html`transform="translate(${px(x(cell.at[k]) + 3.5)} ${base + 8}) rotate(-90)" text-anchor="end"`
				: html`x="${at}" y="${base + 16}" text-anchor="middle"`;
			return html`<line class="tick" x1="${at}" x2="${at}" y1="${base}" y2="${base + 4}"/><text class="number" ${place}>${cell.labels[k]}</text>`;
		})}<text class="name" x="${middle}" y="${px(under)}" text-anchor="middle">${cell.name}</text>${cell.power && html`<text x="${middle}" y="${px(under + line)}" text-anchor="middle">${cell.power}</text>`}</g>`;
	});
}

/** From `left` to the left: numbers, then names with their powers. */
export function cellsBeside(cells: Cells, y: Scale, left: number): Markup[] {
	const beside = left - cells.number - 14;
	return cells.cells.map((cell) => {
		const middle = y(cell.middle) + 3.5 - (cell.power ? line / 2 : 0);
		return html`<g class="cell">${thinned(cell, line - 4, y).map(
			(k) =>
				html`<line class="tick" x1="${left - 4}" x2="${left}" y1="${px(y(cell.at[k]))}" y2="${px(y(cell.at[k]))}"/><text class="number" x="${left - 7}" y="${px(y(cell.at[k]) + 3.5)}" text-anchor="end">${cell.labels[k]}</text>`,
		)}<text class="name" x="${px(beside)}" y="${px(middle)}" text-anchor="end">${cell.name}</text>${cell.power && html`<text x="${px(beside)}" y="${px(middle + line)}" text-anchor="end">${cell.power}</text>`}</g>`;
	});
}
