/**
 * Periodic integral representations on a graphics processor through our own place `cuda`: 1,000 evaluations with each λ
 * spread over the threads of a block by a scan of chunks, and explicit Euler of the same model and grid, one λ a thread, as
 * the yardstick.
 */

import { morrisLecar, paperProblem, recordOf } from "../papers/periodic/paper.ts";
import { inline } from "../src/compute/inline.ts";
import type { Cuda } from "../src/compute/node/cuda/cuda.ts";
import type { Argument, Device, DeviceFunction, Shape } from "../src/compute/node/cuda/device.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { batchArguments, kernelFor } from "../src/methods/periodic/observer/batch.ts";
import type { Representation } from "../src/methods/periodic/observer/representation.ts";
import { periodicOptions } from "../src/methods/periodic/options.ts";
import { questionOf } from "../src/methods/periodic/question.ts";
import { stream } from "../src/num/random.ts";
import type { Case } from "./cuda.ts";
import { chunkArguments } from "./scan/chunks.ts";
import { chunkTables, scanCuda } from "./scan/cuda-scan.ts";

const chunks = 64;
const lambdas = 1000;
/** About the paper's 75 800, and whole chunks. */
const manyIntervals = 1184 * chunks;
/** λ side by side in a block of the first kernel. */
const perBlock = 4;
/** More of them fit beside one another then. */
const registers = 168;

interface Question {
	readonly rep: Representation;
	readonly form: Parameters<typeof scanCuda>[0];
	readonly names: readonly string[];
	/** λ by λ, around the truth. */
	lambda(count: number): Float64Array;
}

function question(intervals: number): Question {
	const record = recordOf(morrisLecar, 3.1, 378.5);
	const problem = paperProblem(morrisLecar, record, morrisLecar.truth, inline);
	const options = { ...defaultOptions(periodicOptions), intervals, nodes: 1 };
	const { coarse, record: found, form, unknowns } = questionOf(problem, options);
	const rep = coarse(found.series.c, found.series.omega);
	const names = unknowns.map(({ name }) => name);
	const random = stream(1, "bench evaluations");
	return {
		rep,
		form,
		names,
		lambda: (count) =>
			Float64Array.from(
				{ length: names.length * count },
				(_, i) => morrisLecar.truth[names[i % names.length]] * (1 + 0.1 * (2 * random.uniform(i) - 1)),
			),
	};
}

/** One λ a lane. */
export function periodicCase(batch: number): Case {
	const { rep, names, lambda } = question(32 * chunks);
	const rows = lambda(batch);
	const columns = rows.map((_, i) => rows[(i % batch) * names.length + Math.floor(i / batch)]);
	const { buffers, scalars } = batchArguments(rep, columns);
	return {
		title: "periodic, one λ a lane",
		kernel: kernelFor(rep),
		batch,
		buffers,
		scalars: scalars ?? {},
		compared: ["yhat"],
	};
}

export async function benchPeriodic({ device }: Cuda): Promise<void> {
	const { rep, form, names, lambda } = question(manyIntervals);
	const all = lambda(lambdas);
	const scan = scanner(device, rep, form, all);
	const { kernel, call } = timed(device, scan.run, 30);
	const worst = scan.worst();
	const euler = bestEuler(device, rep.grid.h, names, scan.lambdaPointer);
	console.log(`\nperiodic, ${lambdas} evaluations, ${manyIntervals} intervals:`);
	const goal = `goal <= 2 ms  ${kernel <= 2e-3 ? "reached" : "MISSED"}`;
	console.log(
		`  scan of ${chunks} chunks: kernels ${ms(kernel)}  ${goal}; whole call with transfers ${ms(call)}`,
	);
	const ratio = euler / kernel;
	console.log(
		`  explicit Euler, one λ a thread: ${ms(euler)}, ${ratio.toFixed(1)} times as long  goal >= 15  ${ratio >= 15 ? "reached" : "MISSED"}`,
	);
	console.log(
		`  sums of squares differ from the processor's by ${worst.toExponential(1)} of themselves at most`,
	);
	scan.free();
}

function scanner(
	device: Device,
	rep: Representation,
	form: Parameters<typeof scanCuda>[0],
	all: Float64Array,
) {
	const [m, d, p] = [rep.observer.m, form.hidden.length, all.length / lambdas];
	const { launch, data } = chunkArguments(rep, all.slice(0, p), chunks);
	const tables = chunkTables(data, m);
	const { y, rest, phi, byG, first } = launch.buffers;
	const there = (values: Float64Array): bigint => {
		const pointer = device.allocate(values.byteLength);
		device.toDevice(pointer, values);
		return pointer;
	};
	const given = [y, rest, phi, byG, first].map(there);
	const lambdaPointer = there(all);
	const nMaps = 2 * d + (1 + d) * m;
	const nSums = ((1 + d) * (2 + d)) / 2 + (1 + d) * m;
	const maps = device.allocate(8 * lambdas * nMaps * chunks);
	const sums = device.allocate(8 * lambdas * nSums * chunks);
	const joins = [data.phi, tables.spans, tables.prefix, tables.gram, data.closing].map(there);
	const out = device.allocate(8 * lambdas * (1 + m + d));
	const text = scanCuda(form, rep.grid.rule, chunks);
	const functions = device.load(text, { exact: false, registers }, ["chunks_run", "combine"]);
	const pointers = (list: readonly bigint[]): Argument[] => list.map((pointer) => ({ pointer }));
	const { intervals, ...others } = launch.scalars as Record<string, number>;
	const steps: [DeviceFunction, Shape, Argument[]][] = [
		[
			functions.chunks_run,
			{ grid: [1, lambdas / perBlock], block: [chunks, perBlock] },
			[
				{ int32: chunks },
				...pointers([...given, lambdaPointer, maps, sums]),
				{ int32: intervals },
				...Object.values(others).map((double) => ({ double })),
			],
		],
		[
			functions.combine,
			{ grid: [lambdas, 1], block: [chunks, 1], sharedBytes: 8 * chunks * Math.max(m, 2) },
			[{ int32: chunks }, ...pointers([maps, sums, ...joins, out])],
		],
	];
	const found = new Float64Array(lambdas * (1 + m + d));
	return {
		lambdaPointer,
		/** λ there, kernels, results back; `clock` is called around the kernels. */
		run(clock: (kernels: () => void) => void): void {
			device.toDevice(lambdaPointer, all);
			clock(() => {
				for (const [made, shape, args] of steps) device.launch(made, shape, args);
			});
			device.toHost(found, out);
		},
		/** Largest relative difference of the sums of squares, of a few λ. */
		worst(): number {
			return Math.max(
				...[0, 1, 499, 999].map((b) => {
					const { y } = rep.evaluate(all.slice(p * b, p * (b + 1)), false)!;
					const sse = y.reduce((sum, value, k) => sum + (value - rep.y.starts[k]) ** 2, 0);
					return Math.abs(found[b * (1 + m + d)] / sse - 1);
				}),
			);
		},
		free(): void {
			for (const pointer of [...given, lambdaPointer, maps, sums, ...joins, out]) device.free(pointer);
		},
	};
}

function timed(
	device: Device,
	run: (clock: (kernels: () => void) => void) => void,
	rounds: number,
): { kernel: number; call: number } {
	let [kernel, call] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	for (let i = 0; i < rounds; i++) {
		const start = performance.now();
		run((kernels) => {
			device.startClock();
			kernels();
			device.stopClock();
			device.wait();
		});
		call = Math.min(call, (performance.now() - start) / 1e3);
		kernel = Math.min(kernel, device.clockSeconds);
	}
	return { kernel, call };
}

/** The quickest of several numbers of threads a block. */
function bestEuler(device: Device, h: number, names: readonly string[], lambda: bigint): number {
	const { euler } = device.load(eulerText(names), { exact: false }, ["euler"]);
	const out = device.allocate(8 * lambdas);
	let best = Number.POSITIVE_INFINITY;
	for (let threads = 1; threads <= 128; threads *= 2) {
		const shape: Shape = { grid: [Math.ceil(lambdas / threads), 1], block: [threads, 1] };
		const args: Argument[] = [
			{ int32: lambdas },
			{ int32: manyIntervals },
			{ double: h },
			{ pointer: lambda },
			{ pointer: out },
		];
		for (let i = 0; i < 4; i++) {
			device.startClock();
			device.launch(euler, shape, args);
			device.stopClock();
			device.wait();
			best = Math.min(best, device.clockSeconds);
		}
	}
	device.free(out);
	return best;
}

/** As quick as we know to write it: quick exponentials, three reciprocals as one. */
function eulerText(names: readonly string[]): string {
	const at = (name: string): string => `lambda[${names.indexOf(name)}]`;
	const [v0, q0] = morrisLecar.x0;
	const { gL, I } = morrisLecar.truth;
	return `
static __device__ __forceinline__ double quick_exp(double x) {
	const double k = __fma_rn(x, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0;
	const double r = __fma_rn(k, -0.6931471805599453, x), s = r * r, s2 = s * s;
	const double a = __fma_rn(r, ${1 / 6}, 0.5), b = __fma_rn(r, ${1 / 120}, ${1 / 24});
	const double c = __fma_rn(r, ${1 / 5040}, ${1 / 720}), d = __fma_rn(r, ${1 / 362880}, ${1 / 40320});
	const double e = __fma_rn(s, __fma_rn(s2, __fma_rn(s, d, c), __fma_rn(s, b, a)), r) + 1;
	return e * __longlong_as_double(__double_as_longlong(k + 4503599627371519.0) << 52);
}
extern "C" __global__ void euler(int n, int steps, double h, const double *__restrict__ lambda, double *__restrict__ out) {
	const int lane = blockIdx.x * blockDim.x + threadIdx.x;
	if (lane >= n) return;
	lambda += ${names.length} * lane;
	const double gCa = ${at("gCa")}, gK = ${at("gK")}, V1 = ${at("V1")}, V3 = ${at("V3")};
	const double i2 = 2 / ${at("V2")}, i4 = 0.5 / ${at("V4")}, hT = 0.5 * h / ${at("T0")};
	double v = ${v0}, q = ${q0}, sum = 0;
	for (int k = 0; k < steps; k++) {
		const double E = quick_exp((v - V1) * i2), F = quick_exp((v + V3) * i4), F2 = F * F, F4 = F2 * F2;
		const double a = E + 1, b = F4 + 1, r = 1 / (a * b * F);
		const double m = E * (r * b * F), w = F4 * (r * a * F), c = F + r * a * b;
		const double slope = gCa * m * (v - 100) + gK * q * (v + 70) + ${gL} * (v + 50) + ${I};
		q += hT * c * (w - q);
		v += h * slope;
		sum += v * v;
	}
	out[lane] = sum + q;
}
`;
}

function ms(seconds: number): string {
	return `${(1e3 * seconds).toPrecision(4)} ms`;
}
