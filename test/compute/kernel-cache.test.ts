/** What lies in the cache of kernels is run: only what this user kept there is. */

import { createHash } from "node:crypto";
import {
	chmodSync,
	chownSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { compileLibrary, findCompiler } from "../../src/compute/node/c-compiler.ts";
import { keepFile, kernelFolder, makeKernelFolder, readKept } from "../../src/compute/node/kernel-cache.ts";
import { whyNotTrusted } from "../../src/compute/node/trusted-folder.ts";
import { InputError } from "../../src/errors.ts";
import { hasCompiler } from "../lower/support/native.ts";

const top = mkdtempSync(join(realpathSync(tmpdir()), "odentify-trust-"));
const before = process.env.XDG_CACHE_HOME;
let base: string;
let n = 0;
beforeEach(() => {
	base = join(top, `cache-${n++}`);
	process.env.XDG_CACHE_HOME = base;
	makeKernelFolder();
});
afterEach(() => {
	if (before === undefined) delete process.env.XDG_CACHE_HOME;
	else process.env.XDG_CACHE_HOME = before;
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const at = (name: string): string => join(kernelFolder(), name);
function keep(name: string, content: string): string {
	writeFileSync(`${at(name)}.aside`, content);
	keepFile(`${at(name)}.aside`, at(name));
	return at(name);
}
const text = (path: string): string | undefined => {
	const bytes = readKept(path);
	return bytes && Buffer.from(bytes).toString();
};
const sha256 = (content: string): string => createHash("sha256").update(content).digest("hex");
const isRoot = process.getuid?.() === 0;

describe.runIf(process.getuid)("the checksum", () => {
	test("of what was kept fits", () => {
		expect(text(keep("a.so", "one"))).toBe("one");
	});

	test("cannot be made without the secret, nor moved to another file", () => {
		const path = keep("a.so", "one");
		writeFileSync(path, "evil");
		for (const sum of [sha256("evil"), ""]) {
			writeFileSync(`${path}.sha256`, sum);
			expect(text(path)).toBeUndefined();
		}
		const other = keep("b.so", "two");
		renameSync(other, path);
		renameSync(`${other}.sha256`, `${path}.sha256`);
		expect(text(path)).toBeUndefined();
	});

	test("is keyed by a file that only its owner reads; another one makes all worthless", () => {
		const path = keep("a.so", "one");
		const secret = join(base, "odentify", "kernel-secret");
		expect(statSync(secret).mode & 0o777).toBe(0o600);
		const own = readFileSync(secret);
		chmodSync(secret, 0o644);
		expect(text(path)).toBeUndefined();
		// It may have been read: a new one is made.
		expect(text(keep("b.so", "two"))).toBe("two");
		expect(readFileSync(secret).equals(own)).toBe(false);
		expect(text(path)).toBeUndefined();
		rmSync(secret);
		writeFileSync(`${at("b.so")}.sha256`, "");
		expect(text(at("b.so"))).toBeUndefined();
	});
});

describe.runIf(process.getuid)("a file", () => {
	test("that others can write to, by any of its names, is not used", () => {
		const path = keep("a.so", "one");
		chmodSync(path, 0o777);
		expect(text(path)).toBeUndefined();
		chmodSync(path, 0o700);
		linkSync(path, join(top, `other-name-${n}`));
		expect(text(path)).toBeUndefined();
		const link = keep("b.so", "two");
		renameSync(link, at("elsewhere"));
		symlinkSync("elsewhere", link);
		expect(text(link)).toBeUndefined();
	});
});

describe.runIf(process.getuid)("a folder", () => {
	test("of ours that was left open is closed before it is used", () => {
		const path = keep("a.so", "one");
		chmodSync(kernelFolder(), 0o777);
		expect(text(path)).toBeUndefined();
		makeKernelFolder();
		expect(statSync(kernelFolder()).mode & 0o777).toBe(0o700);
		expect(text(path)).toBe("one");
	});

	test("below one that others can write to is refused, unless entries there stay their owners'", () => {
		const path = keep("a.so", "one");
		for (const mode of [0o777, 0o757]) {
			chmodSync(base, mode);
			expect(text(path)).toBeUndefined();
			expect(() => makeKernelFolder()).toThrow(`${base} can be written to by other users`);
		}
		chmodSync(base, 0o1777);
		expect(text(path)).toBe("one");
	});

	test("that a link in an open folder leads to is refused", () => {
		const open = join(top, `open-${n}`);
		mkdirSync(open);
		chmodSync(open, 0o777);
		symlinkSync(base, join(open, "cache"));
		process.env.XDG_CACHE_HOME = join(open, "cache");
		expect(whyNotTrusted(kernelFolder())).toBe(`${open} can be written to by other users`);
		chmodSync(open, 0o755);
		expect(whyNotTrusted(kernelFolder())).toBeUndefined();
	});

	test.runIf(isRoot)("that belongs to another user, or lies below one, is refused", () => {
		for (const folder of [kernelFolder(), base]) {
			chownSync(folder, 12345, 12345);
			expect(whyNotTrusted(kernelFolder())).toBe(`${folder} belongs to another user (12345)`);
			expect(() => makeKernelFolder()).toThrow("belongs to another user");
			chownSync(folder, 0, 0);
		}
	});

	test.runIf(isRoot)("whose group is more than its owner is refused", () => {
		chownSync(base, 0, 12345);
		chmodSync(base, 0o770);
		expect(whyNotTrusted(kernelFolder())).toBe(`${base} can be written to by other users`);
		chownSync(base, 0, 0);
		expect(whyNotTrusted(kernelFolder())).toBeUndefined();
	});
});

test.runIf(hasCompiler && process.getuid)(
	"a library that someone planted is not run, and it is said why there is no cache",
	async () => {
		const compiler = await findCompiler();
		const library = await compileLibrary("int run(void) { return 1; }", compiler);
		writeFileSync(library, "planted");
		writeFileSync(`${library}.sha256`, sha256("planted"));
		expect(await compileLibrary("int run(void) { return 1; }", compiler)).toBe(library);
		expect(statSync(library).size).toBeGreaterThan(1000);
		chmodSync(base, 0o777);
		const refused = compileLibrary("int run(void) { return 1; }", compiler);
		await expect(refused).rejects.toThrow(InputError);
		await expect(refused).rejects.toThrow(/written to by other users\)\n.*no one else can write to/);
	},
);
