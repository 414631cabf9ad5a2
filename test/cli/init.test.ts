import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { Asker } from "../../src/cli/ask.ts";
import { templates } from "../../src/templates/list.ts";
import { type Cell, xlsxBytes } from "../data/xlsx-writer.ts";
import { build, Workplace } from "./odentify.ts";
import { decayFiles } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const rig = `Rig 7, on Monday
Date;Force [N];Position (mm)
${Array.from({ length: 60 }, (_, i) => `${String((i % 28) + 1).padStart(2, "0")}.${String(Math.floor(i / 28) + 1).padStart(2, "0")}.2024;${i % 7};${(2 + (i % 5) / 10).toFixed(2).replace(".", ",")}`).join("\n")}
`;

describe("odentify init", () => {
	it("writes a template's study, which is checked and run as it is", () => {
		place = new Workplace();
		const { code, out } = place.call("init", "--template", "rc-circuit");
		expect(code).toBe(0);
		expect(out).toMatch(
			/Written +study\.yaml\n +rc-circuit\.ode\n +record\.csv\n +Next +odentify check study\.yaml/,
		);
		expect(place.call("check", "study.yaml")).toMatchObject({ code: 0, err: "" });
		const run = place.call("run", "study.yaml", "--json");
		expect(run.code).toBe(0);
		const { parameters } = JSON.parse(run.out);
		expect(Math.abs(parameters.C.estimate - 0.00047)).toBeLessThan(5 * parameters.C.sd);
	});

	it("makes a study for a file: titles, dates and units of it, columns by their names", () => {
		place = new Workplace({ "data/rig.csv": rig });
		expect(place.call("init", "data/rig.csv", "--template", "oscillator", "--out", "mine").code).toBe(0);
		expect(place.text("mine/study.yaml")).toContain("file: ../data/rig.csv");
		expect(place.text("mine/study.yaml")).toMatch(/time: Date\n {2}columns:\n {4}u: Force\n {4}y: Position/);
		const checked = place.call("check", "mine/study.yaml");
		expect(checked).toMatchObject({ code: 0, err: "" });
		expect(checked.out).toContain(
			"rig.csv: names in line 2, below 1 line of a title; decimal commas; Date has dates with the day first, from 01.01.2024 on",
		);
	});

	it("reads workbooks, and says what is wrong with one", () => {
		const rows: Cell[][] = Array.from({ length: 30 }, (_, i) => [i / 10, 3 + (i % 4), 20 - i / 3]);
		place = new Workplace({
			"tank.xlsx": xlsxBytes({
				Notes: [["nothing here"]],
				Level: [["Tank 2"], ["t [min]", "q", "h"], ...rows],
			}),
			"empty.xlsx": xlsxBytes({ Notes: [["nothing here"]] }),
		});
		expect(place.call("init", "tank.xlsx", "--template", "tank", "--sheet", "Level").code).toBe(0);
		expect(place.text("study.yaml")).toMatch(
			/file: tank\.xlsx\n {2}time: t\n {2}columns:\n {4}level: h\n {2}sheet: Level/,
		);
		expect(place.call("check", "study.yaml").out).toContain(
			"tank.xlsx: sheet Level; names in row 2, below 1 line of a title",
		);
		expect(place.call("init", "empty.xlsx").err).toMatch(/empty\.xlsx: holds no numbers\n/);
	});

	it("makes a linear model of the columns where nothing else is said", () => {
		place = new Workplace({ "rig.csv": rig });
		expect(place.call("init", "rig.csv").code).toBe(0);
		expect(place.text("linear.ode")).toContain(
			"x_Position' = a_Position_Position*x_Position + b_Position_Force*Force",
		);
		expect(place.call("check", "study.yaml").code).toBe(0);
	});

	it("never writes over anything", () => {
		place = new Workplace({ "study.yaml": "mine" });
		const { code, err } = place.call("init", "--template", "tank");
		expect(code).toBe(2);
		expect(err).toMatch(/study\.yaml: is there already\n.*--out DIR/);
		expect(place.files()).toEqual(["study.yaml"]);
		expect(place.text("study.yaml")).toBe("mine");
	});

	it("says what it needs: templates, columns, the order of dates", () => {
		place = new Workplace({
			"plain.csv": "t,a,b,c\n0,1,2,3\n1,2,3,4\n",
			"open.csv": "when,y\n05/01/2024,1\n05/02/2024,2\n",
			"bad.csv": "nothing\n",
		});
		const { code, err } = place.call("init");
		expect(code).toBe(2);
		for (const { name } of templates) expect(err).toContain(name);
		expect(place.call("init", "--template", "tnk").err).toContain("Did you mean tank?");
		expect(place.call("init", "plain.csv", "--template", "oscillator").err).toContain("--columns u=…,y=…");
		expect(place.call("init", "plain.csv", "--template", "oscillator", "--columns", "u=a,y=q").err).toContain(
			"plain.csv has no column q",
		);
		expect(place.call("init", "plain.csv", "--template", "oscillator", "--columns", "u=a,y=b").code).toBe(0);
		expect(place.call("init", "open.csv", "--out", "o").err).toContain("--dates day-first");
		expect(place.call("init", "open.csv", "--out", "o", "--dates", "day-first").code).toBe(0);
		expect(place.text("o/study.yaml")).toContain("dates: day-first");
		expect(place.call("init", "bad.csv").code).toBe(2);
		expect(place.call("init", "gone.csv").err).toContain("is not there");
	}, 60_000);

	it("refuses a clock that is none, names that are given twice, and rates without a length", () => {
		place = new Workplace({ "plain.csv": "t,u,y\n0,1,20\n1,2,15\n2,0,14\n3,1,18\n" });
		const init = (...more: string[]) => place.call("init", "plain.csv", "--out", "o", ...more);
		const said: [string[], string][] = [
			[["--time", "y"], "plain.csv, column y is no clock: it goes back at row 1, from 20 to 15"],
			[["--time", "nope"], "has no column nope"],
			[["--template", "oscillator", "--columns", "u=u,u=y"], "names two columns for u: u and y"],
			[["--rate", "1e-320"], "makes the record longer than any number"],
		];
		for (const [options, message] of said) {
			const { code, err } = init(...options);
			expect(err).toContain(message);
			expect(code).toBe(2);
		}
		expect(init("--time", "nope").err).toContain("Its columns are t, u, y.");
		expect(init("--time", "t").code).toBe(0);
	});

	it("writes a model that can be read for times that go back, as of records below one another", () => {
		place = new Workplace({ "many.csv": "t,y\n3,1\n4,2\n0,3\n1,1\n" });
		expect(place.call("init", "many.csv").code).toBe(0);
		expect(place.text("linear.ode")).not.toMatch(/normal\(0, -/);
	});
});

describe("questions", () => {
	it("are answered by number, by name, by the beginning of one, or by nothing for the first", async () => {
		const said: string[] = [];
		const asker = new Asker(Readable.from(["3\n", "pen\n", "nothing\n", "tank\n\n"]), (text) =>
			said.push(text),
		);
		const choices = templates.map(({ name, sentence }) => ({ name, says: sentence }));
		const answers: string[] = [];
		for (let i = 0; i < 4; i++) answers.push(await asker.choose("What is it?", choices));
		expect(answers).toEqual(["dc-motor", "pendulum", "tank", "oscillator"]);
		expect(said.join("")).toContain("There is no nothing in the list.");
		await expect(asker.choose("And?", choices)).rejects.toThrow("was not answered");
		asker.close();
	});
});

describe("a record in place of a study", () => {
	it.each(["run", "simulate", "pack"])("%s says what to do", (command) => {
		place = new Workplace({ "data.csv": decayFiles["decay.csv"] });
		const { code, err } = place.call(command, "data.csv");
		expect(code).toBe(2);
		expect(err).toMatch(
			/data\.csv: is a record, and a study is needed here[\s\S]*odentify init data\.csv --template/,
		);
	});

	it("check says it, too", () => {
		place = new Workplace({ "data.csv": decayFiles["decay.csv"] });
		expect(place.call("check", "data.csv").err).toContain("odentify init data.csv");
	});
});

describe("--method", () => {
	it("takes the place of the study's", () => {
		place = new Workplace({ ...decayFiles, "study.yaml": `${decayFiles["study.yaml"]}method: bayes\n` });
		const { code, out } = place.call("run", "study.yaml", "--method", "fit", "--json");
		expect(code).toBe(0);
		const { method, run } = JSON.parse(out);
		expect(method).toBe("fit");
		expect(place.text(join(run, "study.yaml"))).toContain("method: fit");
		expect(place.call("run", "study.yaml", "--method", "byes").err).toContain("Did you mean bayes?");
	});
});

describe("help", () => {
	it("has an example for every command", () => {
		place = new Workplace();
		const commands = [...place.call("--help").out.matchAll(/^ {2}([a-z]+) (?:\[options\]|<|\[)/gm)].map(
			(match) => match[1],
		);
		expect(commands.length).toBeGreaterThan(12);
		for (const command of commands.filter((name) => name !== "help"))
			expect(place.call(command, "--help").out, command).toMatch(
				new RegExp(`For example:\n {2}odentify ${command}`),
			);
	}, 60_000);
});

describe("odentify completion", () => {
	it("completes commands, options, methods and templates in bash", async () => {
		place = new Workplace();
		const script = place.call("completion", "bash").out;
		const { spawnSync } = await import("node:child_process");
		const complete = (...words: string[]): string[] => {
			const line = `COMP_WORDS=(odentify ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _odentify; echo "\${COMPREPLY[@]}"`;
			return spawnSync("bash", ["-c", `${script}\n${line}`], { encoding: "utf8", cwd: place.path })
				.stdout.trim()
				.split(/\s+/);
		};
		expect(complete("re")).toEqual(["resume", "report", "reproduce"]);
		expect(complete("run", "--me")).toEqual(["--method"]);
		expect(complete("run", "--method", "b")).toEqual(["bayes"]);
		expect(complete("init", "--template", "dc")).toEqual(["dc-motor"]);
		place.put("study.yaml", "");
		expect(complete("run", "st")).toEqual(["study.yaml"]);
	});

	it("has scripts for zsh and fish, and no other", () => {
		place = new Workplace();
		expect(place.call("completion", "zsh").out).toContain("compdef _odentify odentify");
		expect(place.call("completion", "fish").out).toContain("complete -c odentify -n __fish_use_subcommand");
		expect(place.call("completion", "cmd")).toMatchObject({ code: 2 });
	});
});
