/**
 * MAT v7.3 files, which are HDF5 (and plain HDF5 files of real arrays). The HDF5 library is loaded only when such a
 * file comes. Real numeric and logical arrays become columns, fields of structs are called `s.field`.
 */
import type { Dataset, Entity, File } from "h5wasm";
import { InputError } from "../../errors.ts";
import { allocate, MAX_COLUMNS, MAX_DEPTH, UnpackBudget } from "../read/limits.ts";
import { ColumnList } from "../table/array-columns.ts";
import { type Table, tableOf } from "../table/table.ts";
import { checkHdf5, type Hdf5, type Hdf5Host, loadHdf5, noteHdf5Error } from "./hdf5-library.ts";

/** HDF5 type classes. */
const INTEGER = 0;
const FLOAT = 1;
const COMPOUND = 6;
const ENUMERATION = 8;

let nOpened = 0;

export async function readMat73(bytes: Uint8Array, source: string): Promise<Table> {
	return (await loadMat73())(bytes, source);
}

export async function loadMat73(): Promise<(bytes: Uint8Array, source: string) => Table> {
	const { hdf5, host } = await loadHdf5();
	return (bytes, source) => readWith(hdf5, host, bytes, source);
}

function readWith(hdf5: Hdf5, host: Hdf5Host, bytes: Uint8Array, source: string): Table {
	checkHdf5(source, "read");
	const path = `/odentify-${nOpened++}.h5`;
	const list = new ColumnList();
	let file: File | undefined;
	try {
		host.FS.writeFile(path, bytes);
		file = new hdf5.File(path, "r");
		if (file.file_id < 0n) throw new Error("no HDF5 file");
		const walk = new Walk(hdf5.Dataset, hdf5.Group, list, new UnpackBudget(source, bytes.length), source);
		for (const name of file.keys()) if (!name.startsWith("#")) walk.entity(file.get(name), name, 0);
	} catch (error) {
		if (error instanceof InputError) throw error;
		noteHdf5Error(error);
		throw new InputError(
			source,
			`cannot be read as an HDF5 (MAT v7.3) file: ${causeOf(error)}`,
			"The file is damaged: fetch or save it again.",
		);
	} finally {
		close(file);
		close({ close: () => host.FS.unlink(path) });
	}
	if (list.columns.length === 0) {
		const found = list.skipped.map(({ name, why }) => `${name} ${why}`).join(", ");
		throw new InputError(source, `holds no numeric array${found === "" ? "" : ` (${found})`}`);
	}
	return tableOf(source, list.columns, list.skipped);
}

/** Goes through groups and datasets. */
class Walk {
	private nVisited = 0;

	constructor(
		private readonly dataset: typeof import("h5wasm").Dataset,
		private readonly group: typeof import("h5wasm").Group,
		private readonly list: ColumnList,
		private readonly budget: UnpackBudget,
		private readonly source: string,
	) {}

	entity(entity: Entity | null, name: string, depth: number): void {
		// Links may make circles.
		if (depth > MAX_DEPTH || ++this.nVisited > 4 * MAX_COLUMNS) {
			throw new InputError(this.source, `has too many or too deeply nested groups (at ${name})`);
		}
		if (entity instanceof this.dataset) {
			this.array(entity, name);
		} else if (entity instanceof this.group) {
			if (entity.attrs.MATLAB_sparse !== undefined) {
				this.list.skip(name, "is a sparse matrix");
				return;
			}
			for (const key of entity.keys()) this.entity(entity.get(key), `${name}.${key}`, depth + 1);
		} else {
			this.list.skip(name, "is a link to elsewhere");
		}
	}

	private array(dataset: Dataset, name: string): void {
		const { attrs } = dataset;
		const { type, size, shape } = dataset.metadata;
		const kind = attrs.MATLAB_class?.value;
		if (attrs.MATLAB_empty !== undefined || shape === null) {
			this.list.skip(name, "is empty");
		} else if (kind === "char") {
			this.list.skip(name, "holds text");
		} else if (type === COMPOUND) {
			this.list.skip(name, "is complex or a compound");
		} else if (!isNumeric(type, size)) {
			this.list.skip(name, kind === "cell" ? "is a cell array" : "holds no numbers");
		} else {
			const count = shape.reduce((a, b) => a * b, 1);
			this.budget.take(count * size);
			// HDF5 has the last index running fastest; MATLAB's first index is HDF5's last.
			const nFast = shape.length === 0 ? 1 : shape[shape.length - 1];
			const values = asDoubles(dataset.value, this.source);
			if (values.length !== count)
				throw new InputError(this.source, `gives ${name} ${values.length} values of ${count}`);
			this.list.add(name, values, nFast, nFast === 0 ? 0 : count / nFast);
		}
	}
}

function isNumeric(type: number, size: number): boolean {
	if (type === FLOAT) return size === 4 || size === 8;
	return (type === INTEGER || type === ENUMERATION) && (size === 1 || size === 2 || size === 4 || size === 8);
}

/** What h5wasm gives for numbers: a typed array, or for a scalar a number. */
function asDoubles(value: unknown, source: string): Float64Array {
	if (value instanceof Float64Array) return value;
	if (typeof value === "number" || typeof value === "bigint") return Float64Array.of(Number(value));
	if (value instanceof BigInt64Array || value instanceof BigUint64Array) {
		const out = allocate(value.length, source);
		for (let i = 0; i < out.length; i++) out[i] = Number(value[i]);
		return out;
	}
	return ArrayBuffer.isView(value) && !(value instanceof DataView)
		? Float64Array.from(value as Float32Array)
		: new Float64Array(0);
}

function close(file: { close(): unknown } | undefined): void {
	try {
		file?.close();
	} catch {
		// What is there to be said was said when reading failed.
	}
}

/** The innermost cause in a report of the HDF5 library, or a short text as it is. */
function causeOf(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	const causes = text.match(/\(\): .*/g);
	return (causes === null ? text.split("\n", 1)[0] : causes[causes.length - 1].slice(4)).slice(0, 200);
}
