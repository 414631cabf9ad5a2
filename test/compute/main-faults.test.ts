/** The command that is killed, a full disk, a damaged checkpoint: each ends with the bits of an undisturbed run. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { queueStatus } from "../../src/compute/node/redis/queue-status.ts";
import { stream } from "../../src/num/random.ts";
import { build, root, Workplace } from "../cli/odentify.ts";
import { decayCsv, decayFiles, decayStudy } from "../cli/tiny-study.ts";
import { repetitions } from "../repetitions.ts";
import { hasRedis, RedisServer } from "./redis-server.ts";

const main = join(root, "dist/cli/main.js");
let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

/** Everything a run wrote that does not depend on a clock. */
function answerOf(folder: string, names: readonly string[]): string[] {
	const {
		seconds: _,
		timing: __,
		...summary
	} = place.json(`${folder}/summary.json`) as Record<string, unknown>;
	return [JSON.stringify(summary), ...names.map((name) => place.text(`${folder}/${name}`))];
}

/** Starts a command and kills it after some time, unless it ends before: whether it was killed. */
async function killedAfter(milliseconds: number, args: readonly string[]): Promise<boolean> {
	const child = spawn(process.execPath, [main, ...args], { cwd: place.path, stdio: "ignore" });
	const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
	const [code] = await once(child, "exit");
	clearTimeout(timer);
	expect(code === null || code === 0).toBe(true);
	return code === null;
}
const isStarted = (folder: string): boolean =>
	place.has(`${folder}/study.yaml`) && place.has(`${folder}/log.jsonl`);
/** Killed when all was written, and the process had only to end. */
const isWhole = (folder: string): boolean =>
	place.has(`${folder}/summary.json`) && !place.has(`${folder}/checkpoint`);

describe.runIf(hasRedis)("killed at random instants and resumed", () => {
	const server = new RedisServer();
	beforeAll(async () => {
		await server.start();
		await server.worker("--threads", "2");
	});
	afterAll(() => server.clean());

	test("on a queue: the posterior of an undisturbed run", async () => {
		place = new Workplace({
			"decay.ode": decayFiles["decay.ode"],
			"decay.csv": decayCsv(260),
			"study.yaml": `${decayStudy.replace("0..40", "0..240").replace("40..60", "240..260")}method: bayes\nbayes: { particles: 8000, integrationError: simulated }\n`,
		});
		expect(place.run("run", "study.yaml", "--out", "whole", "--compute", "inline").code).toBe(0);
		const files = ["posterior.csv", "trajectory.csv"];
		const expected = answerOf("whole", files);
		const options = ["--compute", server.url, "--checkpoint", "0.1"];
		const random = stream(8, "instants");
		let [kills, runs] = [0, 1];
		const finish = (): void => {
			expect(answerOf(`cut-${runs}`, files)).toEqual(expected);
			runs++;
		};
		while (kills < repetitions(4, 10)) {
			const folder = `cut-${runs}`;
			const command = isStarted(folder)
				? ["resume", folder, ...options]
				: ["run", "study.yaml", "--out", folder, ...options];
			if (await killedAfter(300 + 1500 * random.uniform(kills), command)) kills++;
			if (isWhole(folder)) finish();
		}
		const folder = `cut-${runs}`;
		if (isStarted(folder)) expect(place.run("resume", folder, ...options).code).toBe(0);
		else expect(place.run("run", "study.yaml", "--out", folder, ...options).code).toBe(0);
		finish();
		const { workers, jobs } = await queueStatus(server.url, "test");
		expect(workers[0].done).toBeGreaterThan(0);
		expect(jobs.failed).toBe(0);
	}, 300_000);
});

/** Slow enough to be stopped: an adaptive solver from many starts. */
const slow = {
	...decayFiles,
	"study.yaml": `${decayStudy}fit: { starts: 200, candidates: 1000, integrator: adaptive }\n`,
};
const results = ["trajectory.csv"];

/** A run that was killed once it had written so many checkpoints, the last of so many bytes: one that ended before it was seen is made again. */
async function killedWithCheckpoints(count: number, every: string, least: number): Promise<void> {
	for (let tries = 0; tries < 10; tries++) {
		if (await isKilledWithCheckpoints(count, every, least)) return;
		rmSync(join(place.path, "cut"), { recursive: true });
	}
	throw new Error("the run ended before it could be killed, ten times");
}
async function isKilledWithCheckpoints(count: number, every: string, least: number): Promise<boolean> {
	const child = spawn(
		process.execPath,
		[main, "run", "study.yaml", "--out", "cut", "--compute", "inline", "--checkpoint", every],
		{ cwd: place.path, stdio: "ignore" },
	);
	const ended = once(child, "exit");
	const log = join(place.path, "cut/log.jsonl");
	const written = (): number =>
		existsSync(log) ? readFileSync(log, "utf8").split('"event":"checkpoint"').length - 1 : 0;
	const size = (): number =>
		statSync(join(place.path, "cut/checkpoint"), { throwIfNoEntry: false })?.size ?? 0;
	while ((written() < count || size() < least) && child.exitCode === null)
		await new Promise((next) => setTimeout(next, 5));
	child.kill("SIGKILL");
	await ended;
	return child.signalCode === "SIGKILL" && place.has("cut/checkpoint");
}

describe("a run", () => {
	test("whose newest checkpoint is damaged goes on from the one before it, and says so", async () => {
		place = new Workplace(slow);
		expect(place.run("run", "study.yaml", "--out", "whole", "--compute", "inline").code).toBe(0);
		await killedWithCheckpoints(3, "0.02", 0);
		expect(place.has("cut/checkpoint.before")).toBe(true);
		const path = join(place.path, "cut/checkpoint");
		const bytes = readFileSync(path);
		bytes[bytes.length - 20] ^= 1;
		writeFileSync(path, bytes);
		const { code, out } = place.run("resume", "cut", "--compute", "inline");
		expect(code).toBe(0);
		expect(out).toMatch(/passed over cut\/checkpoint: its checksum is wrong/);
		expect(out).toMatch(/goes on at \d+ %/);
		expect(answerOf("cut", results)).toEqual(answerOf("whole", results));
	}, 120_000);

	test.runIf(process.platform === "linux")(
		"on a full disk keeps its last checkpoint and goes on",
		async () => {
			place = new Workplace(slow);
			expect(place.run("run", "study.yaml", "--out", "whole", "--compute", "inline").code).toBe(0);
			await killedWithCheckpoints(1, "0.05", 3000);
			const before = place.text("cut/checkpoint");
			// No file may grow beyond 2 blocks of 1024 bytes: every new checkpoint fails in the middle of its bytes.
			const { stdout, stderr, status } = spawnSync(
				"bash",
				[
					"-c",
					'ulimit -f 2 && exec "$@"',
					"bash",
					process.execPath,
					main,
					...["resume", "cut", "--compute", "inline", "--checkpoint", "0.02"],
				],
				{ cwd: place.path, encoding: "utf8" },
			);
			expect(stderr).toMatch(/no checkpoint: cut\/checkpoint cannot be written: .*going on/);
			// It came to its end; only there the results did not fit on the disk.
			expect(stdout).toMatch(/goes on at \d+ %/);
			expect(stderr).toMatch(/cut.*cannot be written/);
			expect(status).toBe(2);
			expect(place.text("cut/checkpoint")).toBe(before);
			expect(place.files().some((name) => name.includes("aside"))).toBe(false);
			expect(place.run("resume", "cut", "--compute", "inline").code).toBe(0);
			expect(answerOf("cut", results)).toEqual(answerOf("whole", results));
		},
		120_000,
	);
});
