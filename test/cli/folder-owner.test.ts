/** Whose a run folder is, and that a run takes away nothing but its own. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, main, Workplace } from "./odentify.ts";
import { decayCsv, decayFiles, decayModel, decayStudy } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const inFolder = (name: string): string[] =>
	place
		.files()
		.filter((file) => file.startsWith(`${name}/`))
		.map((file) => file.slice(name.length + 1));

/** With files of this many KiB at the most, as on a disk that is nearly full. */
function runWithin(limit: number, ...args: string[]): { code: number | null; err: string } {
	const { status, stderr } = spawnSync(
		"bash",
		["-c", `ulimit -f ${limit} && exec "$@"`, "bash", process.execPath, main, ...args],
		{ cwd: place.path, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
	);
	return { code: status, err: stderr };
}

describe("a run that fails", () => {
	it("takes back what it made, and nothing of the user's", async () => {
		const csv = decayCsv(40);
		place = new Workplace({
			"decay.ode": decayModel,
			"grows.csv": csv.split("\n").slice(0, 11).join("\n").concat("\n"),
			"study.yaml":
				"model: decay.ode\ndata: { file: grows.csv, time: t }\nmethod: bayes\nbayes: { particles: 50, runs: 1 }\n",
		});
		mkdirSync(join(place.path, "out"));
		const child = place.start("run", "study.yaml", "--follow", "--out", "out", "--checkpoint", "1000");
		const ended = once(child, "exit");
		let said = "";
		child.stdout!.on("data", (part) => {
			said += part;
		});
		while (!said.includes("log evidence") && child.exitCode === null)
			await new Promise((next) => setTimeout(next, 10));
		place.put("out/notes.txt", "mine");
		place.put("out/pictures/a.txt", "mine");
		place.put("grows.csv", "t,y\n");
		expect((await ended)[0]).toBe(2);
		expect(inFolder("out")).toEqual(["notes.txt", "pictures/a.txt"]);
	}, 60_000);

	it("for want of room keeps what it says can be gone on with", () => {
		place = new Workplace(decayFiles);
		const { code, err } = runWithin(4, "run", "study.yaml", "--out", "out", "--compute", "inline");
		expect(err).toMatch(
			/^out\/.*: cannot be written: .*\n {2}Make room, then go on: {2}odentify resume out\n$/,
		);
		expect(code).toBe(2);
		expect(inFolder("out")).toEqual(expect.arrayContaining(["log.jsonl", "study.yaml"]));
		expect(inFolder("out")).not.toContain("summary.json");
		expect(place.call("resume", "out")).toMatchObject({ code: 0, err: "" });
		expect(inFolder("out")).toContain("summary.json");
	}, 60_000);

	it.each(["run", "simulate"])("of %s, where there is no room from the start, leaves nothing", (command) => {
		place = new Workplace({ ...decayFiles, "study.yaml": `${decayStudy}set: { k: 0.7, x: 2 }\n` });
		const before = place.files();
		const options = command === "run" ? ["--compute", "inline"] : [];
		const { code, err } = runWithin(0, command, "study.yaml", "--out", "new/out", ...options);
		expect(err).toMatch(/^new\/out\/log\.jsonl: cannot be written: .*\n {2}Make room\. Or: choose another/);
		expect(code).toBe(2);
		expect(place.files()).toEqual(before);
		expect(place.has("new")).toBe(false);
	});
});

it.each([
	["init --template oscillator", ["init", "--template", "oscillator"]],
	["prove", ["prove", "3"]],
	["export", ["export", "decay.ode", "--to", "python"]],
])("%s, where there is no room, leaves no folder", (_, args) => {
	place = new Workplace({
		"decay.ode": "param k = 0.5\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n",
	});
	const { code, err } = runWithin(0, ...args, "--out", "new/out");
	expect(err).toContain("cannot be written");
	expect(code).toBe(2);
	expect(place.has("new")).toBe(false);
});

describe("a run folder in which something else stands", () => {
	it("in place of a checkpoint: the run comes to its end, and leaves it there", () => {
		place = new Workplace(decayFiles);
		expect(runWithin(4, "run", "study.yaml", "--out", "out", "--compute", "inline").code).toBe(2);
		place.put("out/checkpoint/mine.txt", "mine");
		const { code, out, err } = place.call("resume", "out", "--checkpoint", "0");
		expect(out).toContain("has no checkpoint yet: starts from the beginning");
		expect(err).toBe(
			"  no checkpoint: out/checkpoint cannot be written: there is a folder of that name; going on\n",
		);
		expect(code).toBe(0);
		expect(inFolder("out")).toEqual([
			"checkpoint/mine.txt",
			"covariance.csv",
			"log.jsonl",
			"report.html",
			"result.json",
			"study.yaml",
			"summary.json",
			"trajectory.csv",
		]);
		expect(place.call("resume", "out")).toMatchObject({
			code: 2,
			err: expect.stringContaining("has come to its end"),
		});
	}, 60_000);

	it("in place of a result: what wants to read it says so", () => {
		place = new Workplace(decayFiles);
		place.call("run", "study.yaml", "--out", "out");
		const senseless = place
			.text("out/result.json")
			.replace(/"parameters":\[/, '"parameters":[{"name":3},')
			.replace(/"finished":"[^"]*"/, '"finished":7');
		for (const content of [
			'{"format":"odentify packed JSON 1","columns":[],"value":{}}',
			"[]",
			senseless,
			Uint8Array.of(0xff, 0),
		]) {
			place.put("out/result.json", content);
			for (const command of [
				["report", "out"],
				["cite", "out"],
				["compare", "out", "out"],
			]) {
				const { code, err } = place.call(...command);
				expect(err).toMatch(/^out\/result\.json: .*\n {2}The file is damaged .*; do the study again\.\n$/);
				expect(code).toBe(2);
			}
		}
	}, 60_000);
});

describe("two runs at once", () => {
	it("with one --out: one does it, the others are refused", async () => {
		place = new Workplace(decayFiles);
		mkdirSync(join(place.path, "out"));
		const ends = [1, 2, 3, 4].map(async (seed) => {
			const child = place.start("run", "study.yaml", "--out", "out", "--seed", String(seed));
			const [code] = await once(child, "exit");
			return { seed, code };
		});
		const all = await Promise.all(ends);
		expect(all.map(({ code }) => code).sort()).toEqual([0, 2, 2, 2]);
		const { seed } = all.find(({ code }) => code === 0)!;
		expect(place.json("out/summary.json")).toMatchObject({ seed });
		expect(place.text("out/study.yaml")).toContain(`seed: ${seed}\n`);
		expect(place.text("out/log.jsonl").match(/"started"/g)).toHaveLength(1);
	}, 60_000);
});

describe.runIf(existsSync("/proc/self/fd"))("a run that goes on", () => {
	it("keeps its half-written files, whoever looks at its folder", async () => {
		place = new Workplace({
			...decayFiles,
			"study.yaml": `${decayStudy}fit: { starts: 100, candidates: 500, integrator: adaptive }\n`,
		});
		const child = place.start("run", "study.yaml", "--out", "cut");
		const ended = once(child, "exit");
		while (!place.has("cut/study.yaml") && child.exitCode === null)
			await new Promise((next) => setTimeout(next, 10));
		child.kill("SIGSTOP");
		const half = "cut/.odentify-aside-1-report.html";
		writeFileSync(join(place.path, half), "half");
		expect(place.call("report", "cut")).toMatchObject({
			code: 2,
			err: expect.stringContaining(`cut: its run still goes on (process ${child.pid})`),
		});
		for (const command of [
			["cite", "cut"],
			["compare", "cut", "cut"],
		])
			expect(place.call(...command)).toMatchObject({
				code: 2,
				err: expect.stringContaining("its run still goes on"),
			});
		expect(place.call("run", "study.yaml", "--out", "cut")).toMatchObject({
			code: 2,
			err: expect.stringContaining("--out cut: its run still goes on"),
		});
		expect(place.text(half)).toBe("half");
		child.kill("SIGKILL");
		await ended;
	}, 60_000);
});
