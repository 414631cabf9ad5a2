// What is made when the page is built: the modules `virtual:facts` and `virtual:records`, and the examples' records.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ids = ["virtual:facts", "virtual:records"];
const examples = `${root}examples/papers`;

/**
 * @param {{ recordsInside?: boolean }} options whether the records are part of the page, not files beside it
 * @returns {import("vite").Plugin}
 */
export function facts({ recordsInside = false } = {}) {
	let loading;
	const load = async () => {
		loading ??= runnerImport(`${root}workbench/build/facts.ts`, {
			configFile: false,
			logLevel: "error",
			root,
		});
		return (await loading).module;
	};
	return {
		name: "odentify-facts",
		resolveId: (source) => (ids.includes(source) ? `\0${source}` : undefined),
		async load(id) {
			const source = id.slice(1);
			if (id[0] !== "\0" || !ids.includes(source)) return undefined;
			const { factsOf, recordFiles } = await load();
			if (source === "virtual:facts") return `export default ${JSON.stringify(factsOf(examples))};`;
			const inside = recordsInside ? recordFiles(examples) : [];
			return `export default new Map(${JSON.stringify(inside.map(({ path, content }) => [path, content]))});`;
		},
		async generateBundle() {
			if (recordsInside) return;
			for (const { path, content } of (await load()).recordFiles(examples))
				this.emitFile({ type: "asset", fileName: path, source: content });
		},
	};
}
