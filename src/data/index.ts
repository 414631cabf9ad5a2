/** Records of measurements: files to tables, tables to experiments, inputs between samples. */
export { readCsv } from "./csv.ts";
export { type Trend, trendAt } from "./detrend.ts";
export type { Dose } from "./doses.ts";
export { type Experiment, experimentFrom, type Series } from "./experiment.ts";
export { readMat5 } from "./mat5.ts";
export { readMat73 } from "./mat73.ts";
export { mergeSeries } from "./merge-series.ts";
export { refuseWords } from "./missing-words.ts";
export { readParquet } from "./parquet.ts";
export {
	type PreviewColumn,
	type PreviewLine,
	previewOf,
	previewTable,
	type TablePreview,
} from "./preview-table.ts";
export { readElsewhere } from "./read-elsewhere.ts";
export { readOrdered } from "./read-ordered.ts";
export { readTable } from "./read-table.ts";
export type { ReaderPort, ReadOrder, ReadReply } from "./reader-port.ts";
export { DETRENDS, type Detrend, findColumn, type RecordMeaning, type RecordSpec } from "./record.ts";
export { resample, resampleInto } from "./resample.ts";
export { parseRowList, parseRows, type RowRange, rowsText } from "./rows.ts";
export {
	formulaSignal,
	INTERPOLATIONS,
	type Interpolation,
	type SampledSignal,
	type Signal,
	signalFrom,
} from "./signal.ts";
export { foreignFormatOf } from "./signatures.ts";
export type { Column, SkippedColumn, Table } from "./table.ts";
export {
	DATE_ORDERS,
	type DateOrder,
	type DateReading,
	DECIMALS,
	type Decimal,
	type Reading,
	SEPARATORS,
	type Separator,
	type TableChoices,
} from "./table-choices.ts";
export { timeColumnOf } from "./time-column.ts";
export { type CsvColumn, csvText } from "./write-csv.ts";
