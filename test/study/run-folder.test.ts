import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { removeLeftovers, writeAside, writeAtomic } from "../../src/study/node/atomic-write.ts";
import {
	digest,
	hasCheckpoint,
	readCheckpoint,
	removeCheckpoints,
	writeCheckpoint,
} from "../../src/study/node/checkpoint.ts";
import { RunFolder, runName } from "../../src/study/node/run-folder.ts";
import { version } from "../../src/version.ts";
import { build, root } from "../cli/odentify.ts";

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
		form: "fit 1",
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
		["of another kind", () => Buffer.from('{"magic":"something"}\nabc'), /it is not a checkpoint/],
		["that is null", () => Buffer.from("null\nabc"), /it is not a checkpoint/],
		[
			"of another version",
			(bytes: Buffer) => saying(bytes, { version: "0.0.9" }),
			/was written by Odentify 0\.0\.9/,
		],
		[
			"of no version",
			(bytes: Buffer) => saying(bytes, { version: undefined }),
			/was written by an earlier version/,
		],
		["of no duration", (bytes: Buffer) => saying(bytes, { seconds: null }), /its first line is damaged/],
		["of no share", (bytes: Buffer) => saying(bytes, { fraction: "x" }), /its first line is damaged/],
		["of no form", (bytes: Buffer) => saying(bytes, { form: undefined }), /its first line is damaged/],
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

	it("of another version alone is not gone on from, and it is said what to do", () => {
		writeCheckpoint(folder, make(1));
		const path = join(folder, "checkpoint");
		writeFileSync(path, saying(readFileSync(path), { version: "0.0.9" }));
		expect(() => readCheckpoint(folder)).toThrow(
			new RegExp(
				`its checkpoint was written by Odentify 0\\.0\\.9, and this is ${version.replaceAll(".", "\\.")}\n  Go on with that version, or start again:  odentify run .*study\\.yaml$`,
			),
		);
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
		expect(refused[0]).toMatch(/is a folder/);
	});

	it("survives a kill between its two renames", () => {
		writeCheckpoint(folder, make(1));
		// The state between the renames: the newest has become the one before, the new one lies aside.
		writeFileSync(join(folder, "checkpoint.before"), readFileSync(join(folder, "checkpoint")));
		rmSync(join(folder, "checkpoint"));
		expect(readCheckpoint(folder).checkpoint).toEqual(make(1));
	});

	/** The same, whole, as another version writes it. */
	/** With other facts, and the checksum of these. */
	function saying(bytes: Buffer, other: object): Buffer {
		const end = bytes.indexOf(10);
		const state = bytes.subarray(end + 1);
		const { magic, length, sha256: _, ...rest } = JSON.parse(bytes.toString("utf8", 0, end));
		const facts = { ...rest, ...other };
		const head = { magic, ...facts, length, sha256: digest(JSON.stringify(facts), state) };
		return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), state]);
	}

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
		run.log("started");
		expect(() => RunFolder.create("x", out)).toThrow(/its run still goes on/);
		run.write("summary.json", "{}");
		expect(() => RunFolder.create("x", out)).toThrow(/its run still goes on/);
		run.close();
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
		run.write("study.yaml", "x");
		run.close();
		writeFileSync(run.file("log.jsonl"), `${readFileSync(run.file("log.jsonl"), "utf8")}{"time":"20`);
		const again = RunFolder.open(run.path).claim();
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

	it("can be taken back, with the folders that were made for it", () => {
		const run = RunFolder.create("x", join(folder, "a/b/out"));
		run.write("a", "x");
		run.discard();
		expect(readdirSync(folder)).toEqual([]);
	});

	it("is taken back without what others put there, whoever made it", () => {
		for (const out of ["new", "old"].map((name) => join(folder, name))) {
			if (out.endsWith("old")) mkdirSync(out);
			const run = RunFolder.create("x", out);
			run.log("started");
			run.write("study.yaml", "x");
			writeFileSync(join(out, "notes.txt"), "mine");
			mkdirSync(join(out, "pictures"));
			run.discard();
			expect(readdirSync(out).sort()).toEqual(["notes.txt", "pictures"]);
		}
	});

	it("of an earlier run is not taken back at all", () => {
		const run = RunFolder.create("x", join(folder, "out"));
		run.write("study.yaml", "x");
		run.close();
		RunFolder.open(run.path).claim().discard();
		expect(readdirSync(run.path).sort()).toEqual(["log.jsonl", "study.yaml"]);
	});

	it("is cleared of half-written files by its owner only", () => {
		const run = RunFolder.create("x", join(folder, "out"));
		run.write("study.yaml", "x");
		const half = writeAside(run.file("report.html"), "half");
		expect(RunFolder.open(run.path).read("study.yaml")).toBe("x");
		expect(existsSync(half)).toBe(true);
		run.close();
		RunFolder.open(run.path).claim().close();
		expect(existsSync(half)).toBe(false);
	});

	it("is written to by its owner only, and by nobody once it was taken away or exchanged", () => {
		const run = RunFolder.create("x", join(folder, "out"));
		run.write("study.yaml", "x");
		expect(() => RunFolder.open(run.path).write("report.html", "x")).toThrow(/was not claimed/);
		// The log alone is made again.
		rmSync(run.file("log.jsonl"));
		run.write("a", "x");
		expect(readdirSync(run.path).sort()).toEqual(["a", "log.jsonl", "study.yaml"]);
		rmSync(run.path, { recursive: true });
		expect(() => run.write("a", "x")).toThrow(/was taken away while the run went on/);
		const other = RunFolder.create("x", join(folder, "out"));
		other.write("study.yaml", "theirs");
		expect(() => run.log("ended")).toThrow(/was taken by another run/);
		run.discard();
		expect(other.read("study.yaml")).toBe("theirs");
		other.close();
	});

	it.each([
		["a folder", (path: string) => mkdirSync(path)],
		["a link", (path: string) => symlinkSync("/dev/null", path)],
		["a pipe", (path: string) => execFileSync("mkfifo", [path])],
	])("with %s in place of its log is refused", (_, make) => {
		const out = join(folder, "out");
		mkdirSync(out);
		make(join(out, "log.jsonl"));
		expect(() => RunFolder.create("x", out)).toThrow(InputError);
		writeFileSync(join(out, "study.yaml"), "x");
		expect(() => RunFolder.open(out).claim()).toThrow(/log\.jsonl: is not a plain file/);
		expect(readdirSync(out).sort()).toEqual(["log.jsonl", "study.yaml"]);
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
		const end = await holder(made.file("log.jsonl"), "a");
		try {
			expect(() => RunFolder.open(path).claim()).toThrow(/its run still goes on \(process \d+\)/);
			expect(() => RunFolder.create("run", path)).toThrow(/--out .*: its run still goes on/);
			expect(RunFolder.open(path).read("study.yaml")).toBe("");
		} finally {
			await end();
		}
		const claimed = RunFolder.open(path).claim();
		claimed.log("resumed");
		claimed.close();
		expect(claimed.read("log.jsonl").trim().split("\n")).toHaveLength(2);
	}, 30_000);

	it("is got by one at the most of many that come together, and by one in the end", async () => {
		await build();
		const claim = pathToFileURL(join(root, "dist/study/node/run-log.js")).href;
		const text = `import { RunLog } from ${JSON.stringify(claim)};
import { appendFileSync } from "node:fs";
const [folder, said] = process.argv.slice(1);
process.stdin.once("data", () => {
	try {
		const log = RunLog.claim(folder);
		appendFileSync(said, "in\\n");
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
		appendFileSync(said, "out\\n");
		log.close();
	} catch {}
	process.exit();
});
process.stdout.write("ready");`;
		for (const found of [true, false]) {
			const [path, said] = [join(folder, `run-${found}`), join(folder, `said-${found}`)];
			mkdirSync(path);
			// The log of a run that was killed, or none.
			if (found) writeFileSync(join(path, "log.jsonl"), "{}\n");
			const children = Array.from({ length: 6 }, () =>
				spawn(process.execPath, ["--input-type=module", "-e", text, path, said], {
					stdio: ["pipe", "pipe", "inherit"],
				}),
			);
			const ends = children.map((child) => once(child, "exit"));
			await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
			for (const { stdin } of children) stdin.end("go");
			await Promise.all(ends);
			const turns = readFileSync(said, "utf8").trim().split("\n");
			expect(turns).toEqual(turns.map((_, i) => (i % 2 === 0 ? "in" : "out")));
			expect(turns.length).toBeGreaterThanOrEqual(2);
		}
	}, 60_000);

	it("is not one whose log is only looked at", async () => {
		const path = join(folder, "run");
		const made = RunFolder.create("run", path);
		made.write("study.yaml", "");
		made.log("started");
		made.close();
		const end = await holder(made.file("log.jsonl"), "r");
		try {
			RunFolder.open(path).claim().close();
		} finally {
			await end();
		}
	}, 30_000);
});
