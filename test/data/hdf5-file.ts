/** HDF5 files as tests need them. */
import { constants, deflateRawSync } from "node:zlib";

/** The writing side of h5wasm, which the library itself has no use for. */
export interface WritableGroup {
	create_group(name: string): WritableGroup;
	create_dataset(what: {
		name: string;
		data: ArrayBufferView | string | number;
		shape?: number[];
		dtype?: string;
		chunks?: number[];
		compression?: number;
	}): { create_attribute(name: string, value: string): void };
	create_hard_link(target: string, name: string): void;
}
interface Writer {
	File: new (
		path: string,
		mode: "w",
		options?: { libver: [string, string] },
	) => WritableGroup & { close(): void };
	ready: Promise<{ FS: { readFile(path: string): Uint8Array } }>;
}

export async function hdf5File(fill: (file: WritableGroup) => void): Promise<Uint8Array> {
	const { File, ready } = (await import("h5wasm")) as unknown as Writer;
	const { FS } = await ready;
	// The old form has no checksums: what a test changes is read.
	const file = new File("written.h5", "w", { libver: ["earliest", "latest"] });
	fill(file);
	file.close();
	return FS.readFile("written.h5");
}

/** With the 512 bytes that MATLAB puts before its HDF5 data. */
export function asMat(hdf5: Uint8Array): Uint8Array {
	const out = new Uint8Array(512 + hdf5.length);
	out.set(new TextEncoder().encode("MATLAB 7.3 MAT-file, made by a test"));
	out.set([0, 2, 73, 77], 124);
	out.set(hdf5, 512);
	return out;
}

/** A file of one column that the HDF5 library reads for ever: an object of its global heap has the size 0. */
export async function endlessFile(): Promise<Uint8Array<ArrayBuffer>> {
	const file = await hdf5File((f) => {
		const x = f.create_dataset({ name: "x", data: Float64Array.of(1, 2, 3), shape: [1, 3] });
		x.create_attribute("MATLAB_class", "double");
	});
	const heap = Buffer.from(file).indexOf("GCOL");
	file[heap + 24] = 0;
	return Uint8Array.from(file);
}

/** A file whose one chunk, of a megabyte, unpacks to a gigabyte of zeros. */
export async function bombFile(): Promise<Uint8Array<ArrayBuffer>> {
	const noise = Float64Array.from({ length: 160_000 }, (_, i) => Math.sin(i * i) * 2 ** (i % 900));
	const written = await hdf5File((f) => {
		f.create_dataset({
			name: "x",
			data: noise,
			shape: [noise.length],
			chunks: [noise.length],
			compression: 1,
		});
	});
	const file = Buffer.from(written);
	// The tree of chunks (its kind is 1): one key, the address of its chunk after it.
	let tree = file.indexOf("TREE");
	while (file[tree + 4] !== 1) tree = file.indexOf("TREE", tree + 1);
	let at = Number(file.readBigUInt64LE(tree + 48));
	const end = at + file.readUInt32LE(tree + 24);
	const megabyte = deflateRawSync(Buffer.alloc(2 ** 20), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
	file.set([0x78, 0x01], at);
	for (at += 2; at + megabyte.length <= end; at += megabyte.length) file.set(megabyte, at);
	return Uint8Array.from(file);
}
