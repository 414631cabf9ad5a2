/** The report of a run: the answer, how sure it is, whether it fits, what to doubt, how it was done. */
import { partialByOutput, rmseByOutput } from "../estimate/predict/residuals.ts";
import type { Comparison, Doubt, FoundLaw, Note, ParameterRow, Result } from "../estimate/result.ts";
import type { Accent } from "../methods/accent.ts";
import { documentPage } from "./document.ts";
import { Figures } from "./figures.ts";
import { formatRms, formatSeconds, intervalParts, uncertainParts } from "./format.ts";
import { html, Markup } from "./markup.ts";
import { pageStyle } from "./page-style.ts";
import { powerOfTen } from "./scale.ts";
import { type FigureGroup, standardFigures } from "./standard-figures.ts";

export interface ReportInput {
	/** Name of the study. */
	readonly title: string;
	readonly result: Result;
	readonly accent: Accent;
	/** Declared spread of the noise by output, where it is a number. */
	readonly noise: Readonly<Record<string, number>>;
	/** One line a record: `record.csv: 2,000 samples, 20 s, one input, one output`. */
	readonly records: readonly string[];
	/** MathML of each equation: markup of ours, not of the user. */
	readonly equations: readonly string[];
	/** The study as resolved, with the model's text in it. */
	readonly study: string;
	readonly seed: number;
	readonly version: string;
	readonly seconds: number;
	/** When it was done, in words. */
	readonly finished: string;
	readonly references: readonly string[];
	/** Files of the run folder, linked beside the page. */
	readonly files: readonly string[];
}

/** Predictions drawn in full; the numbers of all stand in trajectory.csv. */
const maxGroups = 16;

export function reportPage(input: ReportInput): string {
	const { result } = input;
	const style = pageStyle(input.accent);
	const drawn = new Figures();
	const body = html`<main>
<header><h1>${input.title}</h1><p class="sub">${result.method} · ${result.outcome} · ${input.records.join(" · ")}</p></header>
${answer(input)}
${sure(result, drawn)}
${fits(result, drawn)}
${doubt(result, drawn)}
${how(input)}
</main>`;
	return documentPage({ title: input.title, version: input.version, style, body, zoomed: drawn.zoomed });
}

function answer(input: ReportInput): Markup {
	const { result, noise } = input;
	const grave = result.doubts.filter((each) => each.grave);
	return html`<section><h2>The answer</h2>
<p class="lead">${result.message}</p>
${grave.map(doubtBox)}
${result.law && lawPart(result.law, result.intervalName)}
${result.comparison ? comparisonTable(result.comparison) : result.parameters.length > 0 && parameterTable(result.parameters, result.intervalName)}
${rmseSentences(result, noise).map((sentence) => html`<p>${sentence}</p>`)}
</section>`;
}

/** The equations that were found, typeset; MathML is markup of ours. */
function lawPart({ equations, intervals, rivals, leftOut = [] }: FoundLaw, intervalName: string): Markup {
	const typeset = (list: FoundLaw["equations"]): Markup =>
		html`<div class="equations">${list.map(({ record, mathml }) => html`<p>${record !== undefined && html`<span class="hint">${record}: </span>`}${new Markup(mathml)}</p>`)}</div>`;
	return html`<h3>The law that was found</h3>
${typeset(equations)}
<p class="hint">With the ${intervalName} of each number: ${intervals.map((each, i) => html`${i > 0 && html`<br>`}<code>${each}</code>`)}</p>
${rivals.length > 0 && html`<h3>Almost as well supported</h3>${rivals.map(({ words, equations: own }) => html`${typeset(own)}<p class="hint">${words}</p>`)}`}
${leftOut.length > 0 && html`<details><summary>How large the ${leftOut.length} terms that were left out could be</summary><p class="hint">Each put back by itself, 95 %: ${leftOut.map((each, i) => html`${i > 0 && html`<br>`}<code>${each}</code>`)}</p></details>`}`;
}

/** `Test: RMSE of y 0.0207 (the declared noise is 0.0200).` Where only a part of the samples was predicted: of how many. */
export function rmseSentences(
	{ predictions }: Pick<Result, "predictions">,
	noise: Readonly<Record<string, number>>,
): string[] {
	return (["train", "test"] as const).flatMap((part) => {
		const entries = Object.entries(rmseByOutput(predictions, part));
		if (entries.length === 0) return [];
		const partial = partialByOutput(predictions, part);
		const each = entries.map(([output, value]) => {
			const name = entries.length > 1 ? `${output} ` : "";
			const declared = noise[output] > 0 ? ` (the declared noise is ${formatRms(noise[output])})` : "";
			const { samples, of } = partial?.[output] ?? { samples: 0, of: 0 };
			if (of > samples && samples === 0) return `${name}not known: none of ${of} samples is predicted`;
			const share = of > samples ? ` over ${samples} of ${of} samples` : "";
			return `${name}${formatRms(value)}${share}${declared}`;
		});
		return [`${part === "train" ? "Training" : "Test"} record: RMSE ${each.join(", ")}`];
	});
}

function parameterTable(rows: readonly ParameterRow[], intervalName: string): Markup {
	const interval = rows.some(({ lo, hi }) => lo !== undefined || hi !== undefined);
	const verdict = rows.some((row) => row.verdict !== undefined);
	return html`<div class="scroll"><table>
<thead><tr><th scope="col">parameter</th><th scope="col" class="n" colspan="2">estimate</th>${interval && html`<th scope="col" class="n" colspan="2">${intervalName}</th>`}${verdict && html`<th scope="col">verdict</th>`}</tr></thead>
<tbody>${rows.map((row) => {
		const { value, sd, exponent } = uncertainParts(row.estimate, row.sd);
		const power = (of: number): string => (of === 0 ? "" : ` ${powerOfTen(of)}`);
		const ends = intervalParts(row.lo ?? Number.NaN, row.hi ?? Number.NaN, row.sd, row.proved);
		const hasEnds = row.lo !== undefined && row.hi !== undefined;
		return html`<tr><th scope="row">${row.name}</th><td class="n v">${value}</td><td class="s">${sd && `± ${sd}`}${power(exponent)}</td>${interval && html`<td class="n v">${hasEnds && ends.lo}</td><td class="s">${hasEnds && `… ${ends.hi}${power(ends.exponent)}`}</td>`}${verdict && html`<td>${row.verdict}</td>`}</tr>`;
	})}</tbody></table></div>`;
}

/** Every method's answers side by side, the verdict beside them; then who did not answer, and why. */
function comparisonTable({ answers, refusals, agreement }: Comparison): Markup {
	const shown = answers.filter(({ answered, parameters }) => answered && parameters.length > 0);
	return html`<div class="scroll"><table>
<thead><tr><th scope="col">parameter</th>${shown.map(({ method }) => html`<th scope="col">${method}</th>`)}<th scope="col">verdict</th></tr></thead>
<tbody>${agreement.map(
		({ parameter, verdict }) =>
			html`<tr><th scope="row">${parameter}</th>${shown.map(({ parameters }) => html`<td>${answerCell(parameters.find(({ name }) => name === parameter))}</td>`)}<td>${verdict === "single" ? "one answer" : verdict}</td></tr>`,
	)}</tbody></table></div>
<ul>${answers.map(({ method, outcome, message }) => html`<li><b>${method}</b> ${outcome}. ${message}</li>`)}${refusals.map(({ method, why }) => html`<li><b>${method}</b> does not apply. ${why}</li>`)}</ul>`;
}

function answerCell(row: ParameterRow | undefined): string {
	if (!row) return "";
	const power = (of: number): string => (of === 0 ? "" : ` ${powerOfTen(of)}`);
	if (row.proved) {
		const { lo, hi, exponent } = intervalParts(row.lo ?? Number.NaN, row.hi ?? Number.NaN, row.sd, true);
		return `[${lo}, ${hi}]${power(exponent)}`;
	}
	const { value, sd, exponent } = uncertainParts(row.estimate, row.sd);
	return `${value}${sd ? ` ± ${sd}` : ""}${power(exponent)}`;
}

function sure(result: Result, drawn: Figures): Markup {
	const figures = result.figures.filter(({ section }) => section === "sure");
	const interval = result.intervalName && result.parameters.some(({ lo }) => lo !== undefined);
	return html`<section><h2>How sure</h2>
${interval && html`<p>The table gives for each parameter the ${result.intervalName}.</p>`}
${figures.length > 0 ? drawn.all(figures) : html`<p class="hint">This method draws no picture of its uncertainty here.</p>`}
</section>`;
}

function fits(result: Result, drawn: Figures): Markup {
	const groups = standardFigures(result.predictions, result.doubts);
	const shown = groups.slice(0, maxGroups);
	const figures = result.figures.filter(({ section }) => section === "fit");
	return html`<section><h2>Does it fit</h2>
${shown.length > 0 ? html`<p class="hint">Drag across a plot to zoom, double-click to see all. Keys: + − ← → 0.</p>` : html`<p>There is no prediction to compare with.</p>`}
${shown.map((group) => groupOf(group, drawn))}
${groups.length > shown.length && html`<p>${groups.length - shown.length} more are in trajectory.csv.</p>`}
${drawn.all(figures)}
</section>`;
}

function groupOf({ title, figures, group }: FigureGroup, drawn: Figures): Markup {
	return html`<h3>${title}</h3>${drawn.all(figures, group)}`;
}

function doubtBox({ title, text, grave }: Doubt): Markup {
	return html`<div class="doubt${grave && " grave"}"><h3>${title}</h3><p>${text}</p></div>`;
}

/** A fact that does not question the answer. */
function noteBox({ title, text }: Note): Markup {
	return html`<details class="note"><summary>${title}</summary><p>${text}</p></details>`;
}

function doubt(result: Result, drawn: Figures): Markup {
	const figures = result.figures.filter(({ section }) => section === "doubt");
	return html`<section><h2>What to doubt</h2>
${result.doubts.length === 0 ? html`<p>The method found no reason for doubt. What it takes for granted stands below.</p>` : result.doubts.map(doubtBox)}
${drawn.all(figures)}
${result.notes && result.notes.length > 0 && html`<h3>Beside the answer</h3>${result.notes.map(noteBox)}`}
${result.assumptions.length > 0 && html`<h3>Taken for granted</h3><ul>${result.assumptions.map((each) => html`<li>${each}</li>`)}</ul>`}
</section>`;
}

function how(input: ReportInput): Markup {
	const { equations, result, references, files } = input;
	return html`<section><h2>How it was done</h2>
${equations.length > 0 && html`<div class="equations">${equations.map((each) => html`<p>${new Markup(each)}</p>`)}</div>`}
<dl><dt>Method</dt><dd>${result.method}</dd>
${input.records.map((record) => html`<dt>Record</dt><dd>${record}</dd>`)}
<dt>Seed</dt><dd>${input.seed}</dd><dt>Version</dt><dd>Odentify ${input.version}</dd>
<dt>Time</dt><dd>${formatSeconds(input.seconds)}, ${input.finished}</dd>
${files.length > 0 && html`<dt>Files</dt><dd>${files.map((file, i) => html`${i > 0 && ", "}<a href="${encodeURIComponent(file)}">${file}</a>`)}</dd>`}</dl>
<h3>The study, with every default written out</h3><pre>${input.study}</pre>
${references.length > 0 && html`<h3>References</h3><ol>${references.map((each) => html`<li>${each}</li>`)}</ol>`}
</section>`;
}
