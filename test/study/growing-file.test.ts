/** Lines that arrive in pieces of any size. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { GrowingFile } from "../../src/study/node/growing-file.ts";

const folder = mkdtempSync(join(tmpdir(), "odentify-growing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a stream gives whole lines only, and the last one when it ends", async () => {
	const input = new PassThrough();
	const growing = new GrowingFile("input", { input });
	input.write("t,y\n0,1\n1,2\n2,");
	expect((await growing.grown())!.nRows).toBe(2);
	input.write("3\n3,4");
	expect((await growing.grown())!.columns[1].values).toEqual(Float64Array.of(1, 2, 3));
	input.end();
	expect((await growing.grown())!.nRows).toBe(4);
	expect(await growing.grown()).toBeUndefined();
	expect(growing.isEnded).toBe(true);
	expect(growing.hasOpenEnd).toBe(true);
});

test("a stream that ends has not ended for who has yet to see its last lines", async () => {
	const input = new PassThrough();
	const growing = new GrowingFile("input", { input });
	input.write("t,y\n0,1\n");
	expect((await growing.grown())!.nRows).toBe(1);
	input.end("1,2\n2,3\n");
	await finished(input);
	await new Promise((next) => setImmediate(next));
	expect(growing.isEnded).toBe(false);
	expect((await growing.grown())!.nRows).toBe(3);
	expect(growing.isEnded).toBe(true);
	expect(growing.hasOpenEnd).toBe(false);
});

test("when no more is wanted, what was given out is all", async () => {
	const input = new PassThrough();
	const growing = new GrowingFile("input", { input });
	input.write("t,y\n0,1\n");
	await growing.grown();
	input.write("1,2\n");
	await new Promise((next) => setImmediate(next));
	growing.end();
	expect(growing.isEnded).toBe(true);
	expect(await growing.grown()).toBeUndefined();
	expect(new TextDecoder().decode(growing.bytes)).toBe("t,y\n0,1\n");
});

test("a file is read as it grows; a half-written line is left out at the end", async () => {
	const path = join(folder, "a.csv");
	writeFileSync(path, "t,y\n0,1\n1,2\n");
	const growing = new GrowingFile("a.csv", { path });
	expect((await growing.grown())!.nRows).toBe(2);
	appendFileSync(path, "2,3\n3,");
	expect((await growing.grown())!.nRows).toBe(3);
	growing.end();
	expect(await growing.grown()).toBeUndefined();
});

test("what never ends a line, and what is no file, is refused", async () => {
	const input = new PassThrough();
	const endless = new GrowingFile("input", { input });
	const zeros = new Uint8Array(1024 * 1024);
	for (let i = 0; i < 20 && !input.destroyed; i++) {
		input.write(zeros);
		await new Promise((next) => setImmediate(next));
	}
	await expect(endless.grown()).rejects.toThrow("a line of more than 16 MiB");
	expect(input.destroyed).toBe(true);
	const [pipe, device] = ["pipe.csv", "device.csv"].map((name) => join(folder, name));
	execFileSync("mkfifo", [pipe]);
	symlinkSync("/dev/zero", device);
	await expect(new GrowingFile("p", { path: pipe }).grown()).rejects.toThrow(/is a pipe\n.*file: "-"/);
	await expect(new GrowingFile("d", { path: device }).grown()).rejects.toThrow("is a device, not a file");
});

test("a file that becomes shorter, and one that is not there, are errors", async () => {
	const path = join(folder, "b.csv");
	writeFileSync(path, "t,y\n0,1\n1,2\n");
	const growing = new GrowingFile("b.csv", { path });
	await growing.grown();
	writeFileSync(path, "t\n");
	await expect(growing.grown()).rejects.toThrow(InputError);
	const missing = new GrowingFile("c.csv", { path: join(folder, "c.csv") });
	await expect(missing.grown()).rejects.toThrow("is not there");
});
