/**
 * The user's C compiler: is it there, what does it make of this processor, and libraries made by it, kept by content
 * in the user's cache folder. No flag changes a result but those of `fast`.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import {
	asideOf,
	keepFile,
	kernelFolder,
	keyOf,
	makeKernelFolder,
	readKept,
	removeQuietly,
} from "./kernel-cache.ts";

export interface CCompiler {
	readonly program: string;
	/** What CC says after the program's name. */
	readonly ownFlags: readonly string[];
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

/** Flags after which the bits would no longer be those of the other places. */
const changesResults = /^-(Ofast|.*math|ffp-|fno-signed-zeros|fsingle-|fexcess-|mdaz-ftz|mrecip)/;
/** The same, however it came about (a wrapper, a file of flags): what the compiler says of its own arithmetic. */
const looseArithmetic =
	/^#define (__(?:FAST|ASSOCIATIVE|RECIPROCAL)_MATH__|__NO_SIGNED_ZEROS__|__FINITE_MATH_ONLY__ 1|__FLT_EVAL_METHOD__ 2)/m;
/** Flags after which it would write something else than a library, or something more. */
const changesOutput =
	/^(-[cESr]|-o.*|-M.*|-fsyntax-only|-emit-llvm|-save-temps.*|-###|--(compile|assemble|preprocess|output.*|save-temps.*))$/;
/** Flags that bring others along, or code, or hand them on, where they are not seen; and files of code. */
const hidesFlags =
	/^(@|--?(config|specs|include|imacros)\b|--(un)?define-macro|-(D|U|I|isystem|iquote|idirafter|Xclang|Xpreprocessor|Xassembler|Xlinker|mllvm|wrapper|B)|-W[alp],|-fplugin|[^-].*\.\w+$)/;

/** The compiler of the environment variable CC, a program and maybe flags for it, or `cc`. */
export function findCompiler(command = process.env.CC?.trim() || "cc"): Promise<CCompiler> {
	let compiler = found.get(command);
	if (!compiler) found.set(command, (compiler = askCompiler(command)));
	return compiler;
}

async function askCompiler(command: string): Promise<CCompiler> {
	// A path may have blanks in it.
	const [program, ...ownFlags] = existsSync(command) ? [command] : command.split(/\s+/);
	const harmful = ownFlags.find((flag) => changesResults.test(flag));
	if (harmful)
		throw new InputError(
			`CC=${command}`,
			`${harmful} changes results, which are to be the same on every place`,
			"Leave it out; for faster code that is not bit for bit the same:  --compute native --fast",
		);
	const astray = ownFlags.find((flag) => changesOutput.test(flag));
	if (astray)
		throw new InputError(
			`CC=${command}`,
			`${astray} changes what the compiler writes, which is to be a shared library in the cache folder`,
			"Leave it out.",
		);
	const hidden = ownFlags.find((flag) => hidesFlags.test(flag));
	if (hidden)
		throw new InputError(
			`CC=${command}`,
			`${hidden} brings flags or code along that cannot be seen`,
			"Write the flags out: those that change neither results nor what is written may stand after the program.",
		);
	try {
		const version = (await run(program, [...ownFlags, "--version"])).split("\n")[0].trim();
		const macros = await run(program, [...ownFlags, "-march=native", "-dM", "-E", "-x", "c", "-"], "");
		const has = (name: string): boolean => macros.includes(`#define ${name} `);
		if (!has("__STDC__")) throw new Error("it is no C compiler, or not one like gcc or clang");
		const [, loose] = looseArithmetic.exec(macros) ?? [];
		if (loose !== undefined)
			throw new InputError(
				`CC=${command}`,
				`computes other results than every other place: it says ${loose}`,
				"Name a compiler without flags for fast arithmetic; for faster code that is not bit for bit the same:  --compute native --fast",
			);
		const width = has("__AVX512F__") ? 8 : has("__AVX__") ? 4 : 2;
		return { program, ownFlags, version, width, target: keyOf(macros) };
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw new InputError(
			"--compute native",
			`needs a C compiler; ${command} does not run as one (${firstLine(error)})`,
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
	return readKept(placeOf(text, compiler, fast).library) !== undefined;
}

/** Path of a shared library with the functions of a text, made now or found in the cache. */
export async function compileLibrary(
	text: string,
	compiler: CCompiler,
	{ fast, anew, signal }: LibraryOptions = {},
): Promise<string> {
	const { all, folder, library } = placeOf(text, compiler, fast);
	if (!anew && readKept(library)) return library;
	try {
		makeKernelFolder();
	} catch (error) {
		throw unusable(folder, error);
	}
	// Written aside and renamed: a half-made library is never found.
	const aside = asideOf(library);
	try {
		await run(compiler.program, [...all, "-x", "c", "-", "-o", aside], text, signal);
		if (!existsSync(aside)) throw notCompiled(compiler, folder, "it wrote no library");
		try {
			keepFile(aside, library);
		} catch (error) {
			throw unusable(folder, error);
		}
	} catch (error) {
		removeQuietly(aside);
		throw error instanceof InputError ? error : notCompiled(compiler, folder, firstLine(error));
	}
	return library;
}

function notCompiled({ program, version }: CCompiler, folder: string, why: string): InputError {
	return new InputError(
		"--compute native",
		`${program} (${version}) did not compile the model (${why})`,
		`Is ${program} a C compiler, and ${folder} writable? Else use  --compute threads`,
	);
}

/** For a library that the compiler has just made. */
export function notLoaded({ program, ownFlags, version }: CCompiler, error: unknown): InputError {
	return new InputError(
		"--compute native",
		`what ${[program, ...ownFlags].join(" ")} (${version}) made of the model is no library that loads here (${firstLine(error)})`,
		"Name a compiler for this machine, without flags, in the variable CC, or use  --compute threads",
	);
}

function unusable(folder: string, error: unknown): InputError {
	return new InputError(
		"--compute native",
		`compiled models cannot be kept in ${folder} (${firstLine(error)})`,
		"Name a folder that you and no one else can write to in the variable XDG_CACHE_HOME, or use  --compute threads",
	);
}

function placeOf(text: string, compiler: CCompiler, fast = false) {
	// Ours come last, and so prevail.
	const all = [...compiler.ownFlags, ...flags, fast ? contracted : exact, `-DWIDTH=${compiler.width}`];
	const folder = kernelFolder();
	const key = keyOf(compiler.version, compiler.target, all.join(" "), text);
	return { all, folder, library: join(folder, `${key}.so`) };
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

function firstLine(error: unknown): string {
	return (error instanceof Error ? error.message : String(error)).split("\n")[0];
}
