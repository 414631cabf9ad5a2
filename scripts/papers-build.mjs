// The reproductions of papers as one module, dist/papers/reproductions.js, that `odentify reproduce` loads. They stand
// apart from the library and use it as built: what they import from src/ stays an import, of the module in dist/.
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const libraryAsBuilt = {
	name: "library-as-built",
	enforce: "pre",
	resolveId(specifier, importer) {
		if (!importer || !specifier.startsWith(".")) return;
		const inside = relative(at("src"), resolve(dirname(importer), specifier));
		if (inside.startsWith("..")) return;
		return { id: `../${inside.replaceAll("\\", "/").replace(/\.ts$/, ".js")}`, external: true };
	},
};

await build({
	configFile: false,
	root: at("papers"),
	logLevel: "warn",
	plugins: [libraryAsBuilt],
	build: {
		ssr: "reproductions.ts",
		outDir: at("dist/papers"),
		emptyOutDir: true,
		target: "es2022",
		minify: false,
		sourcemap: false,
		rolldownOptions: {
			makeAbsoluteExternalsRelative: false,
			// As those of the command: smaller, with the names that errors show.
			output: { minify: { compress: false, mangle: { keepNames: true }, codegen: true } },
		},
	},
});
