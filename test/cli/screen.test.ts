/** Text of others on its way to the terminal: nothing in it is obeyed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { check } from "../../src/cli/commands/check.ts";
import { run } from "../../src/cli/commands/run.ts";
import { exitCodes, fail } from "../../src/cli/failure.ts";
import { ProgressBar } from "../../src/cli/terminal/progress-bar.ts";
import { colorsFor, emptiedLine, toErr, toOut, visible, visibleJson } from "../../src/cli/terminal/screen.ts";
import { Terminal } from "../../src/cli/terminal/terminal.ts";
import { InternalError } from "../../src/errors.ts";
import { stream } from "../../src/num/random.ts";
import { root, Workplace } from "./odentify.ts";
import { decayCsv, decayFiles, decayModel, decayStudy } from "./tiny-study.ts";

/** What terminals obey: moves, titles, colours, bells, the other direction of writing. */
const commands = [
	"\u001b[2J\u001b[H",
	"\u001b]0;title\u0007",
	"\u001b]8;;http://elsewhere\u001b\\",
	"\u001b[31m",
	"\u009b1A",
	"\u0090q\u009c",
	"\r",
	"\b\b\b",
	"\u007f",
	"\u202e",
	"\u2066",
	"\u2028",
];
const control = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const hostile = fc
	.array(fc.oneof(fc.constantFrom(...commands), fc.string({ maxLength: 4 }), fc.string({ unit: "binary" })))
	.map((pieces) => pieces.join(""));

let written = "";
function listen(): void {
	written = "";
	for (const each of [process.stdout, process.stderr])
		vi.spyOn(each, "write").mockImplementation((text) => {
			written += text;
			return true;
		});
}
afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
});

describe("the way out", () => {
	it("lets no control character through, and keeps lines and tabs", () => {
		listen();
		fc.assert(
			fc.property(hostile, (text) => {
				written = "";
				toOut(text);
				toErr(text);
				expect(written).not.toMatch(control);
				expect(visible(visible(text))).toBe(visible(text));
			}),
			{ seed: 1, numRuns: 2000 },
		);
		expect(visible("a\tb\r\nc\u001b[1m\u202e")).toBe("a\tb\nc\\x1b[1m\\u202e");
	});
	it("gives JSON of the same value", () => {
		fc.assert(
			fc.property(fc.dictionary(hostile, hostile), (value) => {
				for (const indent of [undefined, 2]) {
					const text = visibleJson(value, indent);
					expect(text).not.toMatch(control);
					expect(JSON.parse(text)).toEqual({ ...value });
				}
			}),
			{ seed: 2, numRuns: 1000 },
		);
	});
	it("draws our own colours and no others", () => {
		listen();
		vi.stubEnv("NO_COLOR", "");
		vi.stubEnv("FORCE_COLOR", "1");
		const { red } = colorsFor(process.stdout);
		toOut(`${emptiedLine}${red("a\u001b[32mb")}c`);
		expect(written).toBe("\r\u001b[2K\u001b[31ma\\x1b[32mb\u001b[39mc");
		vi.stubEnv("NO_COLOR", "1");
		expect(colorsFor(process.stdout).red("a")).toBe("a");
	});
	it("is the only one", () => {
		const apart = [
			join("cli", "terminal", "screen.ts"),
			// The start says one sentence of ours before anything is loaded.
			join("cli", "main.ts"),
			// Holds the text of a program that prints when it is run elsewhere.
			join("formats", "export", "javascript.ts"),
		];
		const sources = (readdirSync(join(root, "src"), { recursive: true }) as string[]).filter(
			(file) => file.endsWith(".ts") && !apart.includes(file),
		);
		expect(sources.length).toBeGreaterThan(100);
		const others = sources.filter((file) =>
			/\bstd(?:out|err)\.(?:write|end)\b|\bconsole\.\w+\(/.test(
				readFileSync(join(root, "src", file), "utf8"),
			),
		);
		expect(others).toEqual([]);
	});
});

describe("text of others", () => {
	it("in labels of the bar stays on its line", () => {
		listen();
		vi.stubEnv("TERM", "xterm");
		vi.stubEnv("NO_COLOR", "1");
		const isTTY = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
		Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
		try {
			new ProgressBar("fit", new Terminal({})).update({
				done: false,
				fraction: 0.5,
				label: "x\u001b[2J\n\r\u009b1A",
			});
		} finally {
			if (isTTY) Object.defineProperty(process.stderr, "isTTY", isTTY);
			else Reflect.deleteProperty(process.stderr, "isTTY");
		}
		expect(written.startsWith("\r\u001b[2K  fit ")).toBe(true);
		expect(written).toContain("x\\x1b[2J \\x0d\\x9b1A");
		expect(written.slice("\r\u001b[2K".length)).not.toMatch(/\n|\r/);
	});
	it("in bugs of ours is visible", () => {
		listen();
		expect(fail(new InternalError("bad \u001b[2J", { name: "\u009b1A" }), true)).toBe(exitCodes.bug);
		expect(written).toContain("bad \\x1b[2J");
		expect(written).not.toMatch(control);
	});

	// Every place of a study where a name is free, a random command in it, for `check` and for `run`.
	const places: [string, (name: string) => Record<string, string>, string?][] = [
		["a header", (name) => ({ "decay.csv": decayCsv().replace("t,y", `t,"y${name}"`) })],
		[
			"a header beside",
			(name) => ({ "decay.csv": `"${name}",${decayCsv().replaceAll("\n", "\n1,")}`.slice(0, -2) }),
		],
		["a cell", (name) => ({ "decay.csv": decayCsv().replace(/\n0,/, `\n"${name}",`) })],
		[
			"a column of the study",
			(name) => ({ "study.yaml": `${decayStudy.replace("time: t", `time: ${quoted(name)}`)}` }),
		],
		["a name of a data file", (name) => ({ "study.yaml": decayStudy.replace("decay.csv", quoted(name)) })],
		["a name of a model file", (name) => ({ "study.yaml": decayStudy.replace("decay.ode", quoted(name)) })],
		["a key", (name) => ({ "study.yaml": `${decayStudy}${quoted(name)}: 1\n` })],
		["a method", (name) => ({ "study.yaml": `${decayStudy}method: ${quoted(name)}\n` })],
		["a value", (name) => ({ "study.yaml": `${decayStudy}set: { k: ${quoted(name)} }\n` })],
		["a model", (name) => ({ "decay.ode": `${decayModel}${name}\n` })],
		["a name in a model", (name) => ({ "decay.ode": decayModel.replace("param   k", `param   k${name}`) })],
		["a comment of a model", (name) => ({ "decay.ode": `# ${name}\n${decayFiles["decay.ode"]}` })],
		["the name of the study", () => ({}), "name"],
	];
	it.each(places)("in %s is visible", async (_what, filesOf, ofStudy) => {
		const random = stream(16, "screen");
		for (let k = 0; k < 6; k++) {
			const pick = (i: number): string => commands[Math.floor(random.uniform(2 * k + i) * commands.length)];
			const name = `a${pick(0)}b${pick(1)}`;
			const study = ofStudy ? `${name}.yaml` : "study.yaml";
			const { "study.yaml": text, ...files } = { ...decayFiles, ...filesOf(name) };
			const place = new Workplace({ ...files, [study]: text });
			listen();
			try {
				for (const json of [false, true]) {
					await check([join(place.path, study)], { json });
					const options = { json, out: join(place.path, `out ${name} ${json}`), compute: "inline" };
					await run(join(place.path, study), options).catch((error) => fail(error, json));
				}
				expect(written).not.toMatch(control);
				expect(written.length).toBeGreaterThan(100);
			} finally {
				vi.restoreAllMocks();
				place.clean();
			}
		}
	});
});

const quoted = (name: string): string => JSON.stringify(name);
