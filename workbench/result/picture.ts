/** A figure as a file: SVG that stands alone, or PNG. */
import type { Accent } from "../../src/methods/index.ts";
import { plotStyle } from "../../src/report/index.ts";

/** Colours of a picture on white paper. */
const paper =
	"--paper:#fff;--ink:#1b1f24;--muted:#5a616a;--grid:#eceef0;--axis:#9aa1a9;--data:#1b1f24;--truth:#1d7a46";

/** `markup`: the drawing as `plot` makes it. */
export function svgFile(markup: string, accent: Accent): string {
	const style = `svg{${paper};--accent:${accent.light};background:#fff}${plotStyle}`;
	const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(markup) ?? ["", "760", "270"];
	return markup
		.replace("<svg ", `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `)
		.replace(/(<svg [^>]*>)/, `$1<style>${style}</style>`);
}

export async function pngFile(svg: string, scale = 2): Promise<Blob> {
	const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
	try {
		const image = new Image();
		image.src = url;
		await image.decode();
		const canvas = document.createElement("canvas");
		canvas.width = image.naturalWidth * scale;
		canvas.height = image.naturalHeight * scale;
		const context = canvas.getContext("2d")!;
		context.fillStyle = "#fff";
		context.fillRect(0, 0, canvas.width, canvas.height);
		context.drawImage(image, 0, 0, canvas.width, canvas.height);
		return await new Promise((resolve, reject) =>
			canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture was made"))), "image/png"),
		);
	} finally {
		URL.revokeObjectURL(url);
	}
}
