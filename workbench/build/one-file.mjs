// The page as one file that needs no server: browsers load neither modules nor workers from `file:`, so the script stands
// in the page as a classic one, and workers start from texts that it holds. The policy names both by their digests.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const digest = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

/**
 * Workers that start from a text of the page instead of a file beside it.
 * @returns {import("vite").Plugin}
 */
export const workersInside = () => ({
	name: "odentify-workers-inside",
	enforce: "pre",
	transform(code) {
		const start = /new Worker\(new URL\("([^"]+)", import\.meta\.url\), \{\s*type: "module",?\s*\}\)/g;
		if (!start.test(code)) return undefined;
		const imports = [];
		const changed = code.replace(start, (_, path) => {
			imports.push(`import Worker${imports.length} from "${path}?worker&inline";`);
			return `new Worker${imports.length - 1}()`;
		});
		return { code: `${imports.join("")}${changed}`, map: null };
	},
});

const starter = fileURLToPath(new URL("./packed-worker.ts", import.meta.url));

/**
 * Packs the scripts of such workers. One stands in the other, and each time the text would grow by what has to be escaped.
 * @returns {import("vite").Plugin}
 */
export const workersPacked = () => ({
	name: "odentify-workers-packed",
	enforce: "pre",
	transform(code, id) {
		if (!/\?worker&inline$/.test(id)) return undefined;
		const [line] = code.split("\n", 1);
		const begin = "const jsContent = ";
		if (!line.startsWith(begin)) throw new Error(`${id} is not a worker in a text, as it used to be`);
		const script = JSON.parse(line.slice(begin.length, line.lastIndexOf(";")));
		const packed = deflateRawSync(script, { level: 9 }).toString("base64");
		const start = `export default function () { return startPacked("${packed}"); }`;
		return { code: `import { startPacked } from ${JSON.stringify(starter)};\n${start}`, map: null };
	},
});

/** A text that can stand in a script element: it says the same to a reader. */
const data = (text) => text.replaceAll(/<(?=\/script|!--)/gi, "< ");

/**
 * Puts what was built into the page's own HTML, and leaves nothing beside it.
 * @param {string} template the HTML of the page
 * @param {string} icon its icon, an SVG file
 * @param {() => string} licences the terms of what is in it
 * @returns {import("vite").Plugin}
 */
export const intoOneFile = (template, icon, licences) => ({
	name: "odentify-into-one-file",
	enforce: "post",
	generateBundle(_, bundle) {
		const chunks = Object.values(bundle);
		const scripts = chunks.filter(({ type }) => type === "chunk");
		const styles = chunks.filter(({ fileName }) => fileName.endsWith(".css"));
		if (scripts.length !== 1 || styles.length !== 1)
			throw new Error(`one script and one style sheet are expected, not ${Object.keys(bundle).join(", ")}`);
		// In a script, `<!--` and `</script` would end or hide what follows; in strings and patterns this says the same.
		const script = scripts[0].code.replaceAll(/<(?=\/script|!--)/gi, "\\x3C");
		const style = String(styles[0].source);
		const picture = `data:image/svg+xml;base64,${readFileSync(icon).toString("base64")}`;
		const policy = [
			"default-src 'none'",
			`script-src ${digest(script)} 'wasm-unsafe-eval'`,
			`style-src ${digest(style)}`,
			"img-src data: blob:",
			"font-src data:",
			"worker-src blob:",
			"base-uri 'none'",
			"form-action 'none'",
		].join("; ");
		const html = readFileSync(template, "utf8")
			.replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
			.replace(/<script vite-ignore src="\.\/from-file\.js">.*?<\/script>\n/, "")
			.replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${picture}">\n<style>${style}</style>`)
			.replace(
				/<script type="module"[^>]*><\/script>/,
				() =>
					`<script type="text/plain" id="licences">\n${data(licences())}</script>\n<script>${script}</script>`,
			);
		for (const name of Object.keys(bundle)) delete bundle[name];
		this.emitFile({ type: "asset", fileName: "odentify.html", source: html });
	},
});
