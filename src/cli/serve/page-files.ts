/** The files of the page, listed once: what is not in the list is not served, whatever its path says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { InputError } from "../../errors.ts";

export interface PageFile {
	readonly path: string;
	read(): Uint8Array;
}

/** The page as one file, for disks and file shares: its scripts stand inside, which the policy of the server forbids. */
const needsNoServer = "/odentify.html";

/** By path below the server's root; the index says that `serve` is there. */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
	if (!existsSync(join(folder, "index.html")))
		throw new InputError("the workbench", "is not built", "Build it with  npm run build");
	const found = [...hdf5Files(), ...exampleRecords(folder), ...filesBelow(folder)];
	const files = new Map<string, PageFile>(found.map((file) => [file.path, file]));
	files.delete(needsNoServer);
	const index = readFileSync(join(folder, "index.html"), "utf8").replace(
		"</title>",
		'</title>\n<meta name="odentify-serve" content="1">',
	);
	const page = { path: "/index.html", read: () => Buffer.from(index) };
	return files.set("/", page).set("/index.html", page);
}

/** All of a folder but what is hidden. */
function filesBelow(folder: string): PageFile[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.startsWith("."))
		.map(({ parentPath, name }) => {
			const whole = join(parentPath, name);
			const path = `/${whole.slice(folder.length).split(sep).filter(Boolean).join("/")}`;
			return { path, read: () => readFileSync(whole) };
		});
}

/** Records of the examples, as the package has them for its command: the page of a package comes without. */
function exampleRecords(page: string): PageFile[] {
	const folder = join(page, "..", "..", "examples", "papers");
	if (!existsSync(folder)) return [];
	return filesBelow(folder)
		.filter(({ path }) => path.endsWith(".csv"))
		.map(({ path, read }) => ({ path: `/examples${path}`, read }));
}

/** The HDF5 library, as its own package has it: the page of a package from npm comes without. */
function hdf5Files(): PageFile[] {
	const places = createRequire(import.meta.url).resolve.paths("h5wasm") ?? [];
	const folder = places.map((place) => join(place, "h5wasm")).find(existsSync);
	if (folder === undefined) return [];
	const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
	const scripts = join(folder, "dist", "esm");
	return readdirSync(scripts)
		.filter((name) => name.endsWith(".js"))
		.map((name) => ({
			path: `/assets/h5wasm-${version}/${name}`,
			read: () => readFileSync(join(scripts, name)),
		}));
}
