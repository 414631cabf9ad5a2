// The page, offline: as a folder of files that any static server can serve, and as one file that needs no server.
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { facts } from "./build/facts-plugin.mjs";
import { hdf5Beside, hdf5Outside } from "./build/hdf5-beside.mjs";
import { licencesBeside, licenceText, notePackages } from "./build/licences.mjs";
import { intoOneFile, workersInside, workersPacked } from "./build/one-file.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Generated JavaScript is forbidden in the page: its module is replaced, so that not even a probe is left. */
const withoutEvaluate = () => ({
	name: "odentify-without-evaluate",
	enforce: "pre",
	resolveId(source, importer) {
		const wanted = importer && /(^|\/)evaluate\.ts$/.test(source) && /src\/lower\//.test(importer);
		return wanted && !/model\/evaluate/.test(source) ? here("engine/no-evaluate.ts") : undefined;
	},
});

/** Every browser that runs the page reads woff2, and equations are set in roman and italic, none of them bold, with signs of any size. */
const fewFonts = () => ({
	name: "odentify-few-fonts",
	enforce: "pre",
	transform(code, id) {
		if (!/katex.*\.css(\?|$)/.test(id)) return undefined;
		const used = /font-family:\s*"?KaTeX_(Main|Math|AMS|Size\d)"?/;
		return {
			code: code
				.replace(/@font-face\s*\{[^}]*\}/g, (face) =>
					used.test(face) && !/font-weight:\s*(bold|700)/.test(face) ? face : "",
				)
				.replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\("[a-z]+"\)/g, ""),
			map: null,
		};
	},
});

/** Importing a module of ours does nothing but give its names: what is not used is left out. */
const rolldownOptions = {
	treeshake: { moduleSideEffects: (id) => !id.startsWith(here("../src/")) },
	checks: { pluginTimings: false },
};

const common = { root: here("."), base: "./", configFile: false };
const output = {
	outDir: here("../dist/workbench"),
	target: "es2023",
	modulePreload: { polyfill: false },
	chunkSizeWarningLimit: 20_000,
	reportCompressedSize: false,
};

const outside = { ...rolldownOptions, ...hdf5Outside };
const inFolder = new Map();
const inFile = new Map();

/** The folder, which `index.html` begins. */
export const folder = {
	...common,
	plugins: [
		svelte({ configFile: false }),
		facts(),
		withoutEvaluate(),
		fewFonts(),
		notePackages(inFolder),
		hdf5Beside(inFolder),
		licencesBeside(inFolder),
	],
	worker: {
		format: "es",
		plugins: () => [withoutEvaluate(), notePackages(inFolder)],
		rolldownOptions: outside,
	},
	build: { ...output, emptyOutDir: true, assetsInlineLimit: 0, rolldownOptions: outside },
};

/** What is loaded later in the folder is inside the file: there is no address to load it from. */
const whole = {
	...rolldownOptions,
	output: { codeSplitting: false },
	transform: { define: { "import.meta": "{}" } },
};

/** `odentify.html`, with all that it needs inside: it goes beside the folder's own. */
export const oneFile = {
	...common,
	publicDir: false,
	plugins: [
		svelte({ configFile: false }),
		facts({ recordsInside: true }),
		withoutEvaluate(),
		fewFonts(),
		workersInside(),
		workersPacked(),
		notePackages(inFile),
		intoOneFile(here("index.html"), here("public/icon.svg"), () => licenceText(inFile)),
	],
	worker: {
		format: "iife",
		plugins: () => [withoutEvaluate(), workersInside(), workersPacked(), notePackages(inFile)],
		rolldownOptions: whole,
	},
	build: {
		...output,
		emptyOutDir: false,
		assetsInlineLimit: Infinity,
		cssCodeSplit: false,
		rolldownOptions: { ...whole, input: here("main.ts"), output: { ...whole.output, format: "iife" } },
	},
};
