// The terms of all that is in the page beside Odentify itself, from the packages' own licence files, as one text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url));

/** What a package contains and its licence file does not say. */
const remarks = {
	katex:
		"Its fonts: Copyright (c) 2009-2010, Design Science, Inc. (www.mathjax.org), Copyright (c) 2014-2018 Khan Academy\n(www.khanacademy.org), with Reserved Font Names KaTeX_*, under the SIL Open Font License, Version 1.1, https://openfontlicense.org",
	h5wasm:
		"Compiled with Emscripten, whose runtime (Copyright (c) 2010-2014 Emscripten authors) and C library (musl, Copyright (c)\n2005-2020 Rich Felker, et al.) are under the MIT licence, as it is given for other packages here; with zlib, Copyright (C)\n1995-2024 Jean-loup Gailly and Mark Adler.",
};

/** Terms of packages that name their licence but bring no file along. */
const terms = {
	saxes: `ISC License

Copyright (c) Isaac Z. Schlueter and Contributors (sax), Louis-Dominique Dubeau and Contributors (saxes)

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/** The folder and name of the package that a module belongs to; `undefined` for our own. */
function packageOf(id) {
	const [path] = id.replace(/^\0/, "").split("?", 1);
	const helper = /^(vite|rolldown)\//.exec(path);
	if (helper) return { name: helper[1], folder: join(packages, helper[1]) };
	const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? [];
	return folder === undefined ? undefined : { name, folder };
}

/**
 * What was put into the page and its workers: every build adds its packages to `found`.
 * @param {Map<string, string>} found folders of packages, by name
 * @returns {import("vite").Plugin}
 */
export const notePackages = (found) => ({
	name: "odentify-note-packages",
	generateBundle(_, bundle) {
		for (const chunk of Object.values(bundle))
			for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
				const from = packageOf(id);
				if (from) found.set(from.name, from.folder);
			}
	},
});

/** The text for packages; throws where one brings no terms along. */
export function licenceText(found) {
	const parts = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => partOf(name, folder));
	const head =
		"This page is Odentify, under the MIT licence. It contains the packages below, each under its own terms.";
	return `${[head, ...parts].join(`\n\n${"=".repeat(78)}\n`)}\n`;
}

function partOf(name, folder) {
	const { version, license = "" } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each));
	if (file === undefined && terms[name] === undefined) throw new Error(`${name} has no licence file`);
	const whole = file === undefined ? terms[name] : readFileSync(join(folder, file), "utf8");
	// What a tool bundles itself is not what it puts into our page.
	const [own] = whole.split(/^# Licenses of bundled dependencies$/m, 1);
	return [`${name} ${version} (${license})`, remarks[name], own.trim()].filter(Boolean).join("\n\n");
}

/**
 * Writes the text beside the page.
 * @param {Map<string, string>} found
 * @returns {import("vite").Plugin}
 */
export const licencesBeside = (found) => ({
	name: "odentify-licences",
	enforce: "post",
	generateBundle() {
		this.emitFile({ type: "asset", fileName: "licences.txt", source: licenceText(found) });
	},
});
