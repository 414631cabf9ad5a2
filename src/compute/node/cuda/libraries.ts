/** The shared libraries of CUDA: the driver's, and NVRTC, the compiler. Neither comes with Odentify. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../errors.ts";
import type { Koffi } from "../koffi.ts";

type Library = ReturnType<Koffi["load"]>;
export type Call = (...args: unknown[]) => number;

/** Where they are, when not in their usual places. */
export interface Libraries {
	readonly driver?: string;
	readonly nvrtc?: string;
}

const option = "--compute cuda";

export function loadDriver(koffi: Koffi, path?: string): Library {
	const names =
		path !== undefined
			? [path]
			: process.platform === "win32"
				? ["nvcuda.dll"]
				: ["libcuda.so.1", "libcuda.so"];
	const found = firstOf(koffi, names);
	if (found) return found;
	throw new InputError(
		option,
		`needs a graphics processor by NVIDIA with its driver; ${names[0]} is not there`,
		"Install the driver, or leave  --compute  out.",
	);
}

export function loadNvrtc(koffi: Koffi, path?: string): Library {
	const found = firstOf(koffi, path !== undefined ? [path] : nvrtcNames());
	if (found) return found;
	throw new InputError(
		option,
		"needs NVRTC, the compiler of CUDA; libnvrtc is not there",
		"Install it (package cuda-nvrtc of the CUDA toolkit), or name the toolkit's folder in CUDA_PATH.",
	);
}

function firstOf(koffi: Koffi, names: readonly string[]): Library | undefined {
	for (const name of names) {
		try {
			return koffi.load(name);
		} catch {}
	}
	return undefined;
}

/** By name, for the system's loader; then in the usual folders. */
function nvrtcNames(): string[] {
	const own = [process.env.CUDA_PATH, process.env.CUDA_HOME].filter((folder) => folder) as string[];
	if (process.platform === "win32")
		return own.flatMap((folder) => filesLike(join(folder, "bin"), /^nvrtc64_[0-9_]+\.dll$/));
	const named = ["13", "12", "11.2"].map((version) => `libnvrtc.so.${version}`);
	const toolkits = [...own, "/usr/local/cuda", ...filesLike("/usr/local", /^cuda-[\d.]+$/)];
	const folders = [
		...toolkits.flatMap((folder) => [join(folder, "lib64"), join(folder, "targets/x86_64-linux/lib")]),
		...pythonFolders(),
	];
	const files = folders.flatMap((folder) => filesLike(folder, /^libnvrtc\.so(\.\d+)*$/));
	return [
		...own.flatMap((folder) => files.filter((file) => file.startsWith(folder))),
		...named,
		"libnvrtc.so",
		...files,
	];
}

/** Where packages of Python put it. */
function pythonFolders(): string[] {
	return ["/usr/local/lib", "/usr/lib", "/opt/conda/lib"].flatMap((base) =>
		filesLike(base, /^python3(\.\d+)?$/).flatMap((python) =>
			["dist-packages", "site-packages"].flatMap((packages) =>
				filesLike(join(python, packages, "nvidia"), /^(cu\d+|cuda_nvrtc)$/).map((each) => join(each, "lib")),
			),
		),
	);
}

function filesLike(folder: string, name: RegExp): string[] {
	if (!existsSync(folder)) return [];
	try {
		return readdirSync(folder)
			.filter((each) => name.test(each))
			.sort()
			.reverse()
			.map((each) => join(folder, each));
	} catch {
		return [];
	}
}
