/** A paper repeated, as a page: its tables with the paper's numbers beside ours, and its figures. */
import type { Figure } from "../estimate/figure.ts";
import type { Accent } from "../methods/accent.ts";
import { documentPage } from "./document.ts";
import { Figures } from "./figures.ts";
import { html, type Markup } from "./markup.ts";
import { pageStyle } from "./page-style.ts";
import type { ReproductionTable } from "./reproduction.ts";

export interface ReproductionPageInput {
	readonly name: string;
	readonly title: string;
	readonly accent: Accent;
	readonly tables: readonly ReproductionTable[];
	readonly figures: readonly Figure[];
	readonly version: string;
	readonly seed: number;
}

export function reproductionPage(input: ReproductionPageInput): string {
	const drawn = new Figures();
	const body = html`<main>
<header><h1>${input.name}, repeated</h1><p class="sub">${input.title}</p></header>
${input.tables.map(tableOf)}
${input.figures.length > 0 && html`<section><h2>Figures</h2>${drawn.all(input.figures)}</section>`}
<section><p class="sub">Odentify ${input.version}, seed ${input.seed}</p></section>
</main>`;
	return documentPage({
		title: `${input.name}, repeated`,
		version: input.version,
		style: pageStyle(input.accent),
		body,
		zoomed: drawn.zoomed,
	});
}

function tableOf({ title, rows }: ReproductionTable): Markup {
	return html`<section><h2>${title}</h2>
<table><thead><tr><th>what</th><th>paper</th><th>ours</th><th>goal</th><th>verdict</th></tr></thead>
<tbody>${rows.map(
		(row) =>
			html`<tr><th scope="row">${row.what}</th><td>${row.paper}</td><td>${row.ours}</td><td>${row.goal}</td><td>${row.verdict}</td></tr>
${row.why && html`<tr><td colspan="5" class="sub">${row.why}</td></tr>`}`,
	)}</tbody></table>
</section>`;
}
