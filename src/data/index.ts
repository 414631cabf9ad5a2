/** Records of measurements: files to tables, tables to experiments, inputs between samples. */
export { readCsv } from "./csv/csv.ts";
export { type CsvColumn, csvText } from "./csv/write-csv.ts";
export type { Dose } from "./doses.ts";
export { type Experiment, experimentFrom, type Series } from "./experiment.ts";
export { readMat5 } from "./mat/mat5.ts";
export { readMat73 } from "./mat/mat73.ts";
export { mergeSeries } from "./merge-series.ts";
export { readParquet } from "./parquet/parquet.ts";
export { readElsewhere } from "./read/read-elsewhere.ts";
export { readOrdered } from "./read/read-ordered.ts";
export { readTable } from "./read/read-table.ts";
export type { ReaderPort, ReadOrder, ReadReply } from "./read/reader-port.ts";
export { foreignFormatOf } from "./read/signatures.ts";
export { DETRENDS, type Detrend, findColumn, type RecordMeaning, type RecordSpec } from "./record.ts";
export { resample, resampleInto } from "./signal/resample.ts";
export {
	formulaSignal,
	INTERPOLATIONS,
	type Interpolation,
	type SampledSignal,
	type Signal,
	signalFrom,
} from "./signal/signal.ts";
export { type Trend, trendAt } from "./table/detrend.ts";
export { refuseWords } from "./table/missing-words.ts";
export {
	type PreviewColumn,
	type PreviewLine,
	previewOf,
	previewTable,
	type TablePreview,
} from "./table/preview-table.ts";
export { parseRowList, parseRows, type RowRange, rowsText } from "./table/rows.ts";
export type { Column, SkippedColumn, Table } from "./table/table.ts";
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
} from "./table/table-choices.ts";
export { timeColumnOf } from "./time/time-column.ts";
