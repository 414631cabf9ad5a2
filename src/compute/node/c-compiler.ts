/**
 * The user's C compiler: is it there, what does it make of this processor, and libraries made by it, kept by content
 * in the user's cache folder. No flag changes a result but those of `fast`.
 */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { InputError } from "../../errors.ts";

export interface CCompiler {
	readonly program: string;
	/** First line of its --version. */
	readonly version: string;
	/** Lanes in one register of this processor. */
	readonly width: number;
	/** Digest of all that it knows of the processor: a cache may be shared by unlike machines. */
	readonly target: string;
}

const flags = ["-O3", "-march=native", "-fno-math-errno", "-Wno-psabi", "-fPIC", "-shared"];
const exact = "-ffp-contract=off";
const contracted = "-ffp-contract=fast";

const found = new Map<string, Promise<CCompiler>>();

/** The compiler of the environment variable CC, or `cc`. */
export function findCompiler(program = process.env.CC || "cc"): Promise<CCompiler> {
	let compiler = found.get(program);
	if (!compiler) found.set(program, (compiler = askCompiler(program)));
	return compiler;
}

async function askCompiler(program: string): Promise<CCompiler> {
	try {
		const version = (await run(program, ["--version"])).split("\n")[0].trim();
		const macros = await run(program, ["-march=native", "-dM", "-E", "-x", "c", "-"], "");
		const has = (name: string): boolean => macros.includes(`#define ${name} `);
		const width = has("__AVX512F__") ? 8 : has("__AVX__") ? 4 : 2;
		return { program, version, width, target: digest(macros) };
	} catch (error) {
		throw new InputError(
			"--compute native",
			`needs a C compiler; ${program} does not run (${firstLine(error)})`,
			"Install one (Debian, Ubuntu: apt install gcc; macOS: xcode-select --install), name it in the variable CC, or leave  --compute  out.",
		);
	}
}

export interface LibraryOptions {
	readonly fast?: boolean;
	/** Even when it is in the cache. */
	readonly anew?: boolean;
	/** Ends the compiler. */
	readonly signal?: AbortSignal;
}

/** Whether the library of a text is in the cache. */
export function isInCache(text: string, compiler: CCompiler, { fast }: LibraryOptions = {}): boolean {
	return existsSync(placeOf(text, compiler, fast).library);
}

/** Path of a shared library with the functions of a text, made now or found in the cache. */
export async function compileLibrary(
	text: string,
	compiler: CCompiler,
	{ fast, anew, signal }: LibraryOptions = {},
): Promise<string> {
	const { all, folder, key, library } = placeOf(text, compiler, fast);
	if (!anew && existsSync(library)) return library;
	// Written aside and renamed: a half-made library is never found.
	const aside = join(folder, `${key}.${process.pid}.${randomBytes(4).toString("hex")}`);
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		await run(compiler.program, [...all, "-x", "c", "-", "-o", aside], text, signal);
		renameSync(aside, library);
	} catch (error) {
		rmSync(aside, { force: true });
		throw new InputError(
			"--compute native",
			`${compiler.program} (${compiler.version}) did not compile the model (${firstLine(error)})`,
			`Is ${folder} writable? Else use  --compute threads`,
		);
	}
	return library;
}

function placeOf(text: string, compiler: CCompiler, fast = false) {
	const all = [...flags, fast ? contracted : exact, `-DWIDTH=${compiler.width}`];
	const folder = cacheFolder();
	const key = digest(compiler.version, compiler.target, all.join(" "), text);
	return { all, folder, key, library: join(folder, `${key}.so`) };
}

function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
	return join(base, "odentify", "kernels");
}

function run(
	program: string,
	args: readonly string[],
	input?: string,
	signal?: AbortSignal,
): Promise<string> {
	return new Promise((resolve, reject) => {
		const options = { encoding: "utf8", maxBuffer: 1 << 24, signal } as const;
		const child = execFile(program, [...args], options, (error, out, err) => {
			if (error) reject(new Error(err.trim() || error.message));
			else resolve(out);
		});
		// A program that is not there or stops reading says so by its exit.
		child.stdin?.on("error", () => {});
		child.stdin?.end(input ?? "");
	});
}

function digest(...parts: readonly string[]): string {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(`${part.length}:${part}`);
	return hash.digest("hex").slice(0, 40);
}

function firstLine(error: unknown): string {
	return (error instanceof Error ? error.message : String(error)).split("\n")[0];
}
