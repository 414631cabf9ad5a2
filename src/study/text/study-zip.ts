/**
 * A study as one file: a zip archive with the study, its model and its records, which run wherever it is unpacked. The same
 * code packs and opens it on the command line and on the page.
 */
import { zipSync } from "fflate";
import { ZipArchive } from "../../data/read/zip.ts";
import { InputError } from "../../errors.ts";
import { looksLikePetab } from "../../formats/petab/looks-like.ts";
import type { Study } from "../study.ts";
import { type MethodOptions, parseStudy } from "./study-file.ts";

const studyName = "study.yaml";
/** Archives of the same files have the same bytes. */
const noTime = { mtime: new Date(1980, 0, 1) };

export interface UnpackedStudy {
	/** Name of the study, or of the PEtab problem, in `files`. */
	readonly study: string;
	/** All that the archive holds, by name; names are paths within it. */
	readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Files that a study names: as it writes them, without those that are the same. */
export function filesOf(study: Study): string[] {
	const records = [...study.records, ...study.testRecords].flatMap(({ file }) => file ?? []);
	return [...new Set([...(study.model.kind === "file" ? [study.model.file] : []), ...records])];
}

/** `read` gives the bytes of a file that the study names. Names that lead elsewhere are changed, also in the study. */
export function packStudy(study: Study, read: (file: string) => Uint8Array): Uint8Array {
	const names = namesWithin(filesOf(study));
	const files: Record<string, Uint8Array> = { [studyName]: new TextEncoder().encode(renamed(study, names)) };
	for (const [file, name] of [...names].sort(([, a], [, b]) => (a < b ? -1 : 1))) files[name] = read(file);
	const packed = Object.entries(files).map(([name, bytes]) => [name, [bytes, noTime]] as const);
	return zipSync(Object.fromEntries(packed) as Parameters<typeof zipSync>[0]);
}

/** Opens an archive: a study and what it names, checked, or a PEtab problem and what lies with it. Throws InputError. */
export function unpackStudy(bytes: Uint8Array, source: string, methods: MethodOptions): UnpackedStudy {
	const archive = new ZipArchive(bytes, source);
	const study = studyIn(archive.names, source);
	const text = textOf(archive.bytes(study), `${source}, ${study}`);
	const folder = study.slice(0, study.lastIndexOf("/") + 1);
	const files = new Map([[study, archive.bytes(study)]]);
	if (looksLikePetab(text)) {
		// Which of its files it needs, its reader says: all that lies beside it and below comes along.
		for (const name of archive.names)
			if (name !== study && name.startsWith(folder) && !isOfSystem(name))
				files.set(name, archive.bytes(name));
		return { study, files };
	}
	for (const file of filesOf(parseStudy(text, `${source}, ${study}`, methods))) {
		const name = within(folder, file);
		if (name === undefined)
			throw new InputError(
				`${source}, ${study}`,
				`names ${file}, which lies outside of the archive`,
				"Pack the study again with  odentify pack",
			);
		if (!archive.has(name))
			throw new InputError(
				`${source}, ${study}`,
				`names ${file}, which is not in the archive`,
				`It holds ${archive.names.slice(0, 12).join(", ")}.`,
			);
		files.set(name, archive.bytes(name));
	}
	return { study, files };
}

function studyIn(names: readonly string[], source: string): string {
	const depth = (name: string): number => name.split("/").length;
	const all = names.filter((name) => /\.ya?ml$/i.test(name) && !isOfSystem(name));
	const top = Math.min(...all.map(depth));
	const found = all.filter((name) => depth(name) === top);
	const usual = found.filter((name) => name.split("/").at(-1) === studyName);
	if (usual.length === 1) return usual[0];
	if (found.length === 1) return found[0];
	throw new InputError(
		source,
		found.length === 0 ? "holds no study" : `holds several studies: ${found.join(", ")}`,
		found.length === 0
			? "An archive of a study has a file study.yaml in it. Make one with  odentify pack study.yaml"
			: usual.length > 1
				? "Pack each by itself, or unpack the archive and name the one that is meant."
				: "Call the one that is meant study.yaml.",
	);
}

/** Systems of others put folders of their own into archives. */
function isOfSystem(name: string): boolean {
	return /^__MACOSX\//.test(name);
}

function textOf(bytes: Uint8Array, subject: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new InputError(subject, "is not text in UTF-8", "Save the study as UTF-8.");
	}
}

/** A name as it stands in the archive; `undefined` where it leads out of it. */
function within(folder: string, file: string): string | undefined {
	if (/^(?:[A-Za-z]:|[\\/])/.test(file)) return undefined;
	const parts: string[] = folder.split("/").filter((part) => part !== "");
	for (const part of file.replaceAll("\\", "/").split("/")) {
		if (part === "..") {
			if (parts.pop() === undefined) return undefined;
		} else if (part !== "." && part !== "") parts.push(part);
	}
	return parts.join("/");
}

/** The name of each file in the archive: its own where it lies beside the study or below, else its last part. */
function namesWithin(files: readonly string[]): Map<string, string> {
	const names = new Map<string, string>();
	const taken = new Set([studyName]);
	const keep = (file: string, name: string): void => {
		names.set(file, name);
		taken.add(name);
	};
	for (const file of files) {
		const name = within("", file);
		if (name !== undefined && !taken.has(name)) keep(file, name);
	}
	for (const file of files) {
		if (names.has(file)) continue;
		const base = file.split(/[\\/]/).at(-1)!;
		let name = base;
		for (let i = 2; taken.has(name); i++) name = base.replace(/(\.[^.]*)?$/, `-${i}$1`);
		keep(file, name);
	}
	return names;
}

/** The text of the study with other names of files: all else, comments too, stays as it is. */
function renamed(study: Study, names: ReadonlyMap<string, string>): string {
	const changes = new Map<number, { readonly end: number; readonly name: string }>();
	const change = (path: string, file: string | undefined): void => {
		const place = study.places.get(path)?.value;
		const name = file === undefined ? undefined : names.get(file);
		if (place && name !== undefined && name !== file) changes.set(place.start, { end: place.end, name });
	};
	if (study.model.kind === "file") change("model", study.model.file);
	for (const { path, file } of [...study.records, ...study.testRecords]) change(`${path}.file`, file);
	let text = study.source;
	for (const [start, { end, name }] of [...changes].sort(([a], [b]) => b - a))
		text = `${text.slice(0, start)}${JSON.stringify(name)}${text.slice(end)}`;
	return text;
}
