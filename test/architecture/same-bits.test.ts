/** The lint rule that keeps what the engine rounds as it likes out of the sources. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Workplace } from "../cli/odentify.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const forbidden = [
	"export const x = Math.exp(1);",
	"export const x = [1].map(Math.log10);",
	"export const x = Math.hypot(3, 4);",
	"export const x = Math.random();",
	'export const x = Math["tanh"](1);',
	"export const x = globalThis.Math.cbrt(2);",
	"const { sin } = Math;\nexport const x = sin(1);",
	"export const x = (y: number) => y ** 2;",
	"export const x = (k: number) => 2 ** k;",
	"export const x = 10 ** -3;",
	"export const f = (y: number) => {\n\ty **= 3;\n\treturn y;\n};",
];
const allowed = [
	"export const x = Math.sqrt(Math.max(Math.abs(-1), Math.PI));",
	"export const x = [2 ** -53, 2 ** 70, 10n ** 20n];",
	'export const x = "3 ** 2, Math.exp"; // 3 ** 2, Math.exp(1)',
	"// biome-ignore lint/plugin: whole numbers of any size are exact\nexport const x = (n: bigint) => n ** 3n;",
];

test("numbers do not depend on the engine", () => {
	const copied = ["biome.json", "scripts/same-bits.grit"];
	const place = new Workplace({
		...Object.fromEntries(copied.map((name) => [name, readFileSync(join(root, name))])),
		...Object.fromEntries(forbidden.map((text, i) => [`src/num/forbidden-${i}.ts`, text])),
		...Object.fromEntries(allowed.map((text, i) => [`src/num/allowed-${i}.ts`, text])),
		// What draws the page may use them.
		"workbench/page.ts": forbidden[0],
	});
	try {
		const { stdout, stderr } = spawnSync(
			process.execPath,
			[join(root, "node_modules/@biomejs/biome/bin/biome"), "lint", "--vcs-enabled=false", "."],
			{ cwd: place.path, encoding: "utf8" },
		);
		const found = new Set(
			Array.from((stdout + stderr).matchAll(/(\S+\.ts):\d+:\d+ plugin/g), ([, file]) => file),
		);
		expect([...found].sort()).toEqual(forbidden.map((_, i) => `src/num/forbidden-${i}.ts`).sort());
	} finally {
		place.clean();
	}
});
