/** The places as a user asks for them. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { build, Workplace } from "../cli/odentify.ts";
import { decayFiles } from "../cli/tiny-study.ts";
import { hasCompiler } from "../lower/support/native.ts";
import { hasRedis } from "./redis-server.ts";

let place: Workplace;
const cache = mkdtempSync(join(tmpdir(), "odentify-cache-"));
const before = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME, CC: process.env.CC };
beforeAll(async () => {
	process.env.XDG_CACHE_HOME = cache;
	await build();
}, 300_000);
afterEach(() => {
	place?.clean();
	restore("CC");
});
afterAll(() => {
	restore("XDG_CACHE_HOME");
	rmSync(cache, { recursive: true, force: true });
});

function restore(name: "CC" | "XDG_CACHE_HOME"): void {
	const value = before[name];
	if (value === undefined) delete process.env[name];
	else process.env[name] = value;
}

/** Runs the study and gives what it wrote, without what a clock says. */
function runOn(...args: string[]): { trajectory: string; parameters: unknown; log: string } {
	place = new Workplace(decayFiles);
	const { code, err } = place.call("run", "study.yaml", "--out", "out", ...args);
	expect(err).toBe("");
	expect(code).toBe(0);
	const [trajectory, log] = ["trajectory.csv", "log.jsonl"].map((name) => place.text(`out/${name}`));
	const { parameters } = place.json("out/summary.json");
	place.clean();
	return { trajectory, parameters, log };
}

describe("odentify run --compute", () => {
	test("gives the same answer on every place", () => {
		const inline = runOn("--compute", "inline");
		expect(inline.log).toContain('"compute":"inline"');
		const others = [["--compute", "threads"], [], ...(hasCompiler ? [["--compute", "native"]] : [])];
		for (const args of others) {
			const { trajectory, parameters, log } = runOn(...args);
			expect(trajectory).toBe(inline.trajectory);
			expect(parameters).toEqual(inline.parameters);
			if (args.length > 0) expect(log).toContain(`"compute":"${args[1]}"`);
		}
	}, 120_000);

	test.runIf(hasCompiler)("native --fast says so", () => {
		expect(runOn("--compute", "native", "--fast").log).toContain('"compute":"native, fast"');
		place = new Workplace(decayFiles);
		const { code, err } = place.call("run", "study.yaml", "--fast");
		expect(code).toBe(2);
		expect(err).toMatch(/--fast: goes with {2}--compute native/);
	});

	test("native without a compiler says what is missing and what to do", () => {
		process.env.CC = "no-such-compiler";
		place = new Workplace(decayFiles);
		const { code, err } = place.call("run", "study.yaml", "--compute", "native");
		expect(code).toBe(2);
		expect(err).toMatch(/needs a C compiler; no-such-compiler does not run/);
		expect(err).toMatch(/apt install gcc/);
		expect(place.has("runs")).toBe(false);
	});

	test("cuda without a graphics processor says what is missing; a queue that does not answer, too", () => {
		place = new Workplace(decayFiles);
		const { code, err } = place.call("run", "study.yaml", "--compute", "redis://:secret@127.0.0.1:1");
		expect(code).toBe(2);
		expect(err).toMatch(/redis:\/\/127\.0\.0\.1:1 does not answer/);
		expect(err).not.toContain("secret");
		if (!existsSync("/dev/nvidiactl")) {
			const without = place.call("run", "study.yaml", "--compute", "cuda");
			expect(without.code).toBe(2);
			expect(without.err).toMatch(/--compute cuda: (needs a graphics processor|the driver finds no)/);
		}
		expect(place.has("runs")).toBe(false);
	});

	test("options that go with one place only", () => {
		place = new Workplace(decayFiles);
		const refused = (...args: string[]): string => {
			const { code, err } = place.call("run", "study.yaml", ...args);
			expect(code).toBe(2);
			return err;
		};
		expect(refused("--exact")).toMatch(/--exact: goes with {2}--compute cuda/);
		expect(refused("--compute", "nowhere")).toMatch(/--compute nowhere: is no place to compute/);
		expect(refused("--checkpoint", "soon")).toMatch(/--checkpoint soon: is not a number of seconds/);
		const worker = place.call("worker", "--queue", "http://localhost");
		expect(worker).toMatchObject({ code: 2, err: expect.stringMatching(/begins with {2}redis:/) });
		expect(place.call("worker", "--queue", "redis://h", "--threads", "0").err).toMatch(/--threads 0: is not/);
		expect(place.call("queue", "redis://127.0.0.1:1").err).toMatch(/does not answer/);
	});
});

test("odentify doctor tries each place", () => {
	place = new Workplace();
	const { code, out } = place.run("doctor", "--json");
	expect(code).toBe(0);
	const findings = new Map<string, { there: boolean; found: string }>(
		JSON.parse(out).findings.map((each: { name: string }) => [each.name, each]),
	);
	for (const name of ["inline", "threads, 1", "threads, 2", ...(hasRedis ? ["redis"] : [])])
		expect(findings.get(name)).toMatchObject({
			there: true,
			found: expect.stringContaining("million steps a second"),
		});
	expect(findings.get("native")?.there).toBe(hasCompiler);
	if (!existsSync("/dev/nvidiactl"))
		expect(findings.get("cuda")).toMatchObject({
			there: false,
			found: expect.stringMatching(/graphics processor/),
		});
	process.env.CC = "no-such-compiler";
	const without = JSON.parse(place.run("doctor", "--json").out).findings;
	expect(without.find(({ name }: { name: string }) => name === "native")).toMatchObject({
		there: false,
		found: expect.stringContaining("no-such-compiler"),
	});
}, 120_000);
