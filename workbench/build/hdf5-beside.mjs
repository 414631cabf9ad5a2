// The HDF5 library lies in the folder as its package has it, not rewritten: the package that npm installs leaves these files
// out, a quarter of its size, since npm installs h5wasm anyway and `odentify serve` finds it there.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../node_modules/h5wasm/", import.meta.url));
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
/** Below `assets`, where the scripts are that load it. */
const place = `h5wasm-${version}`;

/** For the options of the bundler. */
export const hdf5Outside = {
	external: ["h5wasm"],
	output: { paths: { h5wasm: `./${place}/hdf5_hl.js` } },
};

/**
 * @param {Map<string, string>} found packages of the page, by name
 * @returns {import("vite").Plugin}
 */
export const hdf5Beside = (found) => ({
	name: "odentify-hdf5-beside",
	generateBundle() {
		found.set("h5wasm", folder);
		for (const file of readdirSync(join(folder, "dist/esm")).filter((name) => name.endsWith(".js")))
			this.emitFile({
				type: "asset",
				fileName: `assets/${place}/${file}`,
				source: readFileSync(join(folder, "dist/esm", file)),
			});
	},
});
