/** Figures of a page: drawn under ids of their own, with the numbers of those that can be zoomed. */
import type { Figure } from "../estimate/figure.ts";
import { html, type Markup } from "./markup.ts";
import { plot } from "./plot.ts";
import { type ZoomData, zoomData } from "./zoom-data.ts";

export class Figures {
	readonly zoomed: ZoomData[] = [];
	#count = 0;

	draw(figure: Figure, group = ""): Markup {
		const id = `figure-${++this.#count}`;
		const zoom = figure.zoom ? zoomData(figure, id, group || id) : undefined;
		if (zoom) this.zoomed.push(zoom);
		const holder = zoom ? html`<div class="zoomable">${plot(figure, id)}</div>` : plot(figure, id);
		return html`<figure><figcaption><b>${figure.title}</b>${figure.caption}</figcaption>${holder}</figure>`;
	}

	/** Small figures stand side by side. */
	all(figures: readonly Figure[], group = ""): Markup[] {
		const out = figures.filter(({ small }) => !small).map((figure) => this.draw(figure, group));
		const small = figures.filter((figure) => figure.small);
		if (small.length > 0)
			out.push(html`<div class="pair">${small.map((figure) => this.draw(figure, group))}</div>`);
		return out;
	}
}
