import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeLeftovers, writeAside, writeAtomic } from "../../src/study/node/atomic-write.ts";
import {
	hasCheckpoint,
	readCheckpoint,
	removeCheckpoints,
	writeCheckpoint,
} from "../../src/study/node/checkpoint.ts";
import { RunFolder, runName } from "../../src/study/node/run-folder.ts";

let folder: string;
const home = process.cwd();
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "odentify-test-"));
});
afterEach(() => {
	process.chdir(home);
	rmSync(folder, { recursive: true, force: true });
});

describe("files are whole at every instant", () => {
	it("replaces a file in one move", () => {
		const path = join(folder, "summary.json");
		writeAtomic(path, "old");
		const aside = writeAside(path, "new, but the process is killed here");
		expect(readFileSync(path, "utf8")).toBe("old");
		expect(existsSync(aside)).toBe(true);
		removeLeftovers(folder);
		expect(readdirSync(folder)).toEqual(["summary.json"]);
	});

	it("shows a reader either the old content or the new one while a writer is killed again and again", async () => {
		const path = join(folder, "state");
		const size = 200_000;
		writeAtomic(path, "0".repeat(size));
		const script = join(folder, "writer.mjs");
		const source = new URL("../../src/study/node/atomic-write.ts", import.meta.url);
		// The writer is the real code; its types are taken out here, for Node 20 reads none.
		const { transformWithOxc } = await import("vite");
		const { code } = await transformWithOxc(readFileSync(source, "utf8"), "atomic-write.ts");
		writeFileSync(join(folder, "atomic-write.mjs"), code);
		writeFileSync(
			script,
			`import { writeAtomic } from ${JSON.stringify(pathToFileURL(join(folder, "atomic-write.mjs")).href)};
process.stdout.write("go\\n");
for (let i = 0; ; i++) writeAtomic(${JSON.stringify(path)}, String(i % 10).repeat(${size}));`,
		);
		for (let kill = 0; kill < 8; kill++) {
			const writer = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
			await new Promise((resolve) => writer.stdout.once("data", resolve));
			for (let look = 0; look < 20; look++) {
				const content = readFileSync(path, "utf8");
				expect(content.length).toBe(size);
				expect(content).toBe(content[0].repeat(size));
				await new Promise((resolve) => setTimeout(resolve, 1));
			}
			const ended = new Promise((resolve) => writer.once("exit", resolve));
			writer.kill("SIGKILL");
			await ended;
			const content = readFileSync(path, "utf8");
			expect(content).toBe(content[0].repeat(size));
		}
	});
});

describe("checkpoints", () => {
	const make = (byte: number) => ({
		method: "fit",
		question: "q",
		seconds: 1.5,
		fraction: 0.25,
		state: new Uint8Array([byte, 10, 0, 255]),
	});

	it("come back as they were written", () => {
		writeCheckpoint(folder, make(1));
		expect(readCheckpoint(folder)).toEqual({ checkpoint: make(1), refused: [] });
		expect(hasCheckpoint(folder)).toBe(true);
		removeCheckpoints(folder);
		expect(readdirSync(folder)).toEqual([]);
	});

	it.each([
		["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 2), /has 2 bytes where 4 were written/],
		["with a flipped bit", (bytes: Buffer) => flip(bytes, bytes.length - 1), /its checksum is wrong/],
		[
			"with a changed head",
			(bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace("0.25", "0.75"), "latin1"),
			/its checksum is wrong/,
		],
		["of zeros", (bytes: Buffer) => Buffer.alloc(bytes.length), /its first line is cut off/],
		["of another kind", () => Buffer.from('{"magic":"something"}\nabc'), /not a checkpoint of this version/],
		["that is empty", () => Buffer.alloc(0), /its first line is cut off/],
	])("one %s is refused with the reason, and the one before it is used", (_, damage, reason) => {
		writeCheckpoint(folder, make(1));
		writeCheckpoint(folder, make(2));
		const path = join(folder, "checkpoint");
		writeFileSync(path, damage(readFileSync(path)));
		const { checkpoint, refused } = readCheckpoint(folder);
		expect(checkpoint).toEqual(make(1));
		expect(refused).toHaveLength(1);
		expect(refused[0]).toMatch(reason);
		// Going on from there: the damaged one must not take the place of the good one.
		writeCheckpoint(folder, make(3));
		expect(readCheckpoint(folder)).toEqual({ checkpoint: make(3), refused: [] });
		writeFileSync(path, damage(readFileSync(path)));
		expect(readCheckpoint(folder).checkpoint).toEqual(make(1));
	});

	it("says so when none is whole", () => {
		expect(() => readCheckpoint(folder)).toThrow(/has no checkpoint to go on from/);
		writeFileSync(join(folder, "checkpoint"), "damaged");
		expect(() => readCheckpoint(folder)).toThrow(/has no whole checkpoint/);
	});

	it("passes over one that cannot be read at all", () => {
		writeCheckpoint(folder, make(1));
		writeCheckpoint(folder, make(2));
		rmSync(join(folder, "checkpoint"));
		mkdirSync(join(folder, "checkpoint"));
		const { checkpoint, refused } = readCheckpoint(folder);
		expect(checkpoint).toEqual(make(1));
		expect(refused[0]).toMatch(/cannot be read \(EISDIR/);
	});

	it("survives a kill between its two renames", () => {
		writeCheckpoint(folder, make(1));
		// The state between the renames: the newest has become the one before, the new one lies aside.
		writeFileSync(join(folder, "checkpoint.before"), readFileSync(join(folder, "checkpoint")));
		rmSync(join(folder, "checkpoint"));
		expect(readCheckpoint(folder).checkpoint).toEqual(make(1));
	});

	function flip(bytes: Buffer, index: number): Buffer {
		const copy = Buffer.from(bytes);
		copy[index] ^= 1;
		return copy;
	}
});

describe("the run folder", () => {
	it("takes the first free name", () => {
		process.chdir(folder);
		expect(RunFolder.create("demo", undefined).path).toBe(join("runs", "demo"));
		expect(RunFolder.create("demo", undefined).path).toBe(join("runs", "demo-2"));
		expect(RunFolder.create("demo", undefined).path).toBe(join("runs", "demo-3"));
	});

	it("never overwrites", () => {
		const out = join(folder, "out");
		const run = RunFolder.create("x", out);
		run.write("summary.json", "{}");
		expect(() => RunFolder.create("x", out)).toThrow(/is not empty/);
		writeFileSync(join(folder, "file"), "");
		expect(() => RunFolder.create("x", join(folder, "file"))).toThrow(/is a file/);
	});

	it("is named for its study", () => {
		expect(runName("a/silverbox.yaml")).toBe("silverbox");
		expect(runName("examples/demo/study.yaml")).toBe("demo");
		expect(runName("we ird/../na me.yml")).toBe("na-me");
		expect(runName("...yaml")).toBe("run");
	});

	it("keeps whole lines of its log and takes a cut one off", () => {
		const run = RunFolder.create("x", join(folder, "out"));
		run.log("started", { seed: 1 });
		run.close();
		writeFileSync(run.file("log.jsonl"), `${readFileSync(run.file("log.jsonl"), "utf8")}{"time":"20`);
		run.write("study.yaml", "x");
		const again = RunFolder.open(run.path);
		again.log("resumed");
		again.close();
		const lines = readFileSync(run.file("log.jsonl"), "utf8").trim().split("\n");
		expect(lines.map((line) => JSON.parse(line).event)).toEqual(["started", "resumed"]);
	});

	it("lets no name of a file leave it", () => {
		const run = RunFolder.create("x", join(folder, "out"));
		for (const name of ["../evil", "a/b", "..", "", ".hidden"])
			expect(() => run.write(name, "x")).toThrow(TypeError);
	});

	it("can be taken back", () => {
		const run = RunFolder.create("x", join(folder, "out"));
		run.write("a", "x");
		run.discard();
		expect(existsSync(join(folder, "out"))).toBe(false);
	});

	it("says what is wrong with a folder that is none", () => {
		expect(() => RunFolder.open(join(folder, "nowhere"))).toThrow(/no such folder/);
		expect(() => RunFolder.open(folder)).toThrow(/no study\.yaml/);
		// A study of the user's own is not taken for a run.
		writeFileSync(join(folder, "study.yaml"), "model: m.ode");
		expect(() => RunFolder.open(folder)).toThrow(/no log\.jsonl/);
	});
});

describe.runIf(existsSync("/proc/self/fd"))("a folder that another process writes to", () => {
	/** A process with the file open, until it is killed. */
	async function holder(path: string, mode: "a" | "r") {
		const text = `require("fs").openSync(${JSON.stringify(path)}, "${mode}"); console.log("go"); setInterval(() => {}, 1e6);`;
		const child = spawn(process.execPath, ["-e", text], { stdio: ["ignore", "pipe", "inherit"] });
		const exit = once(child, "exit");
		await once(child.stdout, "data");
		return async () => {
			child.kill("SIGKILL");
			await exit;
		};
	}

	it("can be read but not gone on with, until that process is gone", async () => {
		const path = join(folder, "run");
		const made = RunFolder.create("run", path);
		made.write("study.yaml", "");
		made.log("started");
		made.close();
		const early = RunFolder.open(path, "go on");
		const end = await holder(made.file("log.jsonl"), "a");
		try {
			expect(() => RunFolder.open(path, "go on")).toThrow(/its run still goes on \(process \d+\)/);
			expect(() => early.claim()).toThrow(/its run still goes on/);
			expect(RunFolder.open(path).path).toBe(path);
		} finally {
			await end();
		}
		const claimed = RunFolder.open(path, "go on").claim();
		claimed.log("resumed");
		claimed.close();
		expect(claimed.read("log.jsonl").trim().split("\n")).toHaveLength(2);
	}, 30_000);

	it("is not one whose log is only looked at", async () => {
		const path = join(folder, "run");
		const made = RunFolder.create("run", path);
		made.write("study.yaml", "");
		made.log("started");
		made.close();
		const end = await holder(made.file("log.jsonl"), "r");
		try {
			RunFolder.open(path, "go on").claim().close();
		} finally {
			await end();
		}
	}, 30_000);
});
