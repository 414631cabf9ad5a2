/**
 * 1000 evaluations on a graphics processor by a program of its own, compiled by nvcc with several limits of registers: each
 * λ spread over many threads by a scan of chunks, beside explicit Euler of the same model and grid, one λ a thread, with the
 * same quick exponentials and one division a step. Passed over where there is no such device or no nvcc.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { morrisLecar, paperProblem, recordOf } from "../papers/periodic/paper.ts";
import { inline } from "../src/compute/inline.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { periodicOptions } from "../src/methods/periodic/options.ts";
import { questionOf } from "../src/methods/periodic/question.ts";
import { stream } from "../src/num/random.ts";
import { chunkArguments } from "./scan/chunks.ts";
import { chunkTables, scanCuda } from "./scan/cuda-scan.ts";

const chunks = 64;
const lambdas = 1000;
/** About the paper's 75 800, and whole chunks. */
const intervals = 1184 * chunks;
/** The text brings functions that this program does not call (177): to say so would bury the figures. */
const flags = ["-O3", "-arch=native", "-diag-suppress=177"];

export function benchNvccProgram(): void {
	const has = (program: string): boolean => spawnSync(program, ["--help"]).status === 0;
	if (!has("nvcc") || !has("nvidia-smi")) {
		console.log("\nno graphics processor, or no nvcc: passed over");
		return;
	}
	const folder = mkdtempSync(join(tmpdir(), "odentify-"));
	try {
		const { program, data } = writeProgram(folder);
		console.log(`\n1000 evaluations, ${intervals} intervals, on a graphics processor`);
		// Fewer registers let more threads hide one another's waiting; too few spill.
		for (const registers of [104, 128, 168]) {
			const limit = `-maxrregcount=${registers}`;
			execFileSync("nvcc", [...flags, limit, program, "-o", join(folder, "k")]);
			console.log(` at most ${registers} registers`);
			console.log(execFileSync(join(folder, "k"), [data]).toString());
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** The program and its data in a folder; exported so that it can be taken to another machine. */
export function writeProgram(folder: string): { program: string; data: string } {
	const record = recordOf(morrisLecar, 3.1, 378.5);
	const problem = paperProblem(morrisLecar, record, morrisLecar.truth, inline);
	const {
		coarse,
		record: found,
		form,
		unknowns,
	} = questionOf(problem, { ...defaultOptions(periodicOptions), intervals, nodes: 1 });
	const rep = coarse(found.series.c, found.series.omega);
	const truth = Float64Array.from(unknowns, ({ name }) => morrisLecar.truth[name]);
	const p = truth.length;
	const random = stream(1, "bench evaluations");
	const lambda = Float64Array.from(
		{ length: p * lambdas },
		(_, i) => truth[i % p] * (1 + 0.1 * (2 * random.uniform(i) - 1)),
	);
	const { launch, data } = chunkArguments(rep, lambda.slice(0, p), chunks);
	const tables = chunkTables(data, rep.observer.m);
	const checked = [0, 1, 499, 999];
	const expected = checked.map((b) => {
		const { y } = rep.evaluate(lambda.slice(p * b, p * (b + 1)), false)!;
		return y.reduce((sum, value, k) => sum + (value - rep.y.starts[k]) ** 2, 0);
	});
	const { y, rest, phi, byG, first } = launch.buffers;
	const parts = [
		y,
		rest,
		phi,
		byG,
		first,
		lambda,
		data.phi,
		tables.spans,
		tables.prefix,
		tables.gram,
		data.closing,
	];
	const bytes = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
	const file = join(folder, "data");
	writeFileSync(file, Buffer.concat(bytes));
	const program = join(folder, "k.cu");
	const order = unknowns.map(({ name }) => name);
	const text =
		scanCuda(form, rep.grid.rule, chunks) +
		eulerText(order) +
		mainText(
			parts.map(({ length }) => length),
			rep.grid.h,
			checked,
			expected,
		);
	writeFileSync(program, text);
	return { program, data: file };
}

/** Explicit Euler; three reciprocals as one. */
function eulerText(order: readonly string[]): string {
	const at = (name: string): string => `lambda[${order.indexOf(name)}]`;
	return `
__device__ __forceinline__ double quick_exp(double x) {
	const double k = (x * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0;
	const double r = fma(k, -5.497923018708371e-14, fma(k, -0.6931471805598903, x)), s = r * r;
	const double a = fma(0.16666666666662583, r, 0.4999999999995507), b = fma(0.008333333344209506, r, 0.041666666786337556);
	const double c = fma(0.00019841224581544105, r, 0.001388883909064138), d = fma(2.761757684835413e-6, r, 2.4867883453521802e-5);
	const double v = 1 + fma(s, fma(s * s, fma(s, d, c), fma(s, b, a)), r);
	return v * __longlong_as_double(__double_as_longlong(k + 4503599627371519.0) << 52);
}
__global__ void euler(int n, int steps, double h, const double *__restrict__ lambda, double *__restrict__ out) {
	const int lane = blockIdx.x * blockDim.x + threadIdx.x;
	if (lane >= n) return;
	lambda += ${order.length} * lane;
	const double gCa = ${at("gCa")}, gK = ${at("gK")}, V1 = ${at("V1")}, V3 = ${at("V3")};
	const double i2 = 2 / ${at("V2")}, i4 = 0.5 / ${at("V4")}, hT = 0.5 * h / ${at("T0")};
	double v = ${morrisLecar.x0[0]}, q = ${morrisLecar.x0[1]}, sum = 0;
	for (int k = 0; k < steps; k++) {
		const double E = quick_exp((v - V1) * i2), F = quick_exp((v + V3) * i4), F2 = F * F, F4 = F2 * F2;
		const double a = E + 1, b = F4 + 1, r = 1 / (a * b * F);
		const double m = E * (r * b * F), w = F4 * (r * a * F), c = F + r * a * b;
		const double slope = gCa * m * (v - 100) + gK * q * (v + 70) - 0.5 * (v + 50) + 10;
		q += hT * c * (w - q);
		v += h * slope;
		sum += v * v;
	}
	out[lane] = sum + q;
}
`;
}

function mainText(
	lengths: readonly number[],
	h: number,
	checked: readonly number[],
	expected: readonly number[],
): string {
	return `
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define OK(call) do { cudaError_t e = (call); if (e) { printf("%s\\n", cudaGetErrorString(e)); exit(1); } } while (0)
static cudaEvent_t from, to;
template <class F> static float quickest(F f, int rounds) {
	float best = 1e9, t;
	for (int r = 0; r < rounds; r++) {
		OK(cudaEventRecord(from)); f(); OK(cudaEventRecord(to)); OK(cudaEventSynchronize(to)); OK(cudaGetLastError());
		OK(cudaEventElapsedTime(&t, from, to));
		if (t < best) best = t;
	}
	return best;
}
int main(int argc, char **argv) {
	static const size_t lengths[] = {${lengths.join(", ")}};
	static const int checked[] = {${checked.join(", ")}};
	static const double expected[] = {${expected.join(", ")}};
	enum { N = ${lambdas}, C = ${chunks}, PARTS = ${lengths.length}, MAPS = 2 * D + (1 + D) * M, SUMS = (1 + D) * (2 + D) / 2 + (1 + D) * M };
	double *b[PARTS], *maps, *sums, *out;
	FILE *in = fopen(argv[1], "rb");
	for (int i = 0; i < PARTS; i++) {
		double *host = (double *)malloc(8 * lengths[i]);
		if (fread(host, 8, lengths[i], in) != lengths[i]) return 1;
		OK(cudaMalloc(&b[i], 8 * lengths[i]));
		OK(cudaMemcpy(b[i], host, 8 * lengths[i], cudaMemcpyHostToDevice));
		free(host);
	}
	OK(cudaMalloc(&maps, 8ll * N * MAPS * C)); OK(cudaMalloc(&sums, 8ll * N * SUMS * C)); OK(cudaMalloc(&out, 8ll * N * (1 + M + D)));
	OK(cudaEventCreate(&from)); OK(cudaEventCreate(&to));
	float scan = 1e9;
	int height = 0, together = 0;
	double worst = 0;
	for (int each = 1; each <= 2; each++)
		for (int rows = 1; rows <= 4; rows *= 2) {
			OK(cudaMemset(out, 0, 8ll * N * (1 + M + D)));
			const float t = quickest([&] {
				(each == 1 ? chunks_run : chunks_run_pairs)<<<dim3(1, N / (each * rows)), dim3(C, rows)>>>(
					C, b[0], b[1], b[2], b[3], b[4], b[5], maps, sums, ${intervals / chunks}, ${h});
				combine<<<N, C, 8 * C * (M > 2 ? M : 2)>>>(C, maps, sums, b[6], b[7], b[8], b[9], b[10], out);
			}, 30);
			printf("    %d lambda a thread, %d threads a chunk of a block: %.3f ms\\n", each, rows, t);
			if (t < scan) scan = t, height = rows, together = each;
			static double host[N * (1 + M + D)];
			OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
			for (int i = 0; i < ${checked.length}; i++) worst = fmax(worst, fabs(host[checked[i] * (1 + M + D)] / expected[i] - 1));
		}
	float step = 1e9;
	for (int block = 1; block <= 128; block *= 2) {
		const float t = quickest([&] { euler<<<(N + block - 1) / block, block>>>(N, ${intervals}, ${h}, b[5], out); }, 4);
		if (t < step) step = t;
	}
	printf("  integrals, scan of ${chunks} chunks, %d lambda a block: %.3f ms  goal <= 2  %s\\n", height * together, scan, scan <= 2 ? "reached" : "NOT REACHED");
	printf("  explicit Euler, one a thread:  %.3f ms, %.1f times as long  goal >= 15  %s\\n", step, step / scan, step >= 15 * scan ? "reached" : "NOT REACHED");
	printf("  sums of squares differ from the processor's by %.1e at most (midpoint rule beside exponentials)\\n", worst);
	return 0;
}
`;
}
