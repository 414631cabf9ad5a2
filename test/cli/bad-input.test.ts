import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { fail } from "../../src/cli/failure.ts";
import { InternalError } from "../../src/errors.ts";
import { build, Workplace } from "./odentify.ts";
import { decayCsv, decayFiles, decayStudy } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

type Files = Record<string, string | Uint8Array>;
const withStudy = (study: string, more: Files = {}): Files => ({
	...decayFiles,
	"study.yaml": study,
	...more,
});
const csv = decayCsv();
const truncatedMat = new TextEncoder().encode(
	"MATLAB 5.0 MAT-file, Platform: GLNXA64".padEnd(124, " ") + "\u0000\u0001IM\u000e\u0000\u0000\u0000\u00ff",
);

const cases: [string, Files, RegExp, string[]?][] = [
	["an unknown key", withStudy(`${decayStudy}methd: fit\n`), /study\.yaml:5:1: unknown key "methd"/],
	["an unknown option", withStudy(`${decayStudy}fit: { strats: 2 }\n`), /unknown key "strats"[\s\S]*starts/],
	["an unknown method", withStudy(`${decayStudy}method: fitt\n`), /Did you mean "fit"\?/],
	["a missing study", {}, /study\.yaml: there is no such study/],
	[
		"a missing model",
		withStudy(decayStudy.replace("decay.ode", "deca.ode")),
		/study\.yaml:1:8: .*deca\.ode: there is no such model[\s\S]*decay\.ode/,
	],
	[
		"a zero character in the name of a model",
		withStudy(decayStudy.replace("decay.ode", '"de\\0cay.ode"')),
		/study\.yaml:1:8: .*: no file can have a name with a zero character/,
	],
	[
		"a zero character in the name of a data file",
		withStudy(decayStudy.replace("decay.csv", '"de\\0cay.csv"')),
		/study\.yaml:2:15: .*: no file can have a name with a zero character/,
	],
	[
		"a model below a file",
		withStudy(decayStudy.replace("decay.ode", "decay.csv/decay.ode")),
		/study\.yaml:1:8: .*decay\.csv\/decay\.ode: cannot be read: part of the path is a file/,
	],
	[
		"a name of a file that is too long",
		withStudy(decayStudy.replace("decay.csv", `${"long".repeat(100)}.csv`)),
		/study\.yaml:2:15: .*: cannot be read: its name is too long/,
	],
	[
		"a missing data file",
		withStudy(decayStudy.replace("decay.csv", "nowhere.csv")),
		/study\.yaml:2:15: .*nowhere\.csv: is not there/,
	],
	[
		"a missing column",
		withStudy(decayStudy, { "decay.csv": csv.replace("t,y", "t,z") }),
		/study\.yaml:2:15: decay\.csv: has no column y/,
	],
	[
		"a column mapped to nothing",
		withStudy(decayStudy.replace("time: t", "time: t, columns: { y: V2 }")),
		/study\.yaml:2:49: decay\.csv: has no column V2/,
	],
	[
		"a column for a name that the model has not",
		withStudy(decayStudy.replace("time: t", "time: t, columns: { yy: y }")),
		/the model has no input or measurement "yy"[\s\S]*Did you mean "y"/,
	],
	[
		"a missing time column",
		withStudy(decayStudy.replace("time: t", "time: tt")),
		/study\.yaml:2:32: decay\.csv: has no column tt/,
	],
	[
		"neither rate nor time",
		withStudy(decayStudy.replace(", time: t", "")),
		/neither its rate nor its time column[\s\S]*time: t/,
	],
	[
		"an unknown name under set",
		withStudy(`${decayStudy}set: { kk: 1 }\n`),
		/study\.yaml:5:8: the model has no "kk"[\s\S]*Did you mean "k"/,
	],
	[
		"a start that the model rules out",
		withStudy(`${decayStudy}set: { x: 1, k: -1 }\n`),
		/^study\.yaml:5:17: the start -1 of k lies outside what the model allows, numbers above 0\n.*\n.*\^\^\n/,
	],
	["letters exchanged", withStudy(decayStudy.replace("train", "trian")), /Did you mean "train"\?/],
	[
		"a condition that is not there",
		withStudy(decayStudy.replace("time: t", "time: t, conditions: { c: 1 }")),
		/the model has no condition "c"/,
	],
	[
		"rows beyond the end",
		withStudy(decayStudy.replace("40..60", "40..61")),
		/study\.yaml:4:7: the range 40\.\.61 does not lie in decay\.csv, which has 60 rows/,
	],
	[
		"an empty train range",
		withStudy(decayStudy.replace("0..40", "5..5")),
		/study\.yaml:3:8: train: the range 5\.\.5 is empty/,
	],
	[
		"a ragged csv",
		withStudy(decayStudy, { "decay.csv": csv.replace("\n0.5,", "\n0.5,1,") }),
		/decay\.csv.*line/,
	],
	["an empty data file", withStudy(decayStudy, { "decay.csv": "" }), /is empty/],
	[
		"an infinity in the data",
		withStudy(decayStudy, { "decay.csv": csv.replace(/\n0\.5,.*/, "\n0.5,inf") }),
		/Infinity in row 5[\s\S]*missing: \[\.inf\]/,
	],
	[
		"times that run back",
		withStudy(decayStudy, { "decay.csv": csv.replace("\n0.5,", "\n0.05,") }),
		/does not increase/,
	],
	[
		"a truncated mat file",
		withStudy(decayStudy.replace("decay.csv", "decay.mat"), { "decay.mat": truncatedMat }),
		/decay\.mat/,
	],
	[
		"a binary study",
		{ ...decayFiles, "study.yaml": Uint8Array.of(0xff, 0xfe, 0, 1, 2) },
		/is not text in UTF-8/,
	],
	[
		"a record without a file",
		withStudy("model: decay.ode\ndata: { times: { to: 1, step: 0.1 } }\n"),
		/has times but no file/,
	],
	["a bad model", withStudy(decayStudy, { "decay.ode": "state x = 1\nx' = -q*x\n" }), /decay\.ode:2:7/],
	["an unknown option of the command", decayFiles, /unknown option '--sed'/, ["--sed", "1"]],
	["a bad seed", decayFiles, /--seed 1\.5: is not a whole number/, ["--seed", "1.5"]],
	[
		"a queue that does not answer",
		decayFiles,
		/redis:\/\/127\.0\.0\.1:1 does not answer/,
		["--compute", "redis://127.0.0.1:1"],
	],
	[
		"a place to compute that is none",
		decayFiles,
		/--compute abacus: is no place to compute/,
		["--compute", "abacus"],
	],
	[
		"an --out that is taken",
		{ ...decayFiles, "out/mine.txt": "keep" },
		/--out out: is not empty/,
		["--out", "out"],
	],
	["an --out that is a file", { ...decayFiles, out: "keep" }, /--out out: is a file/, ["--out", "out"]],
];

describe("bad input exits 2, writes nothing, and shows no stack", () => {
	it.each(cases)("%s", (_, files, expected, args = []) => {
		place = new Workplace(files);
		const before = place.files();
		const { code, out, err } = place.call("run", "study.yaml", ...args);
		expect(err).toMatch(expected);
		expect(err).not.toMatch(/\n\s+at .*[:(]/);
		expect(out).toBe("");
		expect(code).toBe(2);
		expect(place.files()).toEqual(before);
		expect(place.has("runs")).toBe(false);
	});

	const marks: [string, string, string, RegExp][] = [
		[
			"a negative count",
			"-3",
			"~ poisson(x)",
			/holds -3 \(row 3\), but a poisson measurement is a count: 0, 1, 2/,
		],
		[
			"half a count",
			"2.5",
			"~ negbinomial(x, 4)",
			/holds 2\.5 \(row 3\), but a negbinomial measurement is a count/,
		],
		["a limit without a law", "<0.05", "= x", /holds limits like <0\.05[\s\S]*Declare the noise/],
		[
			"a limit among remembered errors",
			"<0.05",
			"~ normal(x, 1, correlated: 2)",
			/holds limits, and its errors/,
		],
		[
			"a limit for guaranteed",
			">7",
			"in x +- 1",
			/holds >7 \(row 3\), and guaranteed takes known values only/,
		],
		["a limit that is no number", "<1.2.3", "~ normal(x, 1)", /decay\.csv line 5, field 2: holds "?<1\.2\.3/],
	];
	it.each(marks)("%s", (_, cell, law, expected) => {
		place = new Workplace({
			"decay.ode": `param k in [0.1, 5]\nstate x = 9\nx' = -k*x\nmeasure y ${law}\n`,
			"decay.csv": `t,y\n0,9\n1,6\n2,4\n3,${cell}\n4,1\n`,
			"study.yaml": `model: decay.ode\ndata: { file: decay.csv, time: t }\nmethod: ${law.startsWith("in") ? "guaranteed" : "fit"}\n`,
		});
		const { code, err } = place.call("run", "study.yaml");
		expect(err).toMatch(expected);
		expect(err).not.toMatch(/\n\s+at .*[:(]/);
		expect(code).toBe(2);
	});

	it("is one JSON document with --json", () => {
		place = new Workplace(withStudy(`${decayStudy}methd: fit\n`));
		const { code, out } = place.call("run", "study.yaml", "--json");
		expect(code).toBe(2);
		const { error } = JSON.parse(out);
		expect(error).toMatchObject({ kind: "input", subject: "study.yaml" });
		expect(error.diagnostics).toHaveLength(1);
	});

	it.each(["run", "simulate"])("of %s: a model in the place of a study", (command) => {
		place = new Workplace(decayFiles);
		const { code, out, err } = place.call(command, "decay.ode");
		expect(err).toMatch(/^decay\.ode: is a model, and a study is needed here\n/);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		// What it shows can be copied: it is a study, but for the name of the record.
		const shown = err
			.split("\n")
			.filter((line) => line.startsWith("    "))
			.map((line) => line.slice(4).replace("record.csv", "decay.csv"));
		place.put("copied.yaml", shown.join("\n"));
		expect(place.call("check", "copied.yaml")).toMatchObject({ code: 0, err: "" });
	});

	it("of a run folder that cannot be written to: there is no other place to choose", () => {
		place = new Workplace(decayFiles);
		expect(place.call("run", "study.yaml", "--out", "done").code).toBe(0);
		rmSync(join(place.path, "done/report.html"));
		mkdirSync(join(place.path, "done/report.html/own"), { recursive: true });
		expect(place.call("report", "done")).toMatchObject({
			code: 2,
			err: expect.stringMatching(
				/^done\/report\.html: cannot be written: .*\n {2}Make it yours to write to, or name a copy/,
			),
		});
	}, 60_000);

	it("waits for no pipe once something else is wrong", () => {
		place = new Workplace({ ...decayFiles, "decay.ode": "state x\n" });
		rmSync(join(place.path, "decay.csv"));
		execFileSync("mkfifo", [join(place.path, "decay.csv")]);
		const { code, err } = place.call("check", "study.yaml");
		expect(code).toBe(2);
		expect(err).not.toContain("is a pipe");
	});

	it("of other commands", () => {
		place = new Workplace(decayFiles);
		expect(place.call("report", "nowhere")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/no such folder/),
		});
		expect(place.call("resume", ".")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/is not a run folder/),
		});
		expect(place.call("resume", "decay.csv")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/is not a folder/),
		});
		expect(place.call("chek", "x")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/Did you mean check\?/),
		});
		expect(place.call("check")).toMatchObject({ code: 2 });
		expect(place.call("simulate", "study.yaml", "--csv", "a.csv", "--out", "b")).toMatchObject({ code: 2 });
	});
});

it.skipIf(!existsSync("/proc/self"))("an --out where the system lets nothing be made", () => {
	place = new Workplace(decayFiles);
	const { code, err } = place.call("run", "study.yaml", "--out", "/proc/odentify");
	expect(err).toMatch(
		/^\/proc\/odentify: cannot be written: [^'E]*\n {2}Choose another place with {2}--out DIR\n$/,
	);
	expect(code).toBe(2);
});

it("an equation that no method can be held against is refused, and does not hang", () => {
	const chain = Array.from({ length: 60 }, (_, i) => `let a${i + 1} = (a${i} + 1)*(a${i} + sin(a${i}))`);
	place = new Workplace({
		...decayFiles,
		"decay.ode": `param k in [0, 1]\nstate x = 1, z = 1\nlet a0 = z\n${chain.join("\n")}\nx' = z - k\nz' = -a60\nmeasure y = x\n`,
		"study.yaml": `${decayStudy}method: periodic\n`,
	});
	const { code, err } = place.call("run", "study.yaml");
	expect(err).toMatch(/^decay\.ode: periodic does not apply\n|^state z: /);
	expect(code).toBe(2);
	expect(place.call("check", "decay.ode")).toMatchObject({ code: 0, err: "" });
});

it.each([["run", "study.yaml"], ["init"], ["prove", "1"]])(
	"an empty place to write to, of %s",
	(...words) => {
		place = new Workplace(decayFiles);
		const before = place.files();
		const { code, err } = place.call(...words, "--out", "");
		expect(err).toBe("--out: is empty\n  Name a place to write to.\n");
		expect(code).toBe(2);
		expect(place.files()).toEqual(before);
	},
);

it.each(["run", "check", "simulate"])("a study below a file, of %s", (command) => {
	place = new Workplace(decayFiles);
	const { code, err } = place.call(command, "decay.csv/study.yaml");
	expect(err).toBe("decay.csv/study.yaml: cannot be read: part of the path is a file\n");
	expect(code).toBe(2);
});

it.skipIf(!existsSync("/dev/full"))("a full disk behind standard output is one line, and exits 1", () => {
	place = new Workplace(decayFiles);
	const { code, err } = place.runInto("/dev/full", "check", "decay.ode");
	expect(err).toBe("standard output: cannot be written: the disk is full\n");
	expect(code).toBe(1);
});

it("a bug of ours says sorry, what to report, and exits 70", () => {
	const written: string[] = [];
	const original = process.stderr.write;
	process.stderr.write = ((text: string) => written.push(text) > 0) as never;
	try {
		expect(fail(new InternalError("graph is not canonical", { node: 7 }), false)).toBe(70);
	} finally {
		process.stderr.write = original;
	}
	expect(written.join("")).toMatch(
		/Sorry: this is a bug, not your input[\s\S]*graph is not canonical[\s\S]*state: \{"node":7\}/,
	);
});
