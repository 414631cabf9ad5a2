/** Every code block of README and docs is read or run: what a reader copies works. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { build, root, Workplace } from "../cli/odentify.ts";
import { type Program, runPrograms } from "../library/programs.ts";

interface Block {
	readonly page: string;
	readonly line: number;
	readonly language: string;
	readonly text: string;
	/** The file that the line before the block names. */
	readonly file?: string;
}

const pages = [
	"README.md",
	...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".md"))
		.map((file) => `docs/${file}`),
];

function blocksOf(page: string): Block[] {
	const text = readFileSync(join(root, page), "utf8");
	return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```/gm)].map((match) => {
		const before = text.slice(0, match.index).trimEnd().split("\n").at(-1) ?? "";
		return {
			page,
			line: text.slice(0, match.index).split("\n").length,
			language: match[2],
			text: match[3].replaceAll(new RegExp(`^${match[1]}`, "gm"), ""),
			file: /^`([\w.-]+)`/.exec(before)?.[1],
		};
	});
}

const all = pages.flatMap(blocksOf);
const of = (...languages: string[]): [string, Block][] =>
	all
		.filter(({ language }) => languages.includes(language))
		.map((block) => [`${block.page}:${block.line}`, block]);

const known = ["ode", "yaml", "js", "ts", "sh", "text", "ebnf", "json", "bibtex"];

test("every block says what it is", () => {
	expect(all.filter(({ language }) => !known.includes(language))).toEqual([]);
	expect(all.length).toBeGreaterThan(40);
});

test.each(of("ode"))("model %s", (_, { text }) => {
	expect(() => parseModel(text, "shown.ode")).not.toThrow();
});

test.each(of("yaml"))("study %s", (_, { text }) => {
	if (/^(apiVersion|services):/m.test(text)) return;
	const whole = [
		...(/^model:/m.test(text) ? [] : ["model: m.ode"]),
		...(/^data:/m.test(text) ? [] : ["data: { file: r.csv, time: t }"]),
		text,
	].join("\n");
	expect(() => parseStudy(whole, "shown.yaml", methods)).not.toThrow();
});

describe("programs", () => {
	const folder = join(root, ".build/doc-programs");
	const shown = of("js").map(
		([at, { text }]) => [at, join(folder, `${at.replaceAll(/\W+/g, "-")}.mjs`), text] as const,
	);
	let ended: Map<string, Program>;
	beforeAll(async () => {
		await build();
		mkdirSync(folder, { recursive: true });
		for (const [, file, text] of shown) writeFileSync(file, text);
		ended = runPrograms(shown.map(([, file]) => file));
	}, 300_000);

	test.each(shown)("%s", (_, file) => {
		expect(ended.get(file)!.failed).toBeUndefined();
	});
});

describe("commands", () => {
	let shown: string;
	beforeAll(async () => {
		await build();
		shown = execFileSync(process.execPath, [join(root, "dist/cli/main.js"), "--help"], { encoding: "utf8" });
	}, 300_000);

	test.each(of("sh"))("%s are known", (_, { text }) => {
		const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
		for (const line of text.split("\n")) {
			const [, command] = /(?:^|\s)odentify (\w+)/.exec(line) ?? [];
			if (command) expect(shown).toContain(`  ${command} `);
			const [, script] = /^npm (?:run )?(\w+)/.exec(line) ?? [];
			if (script && script !== "install") expect(Object.keys(scripts)).toContain(script);
		}
	});
});

describe("the guide", () => {
	beforeAll(build, 300_000);

	test("leads from its first block to its last", { timeout: 180_000 }, () => {
		const place = new Workplace();
		try {
			let ran = 0;
			for (const { language, text, file } of blocksOf("docs/guide.md")) {
				if (file) place.put(file, text);
				if (language !== "sh") continue;
				for (const line of text.trim().split("\n")) {
					const [, piped, command] = /^(?:cat (\S+) \| )?npx odentify (.*)$/.exec(line)!;
					const args = command.split(" ");
					const { code, out, err } = piped ? place.runWith(place.text(piped), ...args) : place.call(...args);
					expect(`${line}: ${code}\n${code === 0 ? "" : out + err}`).toBe(`${line}: 0\n`);
					ran++;
				}
			}
			expect(ran).toBeGreaterThan(8);
		} finally {
			place.clean();
		}
	});
});
