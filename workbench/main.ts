/** The workbench: one page, no server needed. */
import { mount } from "svelte";
import { plotStyle } from "../src/report/index.ts";
import App from "./app.svelte";
import "./style.css";
import facts from "virtual:facts";
import { Workbench } from "./page/workbench.svelte.ts";

/** One accent colour a method, the same as in the terminal and in the report. */
function accents(): string {
	const rules = (shade: "light" | "dark", scope: string): string =>
		facts.methods.map(({ name, accent }) => `${scope} .m-${name}{--accent:${accent[shade]}}`).join("\n");
	return `${rules("light", ":root")}
@media (prefers-color-scheme: dark) {${rules("dark", ":root")}}
${rules("light", ':root[data-theme="light"]')}
${rules("dark", ':root[data-theme="dark"]')}`;
}

// Sheets that are made here are allowed where inline styles are not.
for (const text of [plotStyle, accents()]) {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(text);
	document.adoptedStyleSheets.push(sheet);
}

const bench = new Workbench();
mount(App, { target: document.body, props: { bench } });
bench.begin(location.hash).then(() => performance.mark("odentify-ready"));
