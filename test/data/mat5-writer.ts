/** Writes MAT v5 files for the tests: either byte order, compressed or not, any storage type. */
import { zlibSync } from "fflate";

export const TYPES = {
	int8: { type: 1, size: 1, class: 8 },
	uint8: { type: 2, size: 1, class: 9 },
	int16: { type: 3, size: 2, class: 10 },
	uint16: { type: 4, size: 2, class: 11 },
	int32: { type: 5, size: 4, class: 12 },
	uint32: { type: 6, size: 4, class: 13 },
	single: { type: 7, size: 4, class: 7 },
	double: { type: 9, size: 8, class: 6 },
	int64: { type: 12, size: 8, class: 14 },
	uint64: { type: 13, size: 8, class: 15 },
} as const;
export type TypeName = keyof typeof TYPES;

export type Variable =
	| {
			kind: "array";
			name: string;
			size: number[];
			values: number[];
			type?: TypeName;
			storage?: TypeName;
			complex?: boolean;
	  }
	| { kind: "struct"; name: string; fields: string[]; elements: Variable[]; count?: number }
	| { kind: "cell"; name: string; elements: Variable[] }
	| { kind: "other"; name: string; class: number };

export interface MatOptions {
	little?: boolean;
	compressed?: boolean;
	/** Elements of up to four bytes in the short form. */
	short?: boolean;
}

export function matFile(variables: Variable[], options: MatOptions = {}): Uint8Array {
	const little = options.little ?? true;
	const header = new Uint8Array(128).fill(32, 0, 116);
	header.set(new TextEncoder().encode("MATLAB 5.0 MAT-file, made by a test"));
	header.set(little ? [0, 1, 73, 77] : [1, 0, 77, 73], 124);
	const parts: Uint8Array[] = [header];
	for (const variable of variables) {
		const plain = matrix(variable, options, false);
		parts.push(
			options.compressed ? element(15, zlibSync(plain), { ...options, short: false }, false) : plain,
		);
	}
	return joined(parts);
}

/** Tag, data, padding. */
export function element(
	type: number,
	data: Uint8Array,
	{ little = true, short = true }: MatOptions,
	padded = true,
): Uint8Array {
	if (short && data.length > 0 && data.length <= 4) {
		const out = new Uint8Array(8);
		new DataView(out.buffer).setUint32(0, (data.length << 16) | type, little);
		out.set(data, 4);
		return out;
	}
	const out = new Uint8Array(8 + (padded ? Math.ceil(data.length / 8) * 8 : data.length));
	const view = new DataView(out.buffer);
	view.setUint32(0, type, little);
	view.setUint32(4, data.length, little);
	out.set(data, 8);
	return out;
}

function matrix(variable: Variable, options: MatOptions, inside: boolean): Uint8Array {
	const name = element(1, new TextEncoder().encode(inside ? "" : variable.name), options);
	const flags = (bits: number) =>
		element(6, numberBytes([bits, 0], "uint32", options), { ...options, short: false });
	const size = (dims: number[]) => element(5, numberBytes(dims, "int32", options), options);
	let parts: Uint8Array[];
	if (variable.kind === "array") {
		const type = variable.type ?? "double";
		const storage = variable.storage ?? type;
		const data = element(TYPES[storage].type, numberBytes(variable.values, storage, options), options);
		parts = [flags(TYPES[type].class | (variable.complex ? 0x800 : 0)), size(variable.size), name, data];
		if (variable.complex) parts.push(data);
	} else if (variable.kind === "struct") {
		const labels = new Uint8Array(32 * variable.fields.length);
		variable.fields.forEach((field, f) => {
			labels.set(new TextEncoder().encode(field), 32 * f);
		});
		parts = [
			flags(2),
			size([1, variable.count ?? 1]),
			name,
			element(5, numberBytes([32], "int32", options), options),
		];
		parts.push(element(1, labels, options), ...variable.elements.map((e) => matrix(e, options, true)));
	} else if (variable.kind === "cell") {
		parts = [
			flags(1),
			size([1, variable.elements.length]),
			name,
			...variable.elements.map((e) => matrix(e, options, true)),
		];
	} else {
		parts = [
			flags(variable.class),
			size([1, 2]),
			name,
			element(4, numberBytes([104, 105], "uint16", options), options),
		];
	}
	return element(14, joined(parts), { ...options, short: false });
}

function numberBytes(values: number[], type: TypeName, { little = true }: MatOptions): Uint8Array {
	const { size } = TYPES[type];
	const out = new Uint8Array(values.length * size);
	const view = new DataView(out.buffer);
	values.forEach((value, i) => {
		if (type === "double") view.setFloat64(8 * i, value, little);
		else if (type === "single") view.setFloat32(4 * i, value, little);
		else if (size === 1) view.setUint8(i, value);
		else if (size === 2) view.setUint16(2 * i, value, little);
		else if (size === 4) view.setUint32(4 * i, value, little);
		else view.setBigUint64(8 * i, BigInt.asUintN(64, BigInt(value)), little);
	});
	return out;
}

export function joined(parts: Uint8Array[]): Uint8Array {
	const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
	let at = 0;
	for (const part of parts) {
		out.set(part, at);
		at += part.length;
	}
	return out;
}
