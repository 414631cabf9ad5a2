import { expect, test } from "vitest";
import { noteHdf5Error } from "../../src/data/mat/hdf5-library.ts";
import { readMat73 } from "../../src/data/mat/mat73.ts";
import { netcdf } from "../../src/methods/bayes/answer/netcdf.ts";

test("once a damaged file has stopped the library, what needs it says so", async () => {
	const group = { name: "posterior", dimensions: { draw: 2 }, variables: [], attributes: {} };
	expect((await netcdf([group])).length).toBeGreaterThan(0);
	noteHdf5Error(new Error("an error of its own, after which it goes on"));
	expect((await netcdf([group])).length).toBeGreaterThan(0);
	noteHdf5Error(Object.assign(new Error("memory access out of bounds"), { name: "RuntimeError" }));
	await expect(netcdf([group])).rejects.toThrow(/posterior\.nc: cannot be written: .*stopped/);
	await expect(readMat73(new Uint8Array(600), "a.mat")).rejects.toThrow(/a\.mat: cannot be read: .*stopped/);
});
