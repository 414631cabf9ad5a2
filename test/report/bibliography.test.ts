import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readBibliography } from "../../src/report/bibliography.ts";

it("reads entries with nested brackets, accents and dashes", () => {
	const entries = readBibliography(`
@article{raue2009,
  author  = {Raue, A. and Klingm{\\"u}ller, U. and M{\\'e}nard, J.},
  title   = {On {ODE} models, and more},
  journal = "Bioinformatics",
  volume  = {25},
  pages   = {1923--1929},
  year    = 2009
}
@book{hairer1993, author = {Hairer, E.}, title = {Solving}, publisher = {Springer}, year = {1993}}
`);
	expect(entries.get("raue2009")).toBe(
		"A. Raue, U. Klingmüller and J. Ménard. On ODE models, and more. Bioinformatics 25, 1923–1929. 2009.",
	);
	expect(entries.get("hairer1993")).toBe("E. Hairer. Solving. Springer. 1993.");
});

it("makes a sentence of every entry of the project", () => {
	const text = readFileSync(new URL("../../docs/references.bib", import.meta.url), "utf8");
	const entries = readBibliography(text);
	expect(entries.size).toBe([...text.matchAll(/^@/gm)].length);
	for (const sentence of entries.values()) {
		expect(sentence).toMatch(/\d{4}/);
		expect(sentence).not.toMatch(/[{}\\]|\.\.$/);
	}
});
