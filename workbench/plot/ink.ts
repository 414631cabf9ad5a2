/** Colours and thin lines on a canvas. */

/** From the middle of one pixel to that of another. */
export function line(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
	ctx.beginPath();
	ctx.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
	ctx.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
	ctx.stroke();
}

/** Colours come from the page's style, so that light and dark are one; `#…` is itself. */
export function colour(name: string): string {
	return name.startsWith("--")
		? getComputedStyle(document.documentElement).getPropertyValue(name).trim()
		: name;
}

export function withAlpha(ink: string, alpha: number): string {
	const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(ink)?.[1];
	if (!hex) return ink;
	const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
	const [r, g, b] = [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16));
	return `rgb(${r} ${g} ${b} / ${alpha})`;
}
