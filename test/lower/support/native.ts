/** Compiles generated C with the machine's compiler and runs it as a child process. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type COptions, emitC } from "../../../src/lower/c/emit.ts";
import type { Kernel } from "../../../src/lower/ir.ts";
import { withWork } from "./batch.ts";

export const hasCompiler = spawnSync("cc", ["--version"]).status === 0;
export const hasNvcc = spawnSync("nvcc", ["--version"]).status === 0;

/** A main program that reads all buffers from a file, runs the kernel as often as asked and writes them back. */
function mainText(lengths: readonly number[], batch: number, scalars: readonly number[]): string {
	const n = lengths.length;
	return `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv) {
	static const size_t lengths[] = {${lengths.join(", ")}};
	const double scalars[] = {${[...scalars, 0].join(", ")}};
	double *buffers[${n}], *given[${n}];
	FILE *in = fopen(argv[1], "rb");
	for (int i = 0; i < ${n}; i++) {
		buffers[i] = aligned_alloc(64, (8 * lengths[i] + 127) / 64 * 64);
		given[i] = aligned_alloc(64, (8 * lengths[i] + 127) / 64 * 64);
		if (fread(given[i], 8, lengths[i], in) != lengths[i]) return 1;
	}
	const int repeats = argc > 4 ? atoi(argv[4]) : 1;
	for (int r = 0; r < (argc > 3 ? atoi(argv[3]) : 1); r++) {
		double seconds = 0;
		for (int k = 0; k < repeats; k++) {
			struct timespec a, b;
			for (int i = 0; i < ${n}; i++) memcpy(buffers[i], given[i], 8 * lengths[i]);
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
			run(0, ${batch}, ${batch}, buffers, scalars);
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
			seconds += (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
		}
		printf("%.9f\\n", seconds / repeats);
	}
	FILE *out = fopen(argv[2], "wb");
	for (int i = 0; i < ${n}; i++) fwrite(buffers[i], 8, lengths[i], out);
	fclose(out);
	return 0;
}
`;
}

export interface NativeProgram {
	/** Runs the kernel on the buffers it was compiled for: what they hold afterwards, and the mean seconds of a run in each round. */
	run(rounds?: number, repeats?: number): { buffers: Record<string, Float64Array>; seconds: number[] };
	remove(): void;
}

/** A kernel as a C program on copies of the buffers; the batch must be whole blocks. */
export function compileNative(
	kernel: Kernel,
	batch: number,
	buffers: Readonly<Record<string, Float64Array>>,
	scalars: readonly number[],
	flags: readonly string[],
	options: Partial<COptions> = {},
): NativeProgram {
	const folder = mkdtempSync(join(tmpdir(), "odentify-"));
	const [source, program, input, output] = ["k.c", "k", "in", "out"].map((name) => join(folder, name));
	const given = withWork(kernel, batch, buffers);
	const ordered = kernel.buffers.map(({ name }) => given[name]);
	const lengths = ordered.map(({ length }) => length);
	writeFileSync(source, emitC(kernel, { dialect: "native", ...options }) + mainText(lengths, batch, scalars));
	const bytes = ordered.map(({ buffer, byteOffset, byteLength }) =>
		Buffer.from(buffer, byteOffset, byteLength),
	);
	writeFileSync(input, Buffer.concat(bytes));
	const fixed = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-Wno-psabi"];
	execFileSync("cc", [...fixed, ...flags, source, "-o", program, "-lm"]);
	return {
		run(rounds = 1, repeats = 1) {
			const seconds = execFileSync(program, [input, output, `${rounds}`, `${repeats}`])
				.toString()
				.trim()
				.split("\n")
				.map(Number);
			const written = readFileSync(output);
			const values = new Float64Array(
				written.buffer.slice(written.byteOffset, written.byteOffset + written.length),
			);
			const result: Record<string, Float64Array> = {};
			let at = 0;
			for (const { name } of kernel.buffers) {
				result[name] = values.slice(at, at + given[name].length);
				at += given[name].length;
			}
			return { buffers: result, seconds };
		},
		remove: () => rmSync(folder, { recursive: true }),
	};
}

/** Compiles, runs once, cleans up. */
export function runNative(...args: Parameters<typeof compileNative>): ReturnType<NativeProgram["run"]> {
	const program = compileNative(...args);
	try {
		return program.run();
	} finally {
		program.remove();
	}
}

/** Whether nvcc compiles the CUDA text. */
export function compileCuda(kernel: Kernel): { status: number | null; message: string } {
	const folder = mkdtempSync(join(tmpdir(), "odentify-"));
	try {
		const source = join(folder, "k.cu");
		writeFileSync(source, emitC(kernel, { dialect: "cuda" }));
		const made = spawnSync("nvcc", ["--fmad=false", "-ptx", source, "-o", join(folder, "k.ptx")]);
		return { status: made.status, message: made.stderr.toString() };
	} finally {
		rmSync(folder, { recursive: true });
	}
}
