// The command in few files, dist/cli/joined: of some 800 modules each start of `odentify` would open, read and link most, which
// takes longer than many a command. What a module finds beside itself (scripts of threads, docs, the page) it finds as before.
import { renameSync, rmSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = at("dist/cli/joined");
const aside = at("dist/cli/joined-new");
const slashes = (path) => path.replaceAll("\\", "/");

/** Where the compiled file of a source lies, seen from the joined ones. */
const compiled = (source) =>
	slashes(relative(folder, at(`dist/${slashes(relative(at("src"), source)).replace(/\.ts$/, ".js")}`)));

const placesKept = {
	name: "places-kept",
	transform(code, id) {
		if (!code.includes("import.meta.url")) return null;
		let kept = code;
		for (const { start, end } of ownPlaces(this.parse(code)).reverse())
			kept = `${kept.slice(0, start)}new URL("${compiled(id)}", import.meta.url).href${kept.slice(end)}`;
		return { code: kept, map: null };
	},
};

/** Where a module asks for its own place, `import.meta.url`: in its code, not in texts that it writes. */
function ownPlaces(node) {
	if (node?.type === "MemberExpression" && node.object.type === "MetaProperty") return [node];
	return Object.values(node ?? {}).flatMap((each) => (typeof each === "object" ? ownPlaces(each) : []));
}

/** Papers use the library file by file: what they throw has to be what the command catches, and of one version with it. */
const shared = [at("src/errors.ts"), at("src/version.ts")];
const filesShared = {
	name: "files-shared",
	enforce: "pre",
	resolveId(specifier, importer) {
		if (!importer || !specifier.startsWith(".")) return null;
		const path = resolve(dirname(importer), specifier);
		return shared.includes(path) ? { id: compiled(path), external: true } : null;
	},
};

await build({
	configFile: false,
	root: at("src/cli"),
	logLevel: "warn",
	plugins: [filesShared, placesKept],
	build: {
		ssr: "program.ts",
		// Made aside, so that a command that starts meanwhile finds the old files or the new ones.
		outDir: aside,
		emptyOutDir: true,
		target: "es2022",
		minify: false,
		sourcemap: false,
		rolldownOptions: {
			makeAbsoluteExternalsRelative: false,
			output: {
				chunkFileNames: "[name].js",
				minify: { compress: true, mangle: { keepNames: true }, codegen: true },
			},
		},
	},
});
rmSync(folder, { recursive: true, force: true });
renameSync(aside, folder);
