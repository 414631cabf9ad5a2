/** The part of h5wasm that writes; what reads is declared with the data formats. */
declare module "h5wasm" {
	interface Group {
		create_group(name: string, trackOrder?: boolean): Group;
		create_dataset(args: {
			name: string;
			data: Float64Array | BigInt64Array;
			shape: number[];
			dtype?: string;
			track_order?: boolean;
		}): Dataset;
	}
	interface Entity {
		create_attribute(name: string, data: string | number): void;
	}
	interface Dataset {
		make_scale(name: string): void;
		attach_scale(dimension: number, path: string): void;
		get_attached_scales(dimension: number): string[];
	}
	interface Writer {
		FS: {
			writeFile(path: string, bytes: Uint8Array): void;
			readFile(path: string): Uint8Array<ArrayBuffer>;
			unlink(path: string): void;
		};
	}
}
