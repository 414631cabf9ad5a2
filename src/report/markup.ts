/** Text that is safe inside HTML and SVG. Whatever comes from a user, a file or a method passes through here. */

function escapeText(text: string): string {
	return text
		.replace(forbidden, "�")
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;")
		.replaceAll("'", "&#39;");
}

/** Characters that no HTML or XML text may hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Markup that is known to be safe, apart from plain text. */
export class Markup {
	constructor(readonly html: string) {}
	toString(): string {
		return this.html;
	}
}

type Part = Markup | string | number | undefined | false | readonly Part[];

/** Template tag: what is filled in is escaped, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Markup {
	let out = parts[0];
	for (let i = 0; i < values.length; i++) out += render(values[i]) + parts[i + 1];
	return new Markup(out);
}

function render(part: Part): string {
	if (part instanceof Markup) return part.html;
	if (part === undefined || part === false) return "";
	if (typeof part === "string") return escapeText(part);
	if (typeof part === "number") return String(part);
	return part.map(render).join("");
}

/** JSON for a data block of a page: it can neither end the block nor start another. */
export function jsonBlock(value: unknown): Markup {
	return new Markup(JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e"));
}

/** A coordinate with as many decimals as a screen shows. */
export function px(value: number): string {
	return String(Math.round(value * 100) / 100);
}
