/** What a file is, told by its first bytes. Apart from the readers, so that who only asks need not load them. */

/** Formats of others, read by code that follows what the file says. */
export type ForeignFormat = "mat5" | "mat73" | "parquet" | "xlsx";

export function foreignFormatOf(bytes: Uint8Array): ForeignFormat | undefined {
	if (isMat5(bytes)) return "mat5";
	if (isParquet(bytes)) return "parquet";
	if (isHdf5(bytes)) return "mat73";
	if (isXlsx(bytes)) return "xlsx";
	return undefined;
}

export const MAT5_HEADER_BYTES = 128;

/** Whether these bytes begin as a MAT v5 file does. */
export function isMat5(bytes: Uint8Array): boolean {
	if (bytes.length < MAT5_HEADER_BYTES) return false;
	const mark = String.fromCharCode(bytes[126], bytes[127]);
	return (mark === "IM" && bytes[125] === 1) || (mark === "MI" && bytes[124] === 1);
}

/** Whether these bytes begin as a parquet file does. */
export function isParquet(bytes: Uint8Array): boolean {
	return bytes[0] === 0x50 && bytes[1] === 0x41 && bytes[2] === 0x52 && bytes[3] === 0x31;
}

const HDF5 = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

/** Whether an HDF5 file begins here, or after a leading block of 512 bytes as in mat files, 1024, 2048, ... */
export function isHdf5(bytes: Uint8Array): boolean {
	for (let at = 0; at + HDF5.length <= bytes.length; at = at === 0 ? 512 : 2 * at) {
		if (HDF5.every((b, i) => bytes[at + i] === b)) return true;
	}
	return false;
}

/** Whether these bytes begin as a zip archive does. */
export function isZip(bytes: Uint8Array): boolean {
	return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/** The list of files stands at the end of an archive. */
const LIST_BYTES = 1024 * 1024;

/** Whether an archive holds a workbook: the name of that is not packed. */
export function isXlsx(bytes: Uint8Array): boolean {
	if (!isZip(bytes)) return false;
	const list = new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, bytes.length - LIST_BYTES)));
	return list.includes("xl/workbook.xml");
}
