// The modules and files that are made when the page is built: `virtual:facts`, and the records of the examples.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const id = "\0virtual:facts";
const examples = `${root}examples/papers`;

/** @returns {import("vite").Plugin} */
export function facts() {
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
		resolveId: (source) => (source === "virtual:facts" ? id : undefined),
		async load(source) {
			if (source !== id) return undefined;
			return `export default ${JSON.stringify((await load()).factsOf(examples))};`;
		},
		async generateBundle() {
			for (const { path, content } of (await load()).recordFiles(examples))
				this.emitFile({ type: "asset", fileName: path, source: content });
		},
	};
}
