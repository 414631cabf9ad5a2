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
	const files = new Map<string, PageFile>(hdf5Files().map((file) => [file.path, file]));
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || entry.name.startsWith(".")) continue;
		const whole = join(entry.parentPath, entry.name);
		const path = `/${whole.slice(folder.length).split(sep).filter(Boolean).join("/")}`;
		if (path !== needsNoServer) files.set(path, { path, read: () => readFileSync(whole) });
	}
	const index = readFileSync(join(folder, "index.html"), "utf8").replace(
		"</title>",
		'</title>\n<meta name="odentify-serve" content="1">',
	);
	const page = { path: "/index.html", read: () => Buffer.from(index) };
	return files.set("/", page).set("/index.html", page);
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
