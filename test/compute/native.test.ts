import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileLibrary, findCompiler, isInCache } from "../../src/compute/node/c-compiler.ts";
import { native } from "../../src/compute/node/native.ts";
import { InputError } from "../../src/errors.ts";
import { emitC } from "../../src/lower/c/emit.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { hasCompiler } from "../lower/support/native.ts";
import { expectSameBits, names, smallNames, workOf } from "./places.ts";

const cache = mkdtempSync(join(tmpdir(), "odentify-cache-"));
const kernels = join(cache, "odentify", "kernels");
const before = process.env.XDG_CACHE_HOME;
beforeAll(() => {
	process.env.XDG_CACHE_HOME = cache;
});
afterAll(() => {
	if (before === undefined) delete process.env.XDG_CACHE_HOME;
	else process.env.XDG_CACHE_HOME = before;
	rmSync(cache, { recursive: true, force: true });
});
if (!hasCompiler) console.warn("no C compiler here: native is not tested");

describe.runIf(hasCompiler)("native", () => {
	test.each(names)(
		"%s: the bits of inline, on one thread and on several",
		async (name) => {
			const isSmall = smallNames.includes(name);
			for (const threads of isSmall ? [1, 2, 4] : [2]) {
				const place = await native({ threads, smallest: 0 });
				for (const batch of isSmall ? [1, 7, 33, 150] : [150])
					await expectSameBits(place, workOf(name, batch));
			}
		},
		120_000,
	);

	test("small launches run in the calling thread, with the same bits", async () => {
		const place = await native({ threads: 2, smallest: Infinity });
		for (const batch of [3, 75]) await expectSameBits(place, workOf("duffing", batch));
	});

	test("several launches at once", async () => {
		const place = await native({ threads: 2, smallest: 0 });
		await Promise.all([40, 90, 17].map((batch) => expectSameBits(place, workOf("duffing", batch))));
	});

	test("fast is near, and named so", async () => {
		const place = await native({ threads: 2, fast: true });
		expect(place.name).toBe("native, fast");
		const { kernel, batch, nSteps, buffers, expected } = workOf("duffing", 64);
		const got = buffers();
		await place.run(kernel, { batch, buffers: got, scalars: { nSteps } });
		const largest = Math.max(...got.y.map((y, i) => Math.abs(y - expected.y[i])));
		expect(largest).toBeLessThan(1e-12);
	});

	test("a library is made once and kept by content", async () => {
		await expectSameBits(await native(), workOf("duffing", 64));
		const files = readdirSync(kernels);
		expect(files.every((file) => /^[0-9a-f]{40}\.so(\.sha256)?$/.test(file))).toBe(true);
		const stamps = () => files.map((file) => statSync(join(kernels, file)).mtimeMs);
		const made = stamps();
		// Another kernel object with the same text.
		const work = workOf("duffing", 64);
		const again: Kernel = JSON.parse(JSON.stringify(work.kernel));
		await expectSameBits(await native(), { ...work, kernel: again });
		expect(readdirSync(kernels)).toEqual(files);
		expect(stamps()).toEqual(made);
	});

	test("a broken library is made again", async () => {
		const work = workOf("duffing", 64, 20);
		const kernel = { ...work.kernel, variables: [...work.kernel.variables, "lane"] as const };
		const place = await native();
		// What it will look for, made before this process has loaded it: one of these.
		const texts = [1, 2, 4].map((groups) => emitC(kernel, { dialect: "native", groups }));
		const libraries = await Promise.all(texts.map((text) => compileLibrary(text, place.compiler)));
		for (const library of libraries) writeFileSync(library, "not a library");
		await expectSameBits(place, { ...work, kernel });
		expect(libraries.filter((library) => statSync(library).size > 1000)).toHaveLength(1);
	});

	test.each([
		["cut short", 2, (bytes: Buffer) => bytes.subarray(0, 5000)],
		["with a flipped bit", 3, (bytes: Buffer) => bytes.map((byte, i) => (i === 4000 ? byte ^ 1 : byte))],
	])("a library %s is not loaded but made again", async (_, length, damage) => {
		const work = workOf("duffing", 64, 20);
		// A text that this process has not loaded yet.
		const more = Array.from({ length }, () => "lane" as const);
		const kernel = { ...work.kernel, variables: [...work.kernel.variables, ...more] };
		const place = await native();
		const text = emitC(kernel, { dialect: "native", groups: place.groupsFor(kernel, 64) });
		const library = await compileLibrary(text, place.compiler);
		const whole = readFileSync(library);
		writeFileSync(library, damage(whole));
		expect(isInCache(text, place.compiler)).toBe(false);
		await expectSameBits(place, { ...work, kernel });
		expect(readFileSync(library).equals(whole)).toBe(true);
		expect(isInCache(text, place.compiler)).toBe(true);
		// The checksum alone is lost.
		rmSync(`${library}.sha256`);
		expect(isInCache(text, place.compiler)).toBe(false);
	});

	test.each([
		["below a file", () => join(import.meta.filename, "cache")],
		["where no folder can be made", () => "/proc/nope"],
	])(
		"a cache %s is refused with what to do",
		async (_, folder) => {
			process.env.XDG_CACHE_HOME = folder();
			try {
				const failed = compileLibrary("void run(void) {}", await findCompiler());
				await expect(failed).rejects.toThrow(InputError);
				await expect(failed).rejects.toThrow(/cannot be kept in .*\n.*XDG_CACHE_HOME/);
			} finally {
				process.env.XDG_CACHE_HOME = cache;
			}
		},
		10_000,
	);

	test("CC may have flags after the program, but none that change results", async () => {
		const place = await native({ compiler: "cc -O2  -g0" });
		expect(place.compiler).toMatchObject({ program: "cc", ownFlags: ["-O2", "-g0"] });
		await expectSameBits(place, workOf("duffing", 33));
		for (const flag of ["-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-mfpmath=387"])
			await expect(native({ compiler: `cc ${flag}` })).rejects.toThrow(`${flag} changes results`);
	});

	test.each(["-E", "-S", "-c", "-o x.out", "-ox.out", "-MD", "-fsyntax-only", "-save-temps"])(
		"CC with %s, which changes what is written, is refused",
		async (flags) => {
			const failed = native({ compiler: `cc -O2 ${flags}` });
			await expect(failed).rejects.toThrow(InputError);
			await expect(failed).rejects.toThrow(`${flags.split(" ")[0]} changes what the compiler writes`);
		},
	);

	test("CC with flags from a file, or handed on to other programs, is refused", async () => {
		const file = join(cache, "flags");
		writeFileSync(file, "-ffast-math -c");
		const hidden = [
			`@${file}`,
			"--config=x.cfg",
			"--config x.cfg",
			"-specs=x",
			"-Xclang -x",
			"-Wl,-x",
			"-Dreturn=",
			"-U x",
			"-Ihere",
			"-isystem here",
		];
		const code = ["-include fast.h", "--include=fast.h", "-imacros fast.h", "-B.", "more.c", "./more.o"];
		for (const flags of [...hidden, ...code, "-mllvm -x", "-fplugin=x.so"]) {
			const failed = native({ compiler: `cc ${flags}` });
			await expect(failed).rejects.toThrow(InputError);
			await expect(failed).rejects.toThrow(`${flags.split(" ")[0]} brings flags or code along`);
		}
		// However its flags come about, the compiler itself says what they do.
		for (const [i, flag] of ["-ffast-math", "-freciprocal-math", "-fno-signed-zeros"].entries()) {
			const program = join(cache, `wrapper-${i}`);
			writeFileSync(program, `#!/bin/sh\nexec cc ${flag} "$@"\n`, { mode: 0o755 });
			await expect(native({ compiler: program })).rejects.toThrow(/computes other results.*it says __/);
		}
	});

	test("a compiler whose libraries do not load is named", async () => {
		const program = join(cache, "foreign cc");
		// With a version of its own, so that nothing of the cache is taken for its work.
		const script = [
			"#!/bin/sh",
			'case "$*" in',
			'*-shared*) for last; do :; done; echo no library >"$last" ;;',
			"*--version*) echo foreign 1.0 ;;",
			'*) exec cc "$@" ;;',
			"esac",
		];
		writeFileSync(program, `${script.join("\n")}\n`, { mode: 0o755 });
		const place = await native({ compiler: program });
		const failed = expectSameBits(place, workOf("duffing", 8));
		await expect(failed).rejects.toThrow(InputError);
		await expect(failed).rejects.toThrow(
			/foreign cc \(foreign 1\.0\) .*no library that loads here \(.*\n.*CC/,
		);
	});

	test("a compiler that writes nothing is told apart from a folder that cannot be written", async () => {
		await expect(native({ compiler: "true" })).rejects.toThrow(
			/true does not run as one \(it is no C compiler/,
		);
		const program = join(cache, "lazy cc");
		writeFileSync(program, '#!/bin/sh\ncase "$*" in *-shared*) exit 0;; esac\nexec cc "$@"\n', {
			mode: 0o755,
		});
		const { compiler } = await native({ compiler: program });
		await expect(compileLibrary("void run(void) {}", compiler)).rejects.toThrow(/it wrote no library/);
	});

	test("compiles nothing that is more than numbers and known names", async () => {
		const place = await native();
		const { kernel, batch, nSteps, buffers } = workOf("duffing", 8);
		const text = JSON.stringify(kernel);
		expect(text).toContain('"text":"0.5"');
		const spoilt = [
			text.replace('"text":"0.5"', '"text":"0.5; evil()"'),
			text.replace('"op":"mul"', '"op":"evil()"'),
			text.replace('"type":"lane","op"', '"type":"evil","op"'),
			text.replace(/"args":\[(\d)/, '"args":["evil()",$1'),
		];
		for (const each of spoilt) {
			expect(each).toContain("evil");
			await expect(
				place.run(JSON.parse(each), { batch, buffers: buffers(), scalars: { nSteps } }),
			).rejects.toThrow(/that is none/);
		}
	});
});

test("without a compiler it says what to do", async () => {
	const failed = native({ compiler: "no-such-compiler" });
	await expect(failed).rejects.toThrow(InputError);
	await expect(failed).rejects.toThrow(
		/--compute native: needs a C compiler; no-such-compiler does not run as one/,
	);
});
