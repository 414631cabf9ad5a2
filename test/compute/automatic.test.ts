/** Machine code where it pays, and only there; the bits never tell. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import { inline, runInline } from "../../src/compute/inline.ts";
import { Automatic } from "../../src/compute/node/automatic.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { hasCompiler } from "../lower/support/native.ts";
import { updateKernel } from "./update-kernel.ts";

let cache: string;
const before = process.env.XDG_CACHE_HOME;
const folders: string[] = [];
beforeEach(() => {
	cache = mkdtempSync(join(tmpdir(), "odentify-cache-"));
	folders.push(cache);
	process.env.XDG_CACHE_HOME = cache;
});
afterAll(() => {
	if (before === undefined) delete process.env.XDG_CACHE_HOME;
	else process.env.XDG_CACHE_HOME = before;
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Inline, with its launches counted. */
class Base implements Compute {
	readonly name = "base";
	launches = 0;
	async run(kernel: Kernel, launch: Parameters<Compute["run"]>[1]): Promise<void> {
		this.launches++;
		await inline.run(kernel, launch);
	}
}

const batch = 64;
const long = { rounds: 4_000_000 };
const short = { rounds: 10 };
const given = (): Float64Array => Float64Array.from({ length: batch }, (_, i) => i);

async function expectSame(place: Compute, kernel: Kernel, scalars: { rounds: number }): Promise<void> {
	const [x, expected] = [given(), given()];
	await place.run(kernel, { batch, buffers: { x }, scalars });
	runInline(kernel, { batch, buffers: { x: expected }, scalars });
	expect(x).toEqual(expected);
}

describe.runIf(hasCompiler)("automatic", () => {
	let kernel: Kernel;
	beforeAll(() => {
		kernel = updateKernel();
	});

	test("compiles what has cost as much as its compilation, and uses it from then on", async () => {
		const base = new Base();
		const place = new Automatic({ base, compileCost: () => 300 });
		while (!(await place.settled(kernel))) await expectSame(place, kernel, long);
		const launches = base.launches;
		expect(launches).toBeGreaterThan(1);
		for (const scalars of [long, short]) await expectSame(place, kernel, scalars);
		expect(base.launches).toBe(launches);
		await place.close();
	}, 60_000);

	test("compiles nothing for short work", async () => {
		const base = new Base();
		const place = new Automatic({ base, compileCost: () => 1e9 });
		const other = updateKernel();
		// So much that a compiler is looked for.
		for (let i = 0; i < 4; i++) await expectSame(place, kernel, long);
		for (let i = 0; i < 5; i++) await expectSame(place, other, short);
		expect(await place.settled(other)).toBe(false);
		expect(await place.settled(kernel)).toBe(false);
		expect(base.launches).toBe(9);
		await place.close();
	}, 60_000);

	test("what is in the cache is free", async () => {
		const first = new Automatic({ base: new Base(), compileCost: () => 0 });
		while (!(await first.settled(kernel))) await expectSame(first, kernel, long);
		await first.close();
		const base = new Base();
		const second = new Automatic({ base, compileCost: () => 1e9 });
		const same = updateKernel();
		// A compiler is looked for once some time was spent; how many launches that takes depends on the machine.
		for (let i = 0; i < 500 && !(await second.settled(same)); i++) {
			await expectSame(second, updateKernel(), long);
			await expectSame(second, same, short);
		}
		expect(await second.settled(same)).toBe(true);
		const launches = base.launches;
		await expectSame(second, same, short);
		expect(base.launches).toBe(launches);
		await second.close();
	}, 60_000);

	test("is closed in the middle of a compilation", async () => {
		const place = new Automatic({ base: new Base(), compileCost: () => 0 });
		for (let i = 0; i < 3; i++) await expectSame(place, kernel, long);
		await place.close();
	}, 60_000);
});

test("without a compiler it goes on as it is", async () => {
	const base = new Base();
	const place = new Automatic({ base, native: { compiler: "no-such-compiler" }, compileCost: () => 0 });
	const kernel = updateKernel();
	for (let i = 0; i < 4; i++) await expectSame(place, kernel, long);
	expect(await place.settled(kernel)).toBe(false);
	expect(base.launches).toBe(4);
	await place.close();
}, 60_000);
