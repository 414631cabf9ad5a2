/**
 * The chunk kernel as CUDA for many λ at once: a thread does one chunk of one λ (its y in grid and block), and a second kernel joins the
 * chunks of each λ. Same formulas as `combineChunks`, in another order. A variant does two λ in a thread: what is loaded for a chunk
 * serves both, and two independent chains of operations hide one another's waiting.
 */

import { chunkKernel } from "../../papers/periodic/streamed/streamed-kernel.ts";
import { emitC } from "../../src/lower/c/emit.ts";
import type { PeriodicForm } from "../../src/methods/periodic/form/form.ts";
import type { GaussRule } from "../../src/num/gauss-legendre.ts";
import { identity } from "../../src/num/linear/dense.ts";
import { multiplyLeftInto } from "../../src/num/linear-collocation.ts";
import type { ChunkData } from "./chunks.ts";

/** `chunks` is put into the text: addresses are then constants. */
export function scanCuda(form: PeriodicForm, rule: GaussRule, chunks: number): string {
	const kernel = chunkKernel(form, rule);
	const d = form.hidden.length;
	const m = form.chain.length + form.terms.length;
	const nMaps = 2 * d + (1 + d) * m;
	const nSums = ((1 + d) * (2 + d)) / 2 + (1 + d) * m;
	const at = (name: string): string => `b${kernel.buffers.findIndex((buffer) => buffer.name === name)}`;
	const guard = "\tif (lane >= lanes_end) return;\n";
	const offsets = [
		"\tconst int64_t which = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;\n",
		`\t${at("lambda")} += which * ${form.lambda.length};\n`,
		`\t${at("maps")} += which * ${nMaps} * batch;\n`,
		`\t${at("sums")} += which * ${nSums} * batch;\n`,
	].join("");
	const text = emitC(kernel, { dialect: "cuda" })
		.replace(guard, guard + offsets)
		.replace("void run(", "void chunks_run(")
		.replace("int64_t batch, ", "")
		.replace("int64_t lanes_end", "int32_t lanes_end")
		.replace(
			"const int64_t lane = (int64_t)blockIdx.x * blockDim.x",
			"const int32_t lane = blockIdx.x * blockDim.x",
		);
	const pairs = pairText(text, at, form.lambda.length, nMaps, nSums);
	return `enum { batch = ${chunks} };\n${text}${pairs}${combineText(d, m, nMaps, nSums)}`;
}

/** The chunk kernel for two λ in a thread, `chunks_run_pairs`: every number of a lane and of λ becomes a pair. */
function pairText(
	text: string,
	at: (name: string) => string,
	nLambda: number,
	nMaps: number,
	nSums: number,
): string {
	const from = text.indexOf('extern "C" __global__ void chunks_run(');
	const [lambda, maps, sums] = [at("lambda"), at("maps"), at("sums")];
	const body = text
		.slice(from)
		.replace("void chunks_run(", "void chunks_run_pairs(")
		.replace(`${lambda} += which *`, `${lambda} += 2 * which *`)
		.replace(`${maps} += which *`, `${maps} += 2 * which *`)
		.replace(`${sums} += which *`, `${sums} += 2 * which *`)
		.replace(
			new RegExp(`const double (v\\d+) = \\*\\(${lambda} \\+ (\\d+)\\);`, "g"),
			(_, name, i) => `const two ${name}(${lambda}[${i}], ${lambda}[${nLambda} + ${i}]);`,
		)
		.replace(/const double (v\d+) =/g, "const two $1 =")
		.replace(/\blanes\b/g, "two")
		.replace(new RegExp(`STORE\\(${maps} `, "g"), `STORE_PAIR(${nMaps} * batch, ${maps} `)
		.replace(new RegExp(`STORE\\(${sums} `, "g"), `STORE_PAIR(${nSums} * batch, ${sums} `);
	const operators = ["+", "-", "*", "/"].map(
		(op) => `FN two operator${op}(two a, two b) { return two(a.x ${op} b.x, a.y ${op} b.y); }`,
	);
	const functions = ["max_r", "min_r"].map(
		(name) => `FN two ${name}(two a, two b) { return two(${name}(a.x, b.x), ${name}(a.y, b.y)); }`,
	);
	return `
struct two {
	double x, y;
	__device__ __forceinline__ two() {}
	__device__ __forceinline__ two(double a) : x(a), y(a) {}
	__device__ __forceinline__ two(double a, double b) : x(a), y(b) {}
};
${operators.join("\n")}
FN two operator-(two a) { return two(-a.x, -a.y); }
${functions.join("\n")}
FN two pow2_r(two a) { return two(pow2_r(a.x), pow2_r(a.y)); }
#define STORE_PAIR(stride, p, v) ((p)[0] = (v).x, (p)[stride] = (v).y)
${body}`;
}

/**
 * One block a λ and one thread a chunk, with scans of logarithmic depth (Hillis and Steele): pairs for the hidden states,
 * and vectors for the observer, whose matrices over 1, 2, 4 … chunks do not depend on λ and are given (`chunkTables`).
 */
function combineText(d: number, m: number, nMaps: number, nSums: number): string {
	const squares = ((1 + d) * (2 + d)) / 2;
	return `
#define D ${d}
#define M ${m}
/* spans: M x M for each round and chunk; prefix: Phi(t_c, 0); out: for each lambda sum of squares, R - base (M), q0 (D). */
extern "C" __global__ void combine(int32_t chunks, const double *__restrict__ maps, const double *__restrict__ sums,
	const double *__restrict__ phi, const double *__restrict__ spans, const double *__restrict__ prefix,
	const double *__restrict__ gram, const double *__restrict__ closing, double *__restrict__ out) {
	extern __shared__ double shared[];
	const int c = threadIdx.x;
	maps += (int64_t)blockIdx.x * ${nMaps} * chunks;
	sums += (int64_t)blockIdx.x * ${nSums} * chunks;
	out += (int64_t)blockIdx.x * (1 + M + D);
	double q[D + 1], e[M], x[M];
	for (int i = 0; i < D; i++) {
		double B = maps[2 * i * chunks + c], A = maps[(2 * i + 1) * chunks + c];
		for (int reach = 1; reach < chunks; reach *= 2) {
			shared[2 * c] = A;
			shared[2 * c + 1] = B;
			__syncthreads();
			if (c >= reach) {
				B += A * shared[2 * (c - reach) + 1];
				A *= shared[2 * (c - reach)];
			}
			__syncthreads();
		}
		shared[2 * c] = A;
		shared[2 * c + 1] = B;
		__syncthreads();
		const double start = shared[2 * chunks - 1] / (1 - shared[2 * chunks - 2]);
		q[i] = c ? shared[2 * c - 2] * start + shared[2 * c - 1] : start;
		if (!c) out[1 + M + i] = start;
		__syncthreads();
	}
	for (int a = 0; a < M; a++) {
		e[a] = maps[(2 * D + a) * chunks + c];
		for (int i = 0; i < D; i++) e[a] += q[i] * maps[(2 * D + (1 + i) * M + a) * chunks + c];
	}
	/* e becomes the state at the end of the chunk, from rest at time 0. */
	for (int reach = 1, round = 0; reach < chunks; reach *= 2, round++) {
		for (int a = 0; a < M; a++) shared[a * chunks + c] = e[a];
		__syncthreads();
		if (c >= reach)
			for (int a = 0; a < M; a++)
				for (int b = 0; b < M; b++)
					e[a] += spans[(((int64_t)round * M + a) * M + b) * chunks + c] * shared[b * chunks + c - reach];
		__syncthreads();
	}
	for (int a = 0; a < M; a++) shared[a * chunks + c] = e[a];
	__syncthreads();
	double R[M];
	for (int a = 0; a < M; a++) {
		R[a] = 0;
		for (int b = 0; b < M; b++) R[a] += closing[a * M + b] * shared[b * chunks + chunks - 1];
	}
	for (int a = 0; a < M; a++) {
		x[a] = c ? shared[a * chunks + c - 1] : 0;
		for (int b = 0; b < M; b++) x[a] += prefix[(a * M + b) * chunks + c] * R[b];
	}
	double sse = 0;
	int at = 0;
	for (int i = 0; i <= D; i++)
		for (int j = i; j <= D; j++)
			sse += (i == j ? 1 : 2) * (i ? q[i - 1] : 1) * (j ? q[j - 1] : 1) * sums[at++ * chunks + c];
	for (int a = 0; a < M; a++) {
		double along = 0, square = 0;
		for (int i = 0; i <= D; i++) along += (i ? q[i - 1] : 1) * sums[(${squares} + i * M + a) * chunks + c];
		for (int b = 0; b < M; b++) square += gram[(a * M + b) * chunks + c] * x[b];
		sse += x[a] * (2 * along + square);
	}
	__syncthreads();
	shared[c] = sse;
	for (int half = chunks / 2; half > 0; half /= 2) {
		__syncthreads();
		if (c < half) shared[c] += shared[c + half];
	}
	if (!c) {
		out[0] = shared[0];
		for (int a = 0; a < M; a++) out[1 + a] = R[a];
	}
}
`;
}

/** The tables of the joining kernel, chunk by chunk along the last index; the chunks are a power of 2. */
export function chunkTables(
	{ chunks, phi, gram }: ChunkData,
	m: number,
): { spans: Float64Array; prefix: Float64Array; gram: Float64Array } {
	let rounds = 1;
	while (1 << rounds < chunks) rounds++;
	const spans = new Float64Array(rounds * m * m * chunks);
	// Round by round: Φ over the 1, 2, 4 … chunks that end with chunk c.
	let span: Float64Array[] = Array.from({ length: chunks }, (_, c) => phi.slice(c * m * m, (c + 1) * m * m));
	for (let round = 0, reach = 1; round < rounds; round++, reach *= 2) {
		span.forEach((matrix, c) => {
			matrix.forEach((value, e) => {
				spans[(round * m * m + e) * chunks + c] = value;
			});
		});
		span = span.map((matrix, c) => {
			const wider = c >= reach ? span[c - reach].slice() : identity(m);
			multiplyLeftInto(wider, matrix, 0, m);
			return wider;
		});
	}
	const prefix = new Float64Array(m * m * chunks);
	const total = identity(m);
	const across = new Float64Array(m * m * chunks);
	for (let c = 0; c < chunks; c++) {
		for (let e = 0; e < m * m; e++) {
			prefix[e * chunks + c] = total[e];
			across[e * chunks + c] = gram[c * m * m + e];
		}
		multiplyLeftInto(total, phi, c * m * m, m);
	}
	return { spans, prefix, gram: across };
}
