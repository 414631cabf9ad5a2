/** A MAT file of version 7.3: HDF5 behind a header. */
export async function matFile(): Promise<Uint8Array> {
	const { File, ready } = (await import("h5wasm")) as unknown as {
		File: new (
			path: string,
			mode: "w",
		) => {
			create_dataset(what: { name: string; data: Float64Array; shape: number[] }): unknown;
			close(): void;
		};
		ready: Promise<{ FS: { readFile(path: string): Uint8Array } }>;
	};
	const { FS } = await ready;
	const file = new File("new.h5", "w");
	for (const name of ["u", "y"])
		file.create_dataset({ name, data: Float64Array.from({ length: 50 }, (_, i) => i / 7), shape: [1, 50] });
	file.close();
	const hdf5 = FS.readFile("new.h5");
	const out = new Uint8Array(512 + hdf5.length);
	out.set(new TextEncoder().encode("MATLAB 7.3 MAT-file, made by a test"));
	out.set([0, 2, 73, 77], 124);
	out.set(hdf5, 512);
	return out;
}
