/**
 * JSON that keeps what plain JSON loses: columns of numbers (as base64 of their little-endian doubles, each stored once
 * however often it is used) and numbers that are not finite, or a zero below 0.
 */
import { InputError } from "../errors.ts";
import { fromBase64, toBase64 } from "../num/base64.ts";
import { keptNumber, revived } from "../num/json-numbers.ts";

const format = "odentify packed JSON 1";

export function packJson(value: unknown): string {
	const arrays: string[] = [];
	const known = new Map<unknown, number>();
	const text = JSON.stringify(value, (_key, each: unknown) => {
		if (!ArrayBuffer.isView(each)) return keptNumber(each);
		let index = known.get(each);
		if (index === undefined) {
			index = arrays.push(encode(each as unknown as ArrayLike<number>)) - 1;
			known.set(each, index);
		}
		return { $column: index };
	});
	return `{"format":${JSON.stringify(format)},"columns":${JSON.stringify(arrays)},"value":${text}}\n`;
}

/** What was packed. Throws InputError where the text is not whole. */
export function unpackJson(text: string, fileName: string): unknown {
	const damaged = (why: string): never => {
		throw new InputError(fileName, why, "The file is damaged or of another version; do the study again.");
	};
	let document: { format?: unknown; columns?: unknown; value?: unknown };
	try {
		document = JSON.parse(text);
	} catch {
		return damaged("is not readable as JSON");
	}
	if (document?.format !== format || !Array.isArray(document.columns))
		return damaged("has an unknown format");
	const columns = document.columns.map((column) => {
		if (typeof column !== "string") return damaged("holds a column that is no text");
		try {
			return decode(column);
		} catch {
			return damaged("holds a damaged column");
		}
	});
	return revived(document.value, (each) =>
		"$column" in each
			? (columns[each.$column as number] ?? damaged("refers to a column that is not there"))
			: undefined,
	);
}

function encode(values: ArrayLike<number>): string {
	const view = new DataView(new ArrayBuffer(8 * values.length));
	for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i], true);
	return toBase64(new Uint8Array(view.buffer));
}

function decode(text: string): Float64Array {
	const bytes = fromBase64(text);
	const view = new DataView(bytes.buffer);
	const out = new Float64Array(Math.floor(bytes.length / 8));
	for (let i = 0; i < out.length; i++) out[i] = view.getFloat64(8 * i, true);
	return out;
}
