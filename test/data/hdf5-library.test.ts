import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { noteHdf5Error } from "../../src/data/mat/hdf5-library.ts";
import { readMat73 } from "../../src/data/mat/mat73.ts";
import { netcdf } from "../../src/methods/bayes/answer/netcdf.ts";
import { build, root } from "../cli/odentify.ts";

test("a thread that waits for the library has something at work", async () => {
	await build();
	const library = pathToFileURL(join(root, "dist/data/mat/hdf5-library.js"));
	const script = `
		const { instantiate } = WebAssembly;
		let atWork;
		WebAssembly.instantiate = async (...given) => {
			const made = await instantiate(...given);
			atWork = process.getActiveResourcesInfo().includes("Timeout");
			return made;
		};
		const { loadHdf5 } = await import("${library}");
		await loadHdf5();
		process.stdout.write(JSON.stringify([atWork, process.getActiveResourcesInfo().includes("Timeout")]));`;
	const said = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
		encoding: "utf8",
	});
	expect(JSON.parse(said)).toEqual([true, false]);
});

test("once a damaged file has stopped the library, what needs it says so", async () => {
	const group = { name: "posterior", dimensions: { draw: 2 }, variables: [], attributes: {} };
	expect((await netcdf([group])).length).toBeGreaterThan(0);
	noteHdf5Error(new Error("an error of its own, after which it goes on"));
	expect((await netcdf([group])).length).toBeGreaterThan(0);
	noteHdf5Error(Object.assign(new Error("memory access out of bounds"), { name: "RuntimeError" }));
	await expect(netcdf([group])).rejects.toThrow(/posterior\.nc: cannot be written: .*stopped/);
	await expect(readMat73(new Uint8Array(600), "a.mat")).rejects.toThrow(/a\.mat: cannot be read: .*stopped/);
});
