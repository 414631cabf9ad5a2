/**
 * The part of h5wasm that is used here. Its own types declare dozens of Emscripten names as globals, which would
 * let misspelt names compile everywhere.
 */
declare module "h5wasm" {
	interface Metadata {
		/** HDF5 type class: 0 integer, 1 float, 6 compound, 7 reference, 8 enumeration. */
		type: number;
		/** Bytes of one value. */
		size: number;
		littleEndian: boolean;
		shape: number[] | null;
	}
	class Attribute {
		readonly value: unknown;
	}
	class Entity {
		readonly attrs: Record<string, Attribute>;
	}
	class Group extends Entity {
		keys(): string[];
		get(name: string): Entity | null;
	}
	class Dataset extends Entity {
		readonly metadata: Metadata;
		readonly value: unknown;
	}
	class File extends Group {
		constructor(path: string, mode: "r" | "w");
		readonly file_id: bigint;
		close(): number;
	}
	const ready: Promise<{
		FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
		activate_throwing_error_handler(): number;
	}>;
}
