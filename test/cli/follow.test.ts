/** A posterior while the data come: a growing file, standard input, a kill in between. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readCheckpoint, writeCheckpoint } from "../../src/study/node/checkpoint.ts";
import { build, Workplace } from "./odentify.ts";
import { decayCsv, decayModel } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const csv = decayCsv(40);
const lines = csv.trimEnd().split("\n");
const rows = (from: number, to: number): string =>
	lines
		.slice(from, to)
		.map((line) => `${line}\n`)
		.join("");
/** One run: a checkpoint then means that all samples so far were taken in. */
const study = (file: string, more = ""): string => `model: decay.ode
data: { file: ${file}, time: t }
train: 0..40
method: bayes
bayes: { particles: 100, runs: 1, substeps: 1, sampler: ibis, integrationError: running${more} }
`;
const files = (file: string) => ({ "decay.ode": decayModel, "study.yaml": study(file) });

/** Starts a command and gathers what it says. */
function started(...args: string[]) {
	return listening(place.start(...args));
}
function listening(child: ChildProcess) {
	const said = { text: "" };
	for (const stream of [child.stdout!, child.stderr!])
		stream.on("data", (part) => {
			said.text += part;
		});
	return { child, said, ended: once(child, "exit") };
}
async function until(condition: () => boolean, child: { exitCode: number | null }): Promise<void> {
	while (!condition() && child.exitCode === null) await new Promise((next) => setTimeout(next, 10));
}

describe("odentify run --follow", () => {
	it("takes in a file that grows, prints what is known, and ends where the whole record ends", async () => {
		place = new Workplace({ ...files("grows.csv"), "whole.csv": csv, "grows.csv": rows(0, 11) });
		place.put("whole.yaml", study("whole.csv"));
		const whole = place.run("run", "whole.yaml", "--out", "whole", "--json");
		expect(whole.code).toBe(0);
		const { child, said, ended } = started("run", "study.yaml", "--follow", "--out", "run");
		await until(() => said.text.includes("10 samples"), child);
		appendFileSync(join(place.path, "grows.csv"), rows(11, 31));
		await until(() => said.text.includes("30 samples"), child);
		appendFileSync(join(place.path, "grows.csv"), rows(31, 41));
		const [code] = await ended;
		expect(said.text).toMatch(/t = 0\.9, 10 samples {3,}k \d\.\d+ ± .*log evidence/);
		expect(said.text).toContain("t = 2.9, 30 samples");
		expect(code).toBe(0);
		expect(place.files().filter((name) => name.startsWith("run/"))).toContain("run/report.html");
		expect(place.has("run/checkpoint")).toBe(false);
		const [own, other] = [place.json("run/summary.json"), JSON.parse(whole.out)];
		expect(own).toMatchObject({ outcome: "converged", nSamples: 40 });
		const mean = (summary: { parameters: { k: { mean: number; sd: number } } }) => summary.parameters.k;
		expect(Math.abs(mean(own as never).mean - mean(other).mean)).toBeLessThan(0.5 * mean(other).sd);
	}, 120_000);

	it("waits for the first row after a title, names and units", async () => {
		place = new Workplace({ ...files("grows.csv"), "grows.csv": "Logger 7\n" });
		const { child, said, ended } = started("run", "study.yaml", "--follow", "--out", "run");
		for (const part of [rows(0, 1), "[s],[V]\n", rows(1, 11), rows(11, 41)]) {
			await new Promise((next) => setTimeout(next, 500));
			appendFileSync(join(place.path, "grows.csv"), part);
		}
		const [code] = await ended;
		expect([code, said.text]).toEqual([0, expect.stringContaining("10 samples")]);
		expect(child.exitCode).toBe(0);
		expect(place.json("run/summary.json")).toMatchObject({ nSamples: 40 });
	}, 120_000);

	it("goes on after a kill at the last checkpoint, and ends as the run that was not killed", async () => {
		place = new Workplace({ ...files("grows.csv"), "grows.csv": rows(0, 21) });
		const first = started("run", "study.yaml", "--follow", "--out", "cut");
		await until(() => existsSync(join(place.path, "cut/checkpoint")), first.child);
		first.child.kill("SIGKILL");
		await first.ended;
		expect(first.said.text).toContain("20 samples");
		appendFileSync(join(place.path, "grows.csv"), rows(21, 41));
		const second = started("resume", "cut");
		expect((await second.ended)[0]).toBe(0);
		expect(second.said.text).toContain("40 samples");
		expect(second.said.text).not.toContain("20 samples");
		// The same pieces, in one run.
		place.put("grows.csv", rows(0, 21));
		const whole = started("run", "study.yaml", "--follow", "--out", "whole");
		await until(() => whole.said.text.includes("20 samples"), whole.child);
		appendFileSync(join(place.path, "grows.csv"), rows(21, 41));
		await whole.ended;
		expect(place.text("cut/posterior.csv")).toBe(place.text("whole/posterior.csv"));
	}, 120_000);

	it("refuses to go on when the record was changed", async () => {
		place = new Workplace({ ...files("grows.csv"), "grows.csv": rows(0, 21) });
		const { child, ended } = started("run", "study.yaml", "--follow", "--out", "cut");
		await until(() => existsSync(join(place.path, "cut/checkpoint")), child);
		child.kill("SIGKILL");
		await ended;
		place.put("grows.csv", rows(0, 21).replace("0.5,", "0.5,1"));
		expect(place.run("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/grows\.csv: was changed since/),
		});
		// A state that only looks like that of a followed run, with a right checksum.
		const { checkpoint } = readCheckpoint(join(place.path, "cut"));
		const state = new TextEncoder().encode('{"followed":');
		writeCheckpoint(join(place.path, "cut"), { ...checkpoint, state });
		expect(place.run("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/^the checkpoint: does not say what part of the record/),
		});
	}, 120_000);

	it.each([
		["a word", "2,oops\n", /line 22, field 2: holds "oops"/],
		["too many fields", "2,1,1\n", /line 22: has more than 2 fields/],
	])("is told of a row that cannot be read, and goes on when that is mended: %s", async (_, row, what) => {
		place = new Workplace(files('"-"'));
		const { child, said, ended } = listening(place.startFed("run", "study.yaml", "--follow", "--out", "run"));
		child.stdin!.write(rows(0, 21));
		await until(() => said.text.includes("20 samples"), child);
		child.stdin!.end(row + rows(22, 41));
		const [code] = await ended;
		expect(said.text).toMatch(what);
		const path = join("run", "record.csv");
		expect(said.text).toContain(
			`What came is in ${path}. When that row is right there:  odentify resume run\n`,
		);
		expect(code).toBe(2);
		place.put(path, place.text(path).replace(row, rows(21, 22)));
		expect(place.call("resume", "run").code).toBe(0);
		// What was read ahead is there, too.
		expect(place.json("run/summary.json").nSamples).toBeGreaterThan(20);
	});

	it("reads standard input, keeps it in the run, and ends with it", () => {
		place = new Workplace(files('"-"'));
		const { code, out } = place.runWith(csv, "run", "study.yaml", "--follow", "--out", "run");
		expect(code).toBe(0);
		expect(out).toContain("Following standard input.");
		expect(out).not.toContain("without a line end");
		expect(place.text("run/record.csv")).toBe(csv);
		expect(place.json("run/summary.json")).toMatchObject({ outcome: "converged", nSamples: 40 });
	}, 120_000);

	it("takes in the last rows that come while it is at work, together with the end", async () => {
		place = new Workplace(files('"-"'));
		const child = place.startFed("run", "study.yaml", "--follow", "--out", "run");
		const ended = once(child, "exit");
		let said = "";
		child.stdout!.on("data", (part) => {
			said += part;
		});
		child.stdin!.write(rows(0, 6));
		await until(() => said.includes("Following"), child);
		child.stdin!.write(rows(6, 20));
		await new Promise((next) => setTimeout(next, 20));
		child.stdin!.end(rows(20, 41).trimEnd());
		expect((await ended)[0]).toBe(0);
		expect(said).toContain("The last row came without a line end");
		expect(place.text("run/record.csv")).toBe(csv.trimEnd());
		expect(place.json("run/summary.json")).toMatchObject({ nSamples: 40 });
	}, 120_000);

	it("is asked for where a study reads standard input without it", () => {
		place = new Workplace(files('"-"'));
		expect(place.run("run", "study.yaml")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/"-": is standard input[\s\S]*--follow/),
		});
	});

	it("answers Ctrl-C with what is known by then", async () => {
		place = new Workplace({ ...files("grows.csv"), "grows.csv": rows(0, 21) });
		const { child, said, ended } = started("run", "study.yaml", "--follow", "--out", "run");
		await until(() => said.text.includes("20 samples"), child);
		child.kill("SIGINT");
		expect((await ended)[0]).toBe(0);
		expect(place.json("run/summary.json")).toMatchObject({ nSamples: 20 });
	}, 120_000);

	it.each([
		["another method", (text: string) => text.replace("method: bayes", "method: fit"), /not for method fit/],
		["detrending", (text: string) => text.replace("time: t", "time: t, detrend: mean"), /cannot detrend/],
		[
			"a file that is not there",
			(text: string) => text.replace("grows", "other"),
			/other\.csv: is not there/,
		],
	])("refuses %s", (_, change, message) => {
		place = new Workplace({ ...files("grows.csv"), "grows.csv": csv });
		place.put("study.yaml", change(study("grows.csv")));
		const { code, err } = place.run("run", "study.yaml", "--follow");
		expect(code).toBe(2);
		expect(err).toMatch(message);
		expect(place.has("runs")).toBe(false);
	});
});
