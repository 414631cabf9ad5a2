/** The first lines of a text file: from them it is found out how it is written. */
import { InputError } from "../../errors.ts";
import { commentMark } from "./csv-line.ts";

/** Enough for a page of words above the table. */
const SAMPLE_LINES = 120;
const SAMPLE_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface SampleLine {
	readonly text: string;
	/** Its first byte, and its number from 1. */
	readonly start: number;
	readonly line: number;
}

export interface Sample {
	/** Without comments and blank lines. */
	readonly lines: SampleLine[];
	/** The comment right before them, without its mark. */
	readonly comment?: string;
}

/** At least up to the line `upTo`. */
export function sampleLines(bytes: Uint8Array, source: string, upTo = 0): Sample {
	const decoder = new TextDecoder();
	const lines: SampleLine[] = [];
	let comment: string | undefined;
	let line = 1;
	for (let start = 0; start < bytes.length; line++) {
		let end = start;
		while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) {
			if (bytes[end] === 0) {
				throw new InputError(
					`${source} line ${line}`,
					"holds a zero byte, so this is no text file",
					"Known are text (csv, tsv), xlsx, MAT v5 and v7.3, and parquet.",
				);
			}
			if (++end - start > MAX_LINE_BYTES) {
				throw new InputError(
					`${source} line ${line}`,
					"is longer than 16 MiB",
					"Give one row for each sample.",
				);
			}
		}
		const text = decoder.decode(bytes.subarray(start, end));
		const bare = text.trim();
		const mark = commentMark(bare);
		if (mark > 0) {
			if (lines.length === 0)
				comment = bare
					.slice(mark)
					.replace(/^[#%/]+/, "")
					.trim();
		} else if (bare !== "") {
			lines.push({ text, start, line });
		}
		start = end + (bytes[end] === 13 && bytes[end + 1] === 10 ? 2 : 1);
		const isEnough = lines.length >= SAMPLE_LINES || (lines.length >= 4 && start > SAMPLE_BYTES);
		if (isEnough && line >= upTo + 4) break;
	}
	return { lines, ...(comment === undefined ? {} : { comment }) };
}
