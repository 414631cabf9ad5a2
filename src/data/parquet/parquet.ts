/**
 * Parquet files: flat columns of numbers and truth values, packed by snappy, gzip or not at all. The footer and page
 * headers are read by hyparquet, loaded only when such a file comes.
 */
import { gunzipSync } from "fflate";
import type { ColumnMetaData, FileMetaData, SchemaElement } from "hyparquet";
import { InputError } from "../../errors.ts";
import { tenTo } from "../../num/whole-power.ts";
import { allocate, MAX_COLUMNS, UnpackBudget } from "../read/limits.ts";
import { isParquet } from "../read/signatures.ts";
import { type Column, type SkippedColumn, type Table, tableOf } from "../table/table.ts";
import { namesAndUnits } from "../table/unit.ts";
import {
	decodePage,
	type Page,
	PageError,
	type PhysicalType,
	plainBytes,
	valuesInto,
} from "./parquet-page.ts";
import { checkStruct } from "./parquet-thrift.ts";

/** No page grows by more: snappy copies 64 bytes by 3 at best, deflate 258 by 2 bits. */
const MAX_RATIO = { SNAPPY: 22, GZIP: 1032 } as const;

const NUMERIC = new Set(["BOOLEAN", "INT32", "INT64", "FLOAT", "DOUBLE"]);

/** The parts of hyparquet that are used. Its entry would load its file and query layers too. */
async function loadHyparquet() {
	const [{ parquetMetadata, parquetSchema }, { parquetHeader }, { snappyUncompress }] = await Promise.all([
		import("hyparquet/src/metadata.js"),
		import("hyparquet/src/column.js"),
		import("hyparquet/src/snappy.js"),
	]);
	return { parquetMetadata, parquetSchema, parquetHeader, snappyUncompress };
}
type Hyparquet = Awaited<ReturnType<typeof loadHyparquet>>;

export async function readParquet(bytes: Uint8Array, source: string): Promise<Table> {
	return (await loadParquet())(bytes, source);
}

export async function loadParquet(): Promise<(bytes: Uint8Array, source: string) => Table> {
	const hyparquet = await loadHyparquet();
	return (bytes, source) => readWith(hyparquet, bytes, source);
}

function readWith(hyparquet: Hyparquet, bytes: Uint8Array, source: string): Table {
	try {
		return tableFrom(hyparquet, bytes, source);
	} catch (error) {
		if (error instanceof InputError) throw error;
		// What else can fail is hyparquet on a footer that is well-formed and makes no sense.
		const cause = error instanceof PageError ? error.message : "its description makes no sense";
		throw new InputError(
			source,
			`cannot be read as a parquet file: ${cause}`,
			"The file is damaged or uses a feature that is not known here: write it again, with snappy or no compression.",
		);
	}
}

function tableFrom(hyparquet: Hyparquet, bytes: Uint8Array, source: string): Table {
	checkFooter(bytes);
	const metadata = hyparquet.parquetMetadata(bytes, { geoparquet: false });
	const nRows = Number(metadata.num_rows);
	const fields = hyparquet.parquetSchema(metadata).children;
	if (!(Number.isSafeInteger(nRows) && nRows >= 0)) throw new PageError(`it claims ${nRows} rows`);
	if (fields.length > MAX_COLUMNS) throw new PageError(`it has ${fields.length} columns`);
	const budget = new UnpackBudget(source, bytes.length);
	// Columns may share their pages: what unpacking costs is counted for all of them together.
	const pages = new UnpackBudget(source, bytes.length);
	const columns: Column[] = [];
	const skipped: SkippedColumn[] = [];
	for (const { element, children } of fields) {
		const why = children.length > 0 ? "is nested" : whyNotNumeric(element);
		if (why === undefined) {
			budget.take(9 * nRows);
			columns.push(readColumn(hyparquet, bytes, metadata, element, nRows, source, pages));
		} else {
			skipped.push({ name: element.name, why });
		}
	}
	if (columns.length === 0 || nRows === 0) throw new InputError(source, "has no rows of numbers");
	const heads = namesAndUnits(columns.map(({ name }) => name));
	return tableOf(
		source,
		columns.map((column, c) => ({ ...column, ...heads[c] })),
		skipped,
	);
}

/** The file ends with its description, the length of that in four bytes, and the signature. */
function checkFooter(bytes: Uint8Array): void {
	const end = bytes.length - 8;
	if (end < 4 || !isParquet(bytes.subarray(end + 4))) throw new PageError("it is cut off");
	const length = new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
	if (length > end) throw new PageError("it is cut off");
	checkStruct(bytes, end - length, end);
}

function whyNotNumeric(element: SchemaElement): string | undefined {
	const meaning = element.converted_type ?? element.logical_type?.type ?? "";
	if (element.repetition_type === "REPEATED") return "is a list";
	if (/^(DATE|TIME|INTERVAL)/.test(meaning)) return "holds dates or times (store seconds as numbers)";
	if (!NUMERIC.has(element.type ?? "")) return "holds no numbers";
	return undefined;
}

function readColumn(
	hyparquet: Hyparquet,
	bytes: Uint8Array,
	metadata: FileMetaData,
	element: SchemaElement,
	nRows: number,
	source: string,
	budget: UnpackBudget,
): Column {
	const values = allocate(nRows, source);
	const missing = new Uint8Array(nRows);
	let row = 0;
	for (const group of metadata.row_groups) {
		const chunk = group.columns.find((c) => c.meta_data?.path_in_schema.join() === element.name)?.meta_data;
		if (chunk === undefined)
			throw new PageError(`a row group lacks the column ${element.name ?? "without a name"}`);
		const stop = row + Number(group.num_rows);
		if (!(stop >= row && stop <= nRows))
			throw new PageError(`a row group claims ${group.num_rows ?? "an unknown number of"} rows`);
		readChunk(
			hyparquet,
			bytes,
			chunk,
			element,
			budget,
			values.subarray(row, stop),
			missing.subarray(row, stop),
		);
		row = stop;
	}
	if (row !== nRows) throw new PageError(`it claims ${nRows} rows and has ${row}`);
	const scale = element.converted_type === "DECIMAL" ? tenTo(element.scale ?? 0) : 1;
	if (scale !== 1) for (let i = 0; i < nRows; i++) values[i] /= scale;
	return missing.includes(1) ? { name: element.name, values, missing } : { name: element.name, values };
}

/** One column of one row group. */
function readChunk(
	hyparquet: Hyparquet,
	bytes: Uint8Array,
	chunk: ColumnMetaData,
	element: SchemaElement,
	budget: UnpackBudget,
	values: Float64Array,
	missing: Uint8Array,
): void {
	const type = element.type as PhysicalType;
	const logical = element.logical_type;
	const unsigned =
		element.converted_type?.startsWith("UINT") || (logical?.type === "INTEGER" && logical.isSigned === false);
	const optional = element.repetition_type !== "REQUIRED";
	const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
	const length = Number(chunk.total_compressed_size);
	if (!(start >= 0 && length >= 0 && start + length <= bytes.length)) {
		throw new PageError(`the column ${element.name} lies outside the file`);
	}
	const part = bytes.subarray(start, start + length);
	const reader = { view: new DataView(part.buffer, part.byteOffset, part.byteLength), offset: 0 };
	const unpack = (packed: Uint8Array, size: number) =>
		unpackPage(hyparquet, chunk.codec, packed, size, budget);
	let dictionary: Float64Array | undefined;
	let row = 0;
	while (row < values.length) {
		checkStruct(part, reader.offset, part.length);
		const header = hyparquet.parquetHeader(reader);
		const size = header.uncompressed_page_size;
		const end = reader.offset + header.compressed_page_size;
		if (!(end >= reader.offset && end <= part.length)) throw new PageError("a page lies outside its column");
		const packed = part.subarray(reader.offset, end);
		reader.offset = end;
		let page: Page;
		if (header.type === "DICTIONARY_PAGE" && header.dictionary_page_header !== undefined) {
			const n = header.dictionary_page_header.num_values;
			const body = unpack(packed, size);
			if (!(n >= 0 && plainBytes(n, type) <= body.length))
				throw new PageError(`a dictionary claims ${n} values`);
			budget.take(8 * n);
			dictionary = new Float64Array(n);
			valuesInto(dictionary, body, "PLAIN", type, unsigned === true, undefined);
			continue;
		} else if (header.type === "DATA_PAGE" && header.data_page_header !== undefined) {
			const { encoding, num_values: nValues } = header.data_page_header;
			page = { encoding, nValues, body: unpack(packed, size) };
		} else if (header.type === "DATA_PAGE_V2" && header.data_page_header_v2 !== undefined) {
			const {
				encoding,
				num_values: nValues,
				definition_levels_byte_length: nLevels,
			} = header.data_page_header_v2;
			if (!(nLevels >= 0 && nLevels <= packed.length)) throw new PageError("a page ends early");
			const rest = packed.subarray(nLevels);
			const isPacked = header.data_page_header_v2.is_compressed !== false;
			page = {
				encoding,
				nValues,
				body: isPacked ? unpack(rest, size - nLevels) : rest,
				levels: packed.subarray(0, nLevels),
			};
		} else if (header.type === "INDEX_PAGE") {
			continue;
		} else {
			throw new PageError(`it has a page of the unknown type ${header.type}`);
		}
		row += decodePage(page, type, unsigned === true, optional, dictionary, values, missing, row);
	}
}

function unpackPage(
	hyparquet: Hyparquet,
	codec: string,
	packed: Uint8Array,
	size: number,
	budget: UnpackBudget,
): Uint8Array {
	if (codec === "UNCOMPRESSED") return packed;
	if (codec !== "SNAPPY" && codec !== "GZIP")
		throw new PageError(`it is packed by ${codec}, which is not supported`);
	if (!(size >= 0 && size <= MAX_RATIO[codec] * packed.length))
		throw new PageError(`a page of ${packed.length} bytes claims to unpack to ${size}`);
	budget.take(size);
	const out = new Uint8Array(size);
	try {
		if (codec === "SNAPPY") hyparquet.snappyUncompress(packed, out);
		else if (gunzipSync(packed, { out }).length !== size) throw new PageError("too short");
	} catch (error) {
		throw new PageError(`a page cannot be unpacked (${error instanceof Error ? error.message : error})`);
	}
	return out;
}
