/** Bounds in messages: four digits tell where to look. */
export function rangeText(lo: number, hi: number): string {
	return `[${Number(lo.toPrecision(4))}, ${Number(hi.toPrecision(4))}]`;
}
