/** Public entry of the report: figures as SVG, numbers as people write them, and the whole page. */
export { readBibliography } from "./bibliography.ts";
export {
	counted,
	formatCount,
	formatInterval,
	formatNumber,
	formatRms,
	formatSeconds,
	formatWithUncertainty,
	intervalParts,
	uncertainParts,
} from "./format.ts";
export { Markup } from "./markup.ts";
export { type ReportInput, reportPage, rmseSentences } from "./page.ts";
export { plotStyle } from "./palette.ts";
export { domainOf, layoutOf, type PlotLayout, plot } from "./plot.ts";
export { recordLines } from "./record-lines.ts";
export {
	type EndedRun,
	factsNow,
	type RunFile,
	rmseOf,
	runFiles,
} from "./run-files.ts";
export { powerOfTen } from "./scale.ts";
export { type FigureGroup, standardFigures } from "./standard-figures.ts";
