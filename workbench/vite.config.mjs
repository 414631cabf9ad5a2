// The page as a folder of files that any static server can serve, offline.
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { facts } from "./build/facts-plugin.mjs";

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

/** Every browser that runs the page reads woff2. */
const onlyWoff2 = () => ({
	name: "odentify-only-woff2",
	generateBundle(_, bundle) {
		for (const name of Object.keys(bundle)) if (/\.(woff|ttf)$/.test(name)) delete bundle[name];
	},
});

/** Importing a module of ours does nothing but give its names: what is not used is left out. */
const rolldownOptions = {
	treeshake: { moduleSideEffects: (id) => !id.startsWith(here("../src/")) },
	checks: { pluginTimings: false },
};

export default {
	root: here("."),
	base: "./",
	configFile: false,
	plugins: [svelte({ configFile: false }), facts(), withoutEvaluate(), onlyWoff2()],
	worker: { format: "es", plugins: () => [withoutEvaluate()], rolldownOptions },
	build: {
		outDir: here("../dist/workbench"),
		emptyOutDir: true,
		target: "es2023",
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		chunkSizeWarningLimit: 6000,
		reportCompressedSize: false,
		rolldownOptions,
	},
};
