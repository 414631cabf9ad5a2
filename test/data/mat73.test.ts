import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMat73 } from "../../src/data/mat/mat73.ts";
import { isHdf5 } from "../../src/data/read/signatures.ts";
import { damagedFile, inputErrorOf, sameBits, survives } from "./bytes.ts";
import { asMat, hdf5File } from "./hdf5-file.ts";

const ramp = Float64Array.from({ length: 2000 }, (_, i) => i / 7);

async function sample(): Promise<Uint8Array> {
	return hdf5File((file) => {
		const x = file.create_dataset({
			name: "x",
			data: ramp,
			shape: [2, 1000],
			chunks: [1, 250],
			compression: 4,
		});
		x.create_attribute("MATLAB_class", "double");
		file.create_dataset({ name: "column", data: Float32Array.of(1.5, 2.5, -3), shape: [1, 3] });
		file.create_dataset({ name: "row", data: BigInt64Array.of(1n, -2n, 3n), shape: [3, 1] });
		file.create_dataset({ name: "k", data: Int8Array.of(-5), shape: [1, 1] });
		file
			.create_dataset({ name: "flag", data: Uint8Array.of(1, 0), shape: [1, 2] })
			.create_attribute("MATLAB_class", "logical");
		file
			.create_dataset({ name: "txt", data: Uint16Array.of(104, 105), shape: [2, 1] })
			.create_attribute("MATLAB_class", "char");
		file.create_dataset({ name: "words", data: "hello" });
		const s = file.create_group("s");
		s.create_dataset({ name: "q", data: Uint16Array.of(7, 8, 65535), shape: [1, 3] });
		s.create_group("deep").create_dataset({ name: "r", data: Float64Array.of(0.5), shape: [1, 1] });
		file.create_group("#refs#").create_dataset({ name: "a", data: Float64Array.of(1), shape: [1, 1] });
	});
}

describe("MAT v7.3", () => {
	it("reads arrays and structs, and lists the rest", async () => {
		for (const file of [await sample(), asMat(await sample())]) {
			expect(isHdf5(file)).toBe(true);
			const table = await readMat73(file, "f.mat");
			const byName = new Map(table.columns.map((c) => [c.name, c.values]));
			expect([...byName.keys()].sort()).toEqual(["column", "flag", "k", "row", "s.deep.r", "s.q", "x", "x2"]);
			expect(sameBits(byName.get("x")!, ramp.subarray(0, 1000))).toBe(true);
			expect(sameBits(byName.get("x2")!, ramp.subarray(1000))).toBe(true);
			expect([...byName.get("column")!]).toEqual([1.5, 2.5, -3]);
			expect([...byName.get("row")!]).toEqual([1, -2, 3]);
			expect([...byName.get("k")!]).toEqual([-5]);
			expect([...byName.get("flag")!]).toEqual([1, 0]);
			expect([...byName.get("s.q")!]).toEqual([7, 8, 65535]);
			expect(table.nRows).toBe(1000);
			expect(table.skipped?.map((s) => `${s.name} ${s.why}`).sort()).toEqual([
				"txt holds text",
				"words holds no numbers",
			]);
		}
	});

	it("stops at groups that contain themselves", async () => {
		const file = await hdf5File((f) => {
			f.create_group("s").create_hard_link("/s", "again");
		});
		expect((await inputErrorOf(() => readMat73(file, "f.mat"))).problem).toContain("nested");
	});

	it("refuses a dataset that claims far more than the file can hold", async () => {
		const file = await hdf5File((f) => {
			f.create_dataset({ name: "x", data: new Float64Array(64), shape: [64], chunks: [64], compression: 4 });
		});
		// The dataspace message of x: one dimension of 64 of at most 64.
		const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
		let nChanged = 0;
		for (let at = 0; at + 16 <= file.length; at++) {
			if (view.getBigUint64(at, true) !== 64n || view.getBigUint64(at + 8, true) !== 64n) continue;
			view.setBigUint64(at, 2n ** 36n, true);
			view.setBigUint64(at + 8, 2n ** 36n, true);
			nChanged++;
		}
		expect(nChanged).toBeGreaterThan(0);
		const error = await inputErrorOf(() => readMat73(file, "f.mat"));
		expect(error.problem).toMatch(/unpacked data|cannot be read/);
	});

	it("tells what is wrong with a cut file", async () => {
		const file = await sample();
		const error = await inputErrorOf(() => readMat73(file.subarray(0, 1500), "f.mat"));
		expect(error.message).toContain("truncated file");
	});

	it("survives damage", async () => {
		const file = await sample();
		await fc.assert(
			fc.asyncProperty(damagedFile(file), (bytes) => survives((b) => readMat73(b, "f.mat"), bytes)),
			{ seed: 1, numRuns: 300 },
		);
		expect((await readMat73(file, "f.mat")).nRows).toBe(1000);
	});
});
