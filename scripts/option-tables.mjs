// Writes the tables of options in docs/study-file.md from the methods themselves: node scripts/option-tables.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, setUp } from "./setup.mjs";

setUp();
const { methods } = await import(new URL("../dist/methods/registry.js", import.meta.url).href);
const tables = [...methods.values()].map(({ name, says, options }) => {
	const rows = Object.entries(options).map(([option, spec]) => {
		const choices = spec.choices ? ` One of ${spec.choices.join(", ")}.` : "";
		return `| \`${option}\` | ${spec.says}${choices} | ${spec.default} |`;
	});
	return [`### \`${name}\``, "", says, "", "| option | meaning | default |", "|---|---|---|", ...rows].join(
		"\n",
	);
});
const file = join(root, "docs", "study-file.md");
const text = readFileSync(file, "utf8");
const written = text.replace(
	/(<!-- options[^\n]*-->\n)[\s\S]*?(<!-- \/options -->)/,
	(_, head, tail) => `${head}${tables.join("\n\n")}\n${tail}`,
);
writeFileSync(file, written);
