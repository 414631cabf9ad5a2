/** The look of a report: one quiet column, light or dark as the reader's screen, black on white on paper. */
import type { Accent } from "../methods/accent.ts";
import { plotStyle } from "./palette.ts";

export function pageStyle(accent: Accent): string {
	return `
:root{--paper:#fff;--ink:#1b1f24;--muted:#5a616a;--grid:#eceef0;--axis:#9aa1a9;--line:#d9dde1;--data:#1b1f24;--truth:#1d7a46;--warn:#9a3412;--warnPaper:#fff4ec;--code:#f5f6f7;--accent:${accent.light};color-scheme:light}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e9ebed;--muted:#a4acb5;--grid:#23282d;--axis:#6b737b;--line:#333a41;--data:#e9ebed;--truth:#6fd49b;--warn:#ffb38a;--warnPaper:#2a1d15;--code:#1c2125;--accent:${accent.dark};color-scheme:dark}}
@media print{:root{--paper:#fff;--ink:#000;--muted:#444;--grid:#e5e5e5;--axis:#888;--line:#ccc;--data:#000;--truth:#1d7a46;--warn:#9a3412;--warnPaper:#fff;--code:#fff;--accent:${accent.light};color-scheme:light}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:50rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.75rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.75rem 0 .25rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
.sub{color:var(--muted);margin:.25rem 0 0}
.lead{font-size:1.15rem}
.doubt{border-left:3px solid var(--line);padding:.25rem 0 .25rem 1rem;margin:1rem 0}
.doubt.grave{border-color:var(--warn);background:var(--warnPaper);padding:.75rem 1rem}
.doubt h3{margin:0}
.doubt.grave h3{color:var(--warn)}
.doubt p{white-space:pre-line}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem 0}
th,td{text-align:left;padding:.3rem 1.25rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:baseline}
thead th{font-weight:500;color:var(--muted);font-size:.875rem}
tbody th{font-weight:600}
td.n,th.n{text-align:right;white-space:nowrap}
td.s{white-space:nowrap}
td.v{padding-right:.25rem}
figure{margin:1.25rem 0;break-inside:avoid}
figcaption{font-size:.875rem;color:var(--muted)}
figcaption b{color:var(--ink);font-weight:600;display:block}
.pair{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:0 1.5rem}
.zoomable{position:relative;cursor:crosshair;border-radius:4px}
.zoomable:focus-visible{outline:2px solid var(--accent);outline-offset:4px}
.reset{position:absolute;top:0;right:0;font:inherit;font-size:.8rem;padding:.1rem .6rem;background:var(--paper);color:var(--ink);border:1px solid var(--axis);border-radius:4px;cursor:pointer}
.shade{fill:var(--accent);fill-opacity:.15}
pre{background:var(--code);border:1px solid var(--line);border-radius:4px;padding:.75rem 1rem;overflow-x:auto;font:.8125rem/1.5 ui-monospace,monospace;tab-size:4}
math{font-size:1.1rem}
.equations p{margin:0;padding:.6rem 0;overflow-x:auto;overflow-y:hidden}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:1rem 0}
dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
a{color:var(--accent)}
ul,ol{padding-left:1.25rem}
.hint{color:var(--muted);font-size:.875rem}
@media screen and (max-width:36rem){figure{overflow-x:auto}svg.plot.wide{min-width:34rem;touch-action:auto}}
@media print{main{max-width:none;padding:0}body{font-size:10.5pt}.hint,.reset{display:none}h2,h3{break-after:avoid}pre{white-space:pre-wrap}}
${plotStyle}`;
}
