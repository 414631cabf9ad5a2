import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { digest } from "../../src/study/node/checkpoint.ts";
import { build, Workplace } from "./odentify.ts";
import { decayFiles, decayStudy } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

/** Slow enough to be stopped: an adaptive solver from many starts. */
const slow = {
	...decayFiles,
	"study.yaml": `${decayStudy}fit: { starts: 100, candidates: 500, integrator: adaptive }\n`,
};

/** Starts the run and stops it with a signal as soon as it has written its study. */
async function stopped(out: string, signal: NodeJS.Signals): Promise<{ code: number | null; text: string }> {
	const child = place.start("run", "study.yaml", "--out", out);
	let text = "";
	child.stdout!.on("data", (part) => {
		text += part;
	});
	const ended = once(child, "exit");
	while (!existsSync(join(place.path, out, "study.yaml")) && child.exitCode === null)
		await new Promise((next) => setTimeout(next, 10));
	child.kill(signal);
	const [code] = await ended;
	return { code, text };
}

/** Commands that read what a run has ended with. */
const readers = [
	(run: string) => ["report", run],
	(run: string) => ["cite", run],
	(run: string) => ["compare", run, run],
	(run: string) => ["export", run, "--to", "python"],
] as const;

describe("odentify resume", () => {
	it("goes on after Ctrl-C and ends as if it had not been stopped", async () => {
		place = new Workplace(slow);
		const whole = place.run("run", "study.yaml", "--out", "whole", "--json");
		expect(whole.code).toBe(0);
		const { code, text } = await stopped("cut", "SIGINT");
		expect(code).toBe(1);
		expect(text).toMatch(/odentify resume cut/);
		expect(place.has("cut/checkpoint")).toBe(true);
		expect(place.has("cut/summary.json")).toBe(false);
		const { code: again, out } = place.run("resume", "cut", "--json");
		expect(again).toBe(0);
		expect(place.has("cut/checkpoint")).toBe(false);
		const parameters = (json: string): unknown => JSON.parse(json).parameters;
		expect(parameters(out)).toEqual(parameters(whole.out));
		expect(place.text("cut/trajectory.csv")).toBe(place.text("whole/trajectory.csv"));
		const titleOf = (run: string): string =>
			/<title>(.*?)<\/title>/.exec(place.text(`${run}/report.html`))![1];
		expect(titleOf("cut")).toBe(titleOf("whole"));
		const events = place
			.text("cut/log.jsonl")
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).event);
		// On a slow machine a timed checkpoint may come before the one of the stop.
		const changes = events.filter((event, i) => event !== events[i - 1]);
		expect(changes.filter((event) => event !== "checkpoint")).toEqual([
			"started",
			"stopped",
			"resumed",
			"ended",
		]);
		expect(changes).toContain("checkpoint");
		expect(place.call("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/has come to its end/),
		});
	}, 120_000);

	it.runIf(existsSync("/proc/self/fd"))(
		"is refused while the run goes on, and not after it was killed",
		async () => {
			place = new Workplace(slow);
			const child = place.start("run", "study.yaml", "--out", "cut");
			const ended = once(child, "exit");
			while (!place.has("cut/study.yaml") && child.exitCode === null)
				await new Promise((next) => setTimeout(next, 10));
			// Held where it is: it cannot come to its end meanwhile.
			child.kill("SIGSTOP");
			const log = place.text("cut/log.jsonl");
			// What it has set aside is not to be cleared away under it.
			place.put("cut/.odentify-aside-1-report.html", "half");
			expect(place.call("resume", "cut")).toMatchObject({
				code: 2,
				err: expect.stringContaining(`its run still goes on (process ${child.pid})`),
			});
			for (const reader of readers)
				expect(place.call(...reader("cut"))).toMatchObject({
					code: 2,
					err: expect.stringContaining(`its run still goes on (process ${child.pid})`),
				});
			expect(place.text("cut/log.jsonl")).toBe(log);
			expect(place.has("cut/.odentify-aside-1-report.html")).toBe(true);
			child.kill("SIGKILL");
			await ended;
			expect(place.call("resume", "cut").code).toBe(0);
			expect(place.has("cut/summary.json")).toBe(true);
		},
		120_000,
	);

	it("starts over after a kill that came before the first checkpoint", async () => {
		place = new Workplace(slow);
		await stopped("cut", "SIGKILL");
		expect(place.files().filter((name) => name.startsWith("cut"))).toEqual([
			"cut/log.jsonl",
			"cut/study.yaml",
		]);
		for (const reader of readers)
			expect(place.call(...reader("cut"))).toMatchObject({
				code: 2,
				err: "cut: holds no result yet\n  Let the run end:  odentify resume cut\n",
			});
		const { code, out } = place.call("resume", "cut");
		expect(code).toBe(0);
		expect(out).toMatch(/has no checkpoint yet: starts from the beginning/);
	}, 120_000);

	it("refuses a state of another version or form, and says what to do", async () => {
		place = new Workplace(slow);
		await stopped("cut", "SIGINT");
		const path = join(place.path, "cut/checkpoint");
		const bytes = readFileSync(path);
		const rewritten = (facts: object, state: Uint8Array): void => {
			const head = JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(10)));
			const { magic, length: _, sha256: __, ...old } = head;
			const own = { ...old, ...facts };
			const line = { magic, ...own, length: state.length, sha256: digest(JSON.stringify(own), state) };
			writeFileSync(path, Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), state]));
			rmSync(join(place.path, "cut/checkpoint.before"), { force: true });
		};
		const state = Uint8Array.from(bytes.subarray(bytes.indexOf(10) + 1));
		rewritten({ version: "0.0.9" }, state);
		expect(place.call("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(
				/^cut: its checkpoint was written by Odentify 0\.0\.9, and this is .*\n {2}Go on with that version, or start again: {2}odentify run cut\/study\.yaml\n$/,
			),
		});
		rewritten({ form: "fit 99" }, state);
		expect(place.call("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/has the form "fit 99"[\s\S]*or start again: {2}odentify run/),
		});
		for (const other of ["{}", "[]", "null", '{"phase":3}', "text"]) {
			rewritten({}, new TextEncoder().encode(other));
			expect([other, place.call("resume", "cut")]).toMatchObject([
				other,
				{
					code: 2,
					err: expect.stringMatching(/^the checkpoint: holds a state that fit cannot go on from\n/),
				},
			]);
		}
		rewritten({}, state);
		expect(place.call("resume", "cut").code).toBe(0);
	}, 120_000);

	it("refuses a damaged checkpoint, and one of another question, with the reason", async () => {
		place = new Workplace(slow);
		await stopped("cut", "SIGINT");
		const study = place.text("cut/study.yaml");
		place.put("cut/study.yaml", study.replace("seed: 1", "seed: 2"));
		expect(place.call("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/belongs to another question/),
		});
		place.put("cut/study.yaml", study);
		place.put("decay.csv", place.text("decay.csv").replace(/^0\.5,.*/m, "0.5,1.5"));
		expect(place.call("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/belongs to another question/),
		});
		writeFileSync(join(place.path, "cut/checkpoint"), "damaged");
		expect(place.call("resume", "cut")).toMatchObject({
			code: 2,
			err: expect.stringMatching(/has no whole checkpoint: .*first line/),
		});
	}, 120_000);
});
