/**
 * Zip archives, read with bounds: what an entry claims is held against the bytes that are there and against a budget
 * before anything is unpacked, and its checksum is verified. No encryption, no parts on other disks, no zip64.
 */
import { Inflate } from "fflate";
import { InputError } from "../../errors.ts";
import { UnpackBudget } from "./limits.ts";

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_ENTRIES = 20_000;
/** No deflate stream grows by more. */
const MAX_RATIO = 1032;
const STEP = 64 * 1024;

interface Entry {
	readonly packed: Uint8Array;
	readonly isPacked: boolean;
	readonly size: number;
	readonly crc: number;
}

export class ZipArchive {
	readonly #entries: ReadonlyMap<string, Entry>;
	readonly #budget: UnpackBudget;

	constructor(
		bytes: Uint8Array,
		private readonly source: string,
	) {
		this.#entries = entriesOf(bytes, source);
		this.#budget = new UnpackBudget(source, bytes.length);
	}

	/** Files, without folders. */
	get names(): string[] {
		return [...this.#entries.keys()];
	}

	has(name: string): boolean {
		return this.#entries.has(name);
	}

	/** What a file of the archive holds. */
	bytes(name: string): Uint8Array<ArrayBuffer> {
		const entry = this.#entries.get(name);
		const subject = `${this.source}, ${name}`;
		if (entry === undefined) throw new InputError(subject, "is not in the archive");
		const { packed, isPacked, size, crc } = entry;
		this.#budget.take(size);
		if (!(size <= MAX_RATIO * packed.length + 64))
			throw damaged(subject, `claims to unpack to ${size} bytes`);
		const out = isPacked ? inflated(packed, size, subject) : packed.slice();
		if (out.length !== size) throw damaged(subject, "unpacks to another size than it claims");
		if (crc32(out) !== crc) throw damaged(subject, "fails its checksum");
		return out;
	}
}

function entriesOf(bytes: Uint8Array, source: string): Map<string, Entry> {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = endRecord(view);
	if (end === undefined) throw damaged(source, "is no zip archive, or was cut");
	const count = view.getUint16(end + 10, true);
	const offset = view.getUint32(end + 16, true);
	if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count || offset === 0xffffffff)
		throw new InputError(source, "is a zip archive in parts, or one of more than 4 GiB", "Pack it in one.");
	if (count > MAX_ENTRIES)
		throw new InputError(source, `has ${count} files, more than ${MAX_ENTRIES}`, "Is it the right file?");
	const entries = new Map<string, Entry>();
	let at = offset;
	for (let i = 0; i < count; i++) {
		if (!(at + 46 <= end) || view.getUint32(at, true) !== CENTRAL)
			throw damaged(source, "has a damaged list of files");
		const name = nameAt(view, at, source);
		const entry = entryAt(view, bytes, at, `${source}, ${name}`);
		at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
		if (name.endsWith("/")) continue;
		if (entries.has(name))
			throw new InputError(
				source,
				`holds two files called ${JSON.stringify(name)}`,
				"Pack it again with one.",
			);
		entries.set(name, entry);
	}
	return entries;
}

/** Where the record at the end of the archive stands; a comment of up to 64 KiB may follow it. */
function endRecord(view: DataView): number | undefined {
	for (let at = view.byteLength - 22; at >= 0 && at >= view.byteLength - 65_557; at--)
		if (view.getUint32(at, true) === END) return at;
	return undefined;
}

function nameAt(view: DataView, at: number, source: string): string {
	const length = view.getUint16(at + 28, true);
	if (!(at + 46 + length <= view.byteLength)) throw damaged(source, "has a damaged list of files");
	const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 46, length);
	// Archives of Windows' own making may have its slashes.
	const name = new TextDecoder().decode(bytes).replaceAll("\\", "/");
	const parts = name.replace(/\/$/, "").split("/");
	const isOutside = parts.some((part) => part === ".." || part === "") || /^[A-Za-z]:/.test(name);
	const isOdd = [...name].some((c) => c < " " || c === "\x7f") || name === "";
	if (isOutside || isOdd)
		throw new InputError(
			source,
			`holds a file with the name ${JSON.stringify(name)}, which leads out of it or is none`,
			"It was made by mistake or to do harm: nothing of it is used.",
		);
	return name;
}

function entryAt(view: DataView, bytes: Uint8Array, at: number, subject: string): Entry {
	const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
	const [packedSize, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
	const local = view.getUint32(at + 42, true);
	if ((flags & 1) === 1) throw new InputError(subject, "is locked by a password", "Pack it without.");
	if (method !== 0 && method !== 8)
		throw new InputError(subject, `is packed in a way that is not read (${method})`, "Pack it by deflate.");
	if (!(local + 30 <= bytes.length) || view.getUint32(local, true) !== LOCAL)
		throw damaged(subject, "is not where the archive says");
	const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
	if (!(start + packedSize <= bytes.length)) throw damaged(subject, "goes on after the end of the archive");
	return {
		packed: bytes.subarray(start, start + packedSize),
		isPacked: method === 8,
		size,
		crc: view.getUint32(at + 16, true),
	};
}

function inflated(packed: Uint8Array, size: number, subject: string): Uint8Array<ArrayBuffer> {
	const out = new Uint8Array(size);
	let length = 0;
	const stream = new Inflate((chunk) => {
		if (length + chunk.length > size) throw damaged(subject, "unpacks to more bytes than it claims");
		out.set(chunk, length);
		length += chunk.length;
	});
	try {
		for (let i = 0; i < packed.length; i += STEP)
			stream.push(packed.subarray(i, i + STEP), i + STEP >= packed.length);
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw damaged(subject, `cannot be unpacked (${error instanceof Error ? error.message : error})`);
	}
	return length === size ? out : out.subarray(0, length);
}

function damaged(subject: string, problem: string): InputError {
	return new InputError(subject, problem, "The file is damaged: fetch or save it again.");
}

const CRC = Uint32Array.from({ length: 256 }, (_, i) => {
	let c = i;
	for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
	return c >>> 0;
});

function crc32(bytes: Uint8Array): number {
	let c = 0xffffffff;
	for (let i = 0; i < bytes.length; i++) c = CRC[(c ^ bytes[i]) & 255] ^ (c >>> 8);
	return (c ^ 0xffffffff) >>> 0;
}
