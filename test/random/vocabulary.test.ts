/**
 * What is drawn at random holds every word of the language and every key of a study, taken from their own tables: what is
 * declared newly and never drawn fails here.
 */
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { methods } from "../../src/methods/registry.ts";
import { eventOptions } from "../../src/model/language/events.ts";
import { families, noiseName, reservedNames, whyReserved } from "../../src/model/language/vocabulary.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { flavours } from "./models.ts";
import { randomStudy } from "./studies.ts";

const drawn = Array.from({ length: 110 * flavours.length }, (_, i) => randomStudy(1 + i, true));
const models = drawn.map(({ files }) => files["model.ode"] as string);
const joined = models.join("\n");
const studies = drawn.map(({ studyText }) => studyText("fit")).join("");

describe("models", () => {
	const words = [...reservedNames].filter((word) => whyReserved(word).includes("language"));
	test.each([...words, noiseName, ...eventOptions])("%s", (word) => {
		expect(joined).toMatch(new RegExp(`\\b${word}\\b`));
	});

	test.each(Object.keys(families) as (keyof typeof families)[])(
		"every family of %s, with all of its arguments",
		(where) => {
			// One declaration each, so that a family counts only where it stands.
			const keyword = {
				distributions: "(param|state)",
				populations: "param \\w+\\[record\\]",
				errorDistributions: "measure",
				bases: "unknown",
				functionProcesses: "unknown",
				inputProcesses: "input",
			}[where];
			const missing = [...families[where]].flatMap(([name, { args }]) => {
				const lines = models.flatMap(
					(text) => text.match(new RegExp(`^${keyword} .*[ ~]${name}\\(.*$`, "gm")) ?? [],
				);
				const optional = args.filter((rule) => rule.optional).map((rule) => `${rule.name}:`);
				return ["", ...optional]
					.filter((word) => !lines.some((line) => line.includes(word)))
					.map((word) => `${name} ${word}`);
			});
			expect(missing).toEqual([]);
		},
	);

	test.each(["<", "<=", ">", ">=", "==", "!=", "+-", "±", "^", "[record]", "F(", "''"])("%s", (sign) => {
		expect(joined).toContain(sign);
	});
});

/** Said elsewhere: times are made only where there is no file; dates have tests of their own. */
const notDrawn = new Set(["times", "dates"]);

test.each(["study", "data"])("keys of %s", (where) => {
	const missing = keysOf(where).filter(
		(key) => !notDrawn.has(key) && !new RegExp(`\\b${key}:`).test(studies),
	);
	expect(missing.filter((key) => !methods.has(key))).toEqual([]);
});

/** As the message about a key that is unknown lists them. */
function keysOf(where: string): string[] {
	const text =
		where === "study"
			? "model: m\ndata: { file: f, rate: 1 }\nnonesuch: 1\n"
			: "model: m\ndata: { file: f, rate: 1, nonesuch: 1 }\n";
	try {
		parseStudy(text, "s.yaml", methods);
	} catch (error) {
		const [, list] = /The keys[^.]* are ([^.]*)\./.exec((error as InputError).message) ?? [];
		if (error instanceof InputError && list) return list.split(", ");
		throw error;
	}
	throw new Error("the key was taken");
}
