/** The csv and mat files of the benchmark records hold the same bits. Passed over where the records are not there. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTableFile } from "../../src/data/node/read-file.ts";
import { sameBits } from "./bytes.ts";

const folder = fileURLToPath(new URL("../../../shared/datasets/", import.meta.url));
const there = existsSync(folder);
if (!there) console.log("shared/datasets is not there: the benchmark records are not compared");

describe.runIf(there)("benchmark records", () => {
	it.each([
		["silverbox/SNLS80mV.csv", "silverbox/SNLS80mV.mat", 131_072, ["V1", "V2"]],
		["emps/DATA_EMPS.csv", "emps/DATA_EMPS.mat", 24_841, ["t", "qg", "qm", "vir"]],
		["emps/DATA_EMPS_PULSES.csv", "emps/DATA_EMPS_PULSES.mat", 24_841, ["t", "qg", "qm", "vir", "pulses_N"]],
		["boucwen/val_multisine.csv", "boucwen/uval_multisine.mat", 8192, ["uval_multisine"]],
		["boucwen/val_multisine.csv", "boucwen/yval_multisine.mat", 8192, ["yval_multisine"]],
		["boucwen/val_sinesweep.csv", "boucwen/uval_sinesweep.mat", 153_000, ["uval_sinesweep"]],
		["boucwen/val_sinesweep.csv", "boucwen/yval_sinesweep.mat", 153_000, ["yval_sinesweep"]],
	])("%s = %s", async (csv, mat, nRows, names) => {
		const [a, b] = await Promise.all([readTableFile(folder + csv), readTableFile(folder + mat)]);
		expect([a.nRows, b.nRows]).toEqual([nRows, nRows]);
		for (const name of names) {
			const left = a.columns.find((c) => c.name === name)!;
			const right = b.columns.find((c) => c.name === name)!;
			expect(sameBits(left.values, right.values)).toBe(true);
		}
	});
});
