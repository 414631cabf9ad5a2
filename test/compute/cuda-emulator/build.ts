/** Libraries that stand in for CUDA's, made by the machine's compiler. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CudaOptions } from "../../../src/compute/node/cuda/cuda.ts";

export const hasCpp = spawnSync("c++", ["--version"]).status === 0;
if (!hasCpp) console.warn("no C++ compiler here: launches by way of CUDA's libraries are not tested");

/** Makes them in a folder, where the kernels go as well. */
export function buildEmulator(folder: string): NonNullable<CudaOptions["libraries"]> {
	const library = join(folder, "emulator.so");
	const source = fileURLToPath(new URL("./emulator.cpp", import.meta.url));
	execFileSync("c++", ["-std=c++17", "-O1", "-fPIC", "-shared", source, "-o", library, "-ldl"]);
	process.env.EMULATOR_FOLDER = folder;
	return { driver: library, nvrtc: library };
}
