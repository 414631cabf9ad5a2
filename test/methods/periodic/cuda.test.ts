/** The text for a graphics processor, compiled for this one: both chunk kernels do what the kernel they come from does. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chunkArguments } from "../../../bench/scan/chunks.ts";
import { scanCuda } from "../../../bench/scan/cuda-scan.ts";
import { chunkKernel } from "../../../papers/periodic/streamed/streamed-kernel.ts";
import { runInline } from "../../../src/compute/inline.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { questionOf } from "../../../src/methods/periodic/question.ts";
import { oscillators, problemFor } from "./oscillators.ts";

const hasCompiler = spawnSync("c++", ["--version"]).status === 0;
const chunks = 6;
const lambdas = 4;

/** What the text asks of its language, and a loop over blocks and threads. */
function program(text: string, lengths: readonly number[], steps: number, h: number): string {
	const call = (name: string, maps: number): string =>
		`${name}(${chunks}, b[0], b[1], b[2], b[3], b[4], b[5], b[${maps}], b[${maps + 1}], ${steps}, ${h});`;
	return `
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
static double __dsqrt_rn(double x) { return std::sqrt(x); }
static double __longlong_as_double(long long v) { double d; memcpy(&d, &v, 8); return d; }
static long long __double_as_longlong(double d) { long long v; memcpy(&v, &d, 8); return v; }
struct place { int x, y, z; };
static place threadIdx, blockIdx, blockDim = { ${chunks}, 1, 1 };
${text.slice(0, text.indexOf("#define D "))}
int main(int, char **argv) {
	const size_t lengths[] = { ${lengths.join(", ")} };
	double *b[${lengths.length}];
	FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
	for (int i = 0; i < ${lengths.length}; i++) {
		b[i] = (double *)calloc(lengths[i], 8);
		if (i < 6 && fread(b[i], 8, lengths[i], in) != lengths[i]) return 1;
	}
	for (threadIdx.x = 0; threadIdx.x < ${chunks}; threadIdx.x++) {
		for (blockIdx.y = 0; blockIdx.y < ${lambdas}; blockIdx.y++) ${call("chunks_run", 6)}
		for (blockIdx.y = 0; blockIdx.y < ${lambdas / 2}; blockIdx.y++) ${call("chunks_run_pairs", 8)}
	}
	for (int i = 6; i < ${lengths.length}; i++) fwrite(b[i], 8, lengths[i], out);
	fclose(out);
	return 0;
}
`;
}

it.skipIf(!hasCompiler)("one λ a thread, and two: the same as the kernel", () => {
	const { truth } = oscillators.morrisLecar;
	const options = { ...defaultOptions(periodic.options), intervals: 150, nodes: 1 };
	const question = questionOf(problemFor(oscillators.morrisLecar, truth, { samplesPerPeriod: 200 }), options);
	const { form, record, unknowns } = question;
	const rep = question.coarse(record.series.c, record.series.omega);
	const lambda = (k: number): Float64Array =>
		Float64Array.from(unknowns, ({ name }, i) => truth[name as "V1"] * (1 + 0.02 * k + 0.01 * i));
	const launches = Array.from({ length: lambdas }, (_, k) => chunkArguments(rep, lambda(k), chunks).launch);
	for (const launch of launches) runInline(chunkKernel(form, rep.grid.rule), launch);
	const [{ buffers, scalars }] = launches;
	const join4 = (name: string): Float64Array =>
		Float64Array.from(launches.flatMap((launch) => [...launch.buffers[name]]));
	const results = ["maps", "sums", "maps", "sums"].map(join4);
	const given = [...["y", "rest", "phi", "byG", "first"].map((name) => buffers[name]), join4("lambda")];
	const lengths = [...given, ...results].map(({ length }) => length);
	const folder = mkdtempSync(join(tmpdir(), "odentify-"));
	try {
		const [source, made, input, output] = ["k.cpp", "k", "in", "out"].map((name) => join(folder, name));
		const text = scanCuda(form, rep.grid.rule, chunks);
		writeFileSync(source, program(text, lengths, scalars!.intervals, scalars!.h));
		writeFileSync(input, Buffer.concat(given.map((part) => Buffer.from(Float64Array.from(part).buffer))));
		execFileSync("c++", ["-O1", "-w", "-ffp-contract=off", source, "-o", made]);
		execFileSync(made, [input, output]);
		const written = readFileSync(output);
		const found = new Float64Array(written.buffer, written.byteOffset, written.length / 8);
		expect([...found]).toEqual(results.flatMap((values) => [...values]));
	} finally {
		rmSync(folder, { recursive: true });
	}
});
