/**
 * MAT v5 files (MATLAB's save -v6 and -v7, Octave, SciPy), after "MAT-File Format" (MathWorks). Real numeric and
 * logical arrays become columns, fields of structs are called `s.field`, cells `c{1}`. What is none of these is
 * listed as skipped.
 */
import { InputError } from "../../errors.ts";
import { inflate } from "../read/inflate.ts";
import { MAX_DEPTH, UnpackBudget } from "../read/limits.ts";
import { isMat5, MAT5_HEADER_BYTES } from "../read/signatures.ts";
import { ColumnList } from "../table/array-columns.ts";
import { type Table, tableOf } from "../table/table.ts";
import { COMPRESSED, type Element, ElementReader, MATRIX } from "./mat5-element.ts";

const CELL = 1;
const STRUCT = 2;
const FIRST_NUMERIC = 6;
const LAST_NUMERIC = 15;
/** The classes that hold no numbers a record could use. */
const OTHER_CLASSES: Record<number, string> = {
	3: "is an object",
	4: "holds text",
	5: "is a sparse matrix",
	16: "is a function",
	17: "is an object",
};
const COMPLEX_FLAG = 0x800;

export function readMat5(bytes: Uint8Array, source: string): Table {
	if (!isMat5(bytes)) {
		throw new InputError(source, "does not begin as a MAT v5 file does", "Save it in MATLAB with save -v7.");
	}
	const little = bytes[126] === 73;
	const budget = new UnpackBudget(source, bytes.length);
	const file = new ElementReader(bytes, little, source, budget, MAT5_HEADER_BYTES);
	const list = new ColumnList();
	while (file.left > 0) {
		if (file.left < 8 && bytes.subarray(bytes.length - file.left).every((b) => b === 0)) break;
		const element = file.next();
		if (element.type === COMPRESSED) {
			const packed = bytes.subarray(element.start, element.start + element.length);
			const unpacked = inflate(packed, 8, (first) => lengthOf(first, little), budget, source);
			const inner = new ElementReader(unpacked, little, source, budget);
			matrix(inner, inner.next(), undefined, list, 0);
		} else {
			matrix(file, element, undefined, list, 0);
		}
	}
	if (list.columns.length === 0) {
		const found = list.skipped.map(({ name, why }) => `${name} ${why}`).join(", ");
		throw new InputError(source, `holds no numeric array${found === "" ? "" : ` (${found})`}`);
	}
	return tableOf(source, list.columns, list.skipped);
}

/** Bytes of the element whose tag this is, tag and padding included. */
function lengthOf(tag: Uint8Array, little: boolean): number {
	return 8 + new DataView(tag.buffer, tag.byteOffset).getUint32(4, little);
}

/** Adds what one matrix element holds. Inside structs and cells `path` is its name; elsewhere it has its own. */
function matrix(
	reader: ElementReader,
	element: Element,
	path: string | undefined,
	list: ColumnList,
	depth: number,
): void {
	if (element.type !== MATRIX)
		throw reader.damaged(`has an element of type ${element.type} where an array belongs`);
	if (element.length === 0) {
		if (path !== undefined) list.skip(path, "is empty");
		return;
	}
	if (depth > MAX_DEPTH) throw reader.damaged(`nests structs more than ${MAX_DEPTH} deep`);
	const parts = reader.inside(element);
	const flags = parts.numbers()[0];
	const kind = flags & 0xff;
	if (kind === 17) {
		list.skip(path ?? parts.text(), OTHER_CLASSES[17]);
		return;
	}
	const size = parts.numbers();
	const ownName = parts.text();
	const name = path ?? ownName;
	// The nameless array at the end of a file is MATLAB's own store for objects.
	if (name === "") return;
	if (size.length < 2 || !size.every((n) => Number.isInteger(n) && n >= 0)) {
		throw parts.damaged(`gives the array ${name} the size ${size.join(" x ")}`);
	}
	const count = size.reduce((a, b) => a * b, 1);
	if (kind >= FIRST_NUMERIC && kind <= LAST_NUMERIC) {
		if ((flags & COMPLEX_FLAG) !== 0) {
			list.skip(name, "is complex");
			return;
		}
		const values = parts.numbers();
		if (values.length !== count) {
			throw parts.damaged(`gives the array ${name} the size ${size.join(" x ")} and ${values.length} values`);
		}
		list.add(name, values, size[0], size[0] === 0 ? 0 : count / size[0]);
	} else if (kind === STRUCT) {
		const [width] = parts.numbers();
		const labels = parts.next();
		if (!(Number.isInteger(width) && width > 0 && labels.length % width === 0)) {
			throw parts.damaged(`has field names of ${width} bytes in the struct ${name}`);
		}
		const nFields = labels.length / width;
		for (let i = 0; i < count && nFields > 0; i++) {
			for (let f = 0; f < nFields; f++) {
				const field = parts.textAt(labels.start + f * width, width);
				matrix(parts, parts.next(), `${name}${i === 0 ? "" : `(${i + 1})`}.${field}`, list, depth + 1);
			}
		}
	} else if (kind === CELL) {
		for (let i = 0; i < count; i++) matrix(parts, parts.next(), `${name}{${i + 1}}`, list, depth + 1);
	} else {
		list.skip(name, OTHER_CLASSES[kind] ?? `has the unknown class ${kind}`);
	}
}
