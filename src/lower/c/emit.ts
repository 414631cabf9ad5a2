/**
 * A kernel as C text. Native: `run(from, to, batch, buffers, scalars)` does the lanes from `from` below `to`, a
 * multiple of WIDTH · groups of them; compile with -ffp-contract=off. CUDA: `run(lanes, batch, …buffers, …scalars)`,
 * one lane a thread; compile with --fmad=false for the same bits.
 */
import { definitions } from "../../num/elementary/definitions.ts";
import { needs } from "../elementary.ts";
import { type Kernel, numberText } from "../ir.ts";
import { cudaPreamble, nativePreamble } from "./preamble.ts";
import { CText, doubleText, functionName } from "./text.ts";

export interface COptions {
	readonly dialect: "native" | "cuda";
	/** Lane values worked on side by side (native only). */
	readonly groups?: number;
	/** `own`: the project's elementary functions; `libm`: those of the C library. */
	readonly functions?: "own" | "libm";
}

export function emitC(kernel: Kernel, { dialect, groups = 1, functions = "own" }: COptions): string {
	const preamble = dialect === "native" ? nativePreamble : cudaPreamble;
	const library = functions === "own" ? ownFunctions(kernel) : libmFunctions(kernel);
	const body = dialect === "native" ? nativeKernel(kernel, groups) : cudaKernel(kernel);
	return `${preamble}\n${library}\n${body}`;
}

function ownFunctions(kernel: Kernel): string {
	const { functions, tables } = needs(kernel.body);
	let text = "";
	for (const [name, values] of tables)
		text += `TABLE double ${name}[] = {${values.map((x) => doubleText(numberText(x))).join(", ")}};\n`;
	for (const { type, pure } of functions) {
		const mark = definitions.get(pure.name)!.scalarOnly ? "CALLED" : "FN";
		const value = type === "lane" ? "lanes" : "double";
		const params = Array.from({ length: pure.params }, (_, i) => `${value} s${i}`).join(", ");
		const body = new CText([], 1).functionBody(pure, type);
		text += `${mark} ${value} ${functionName(pure.name, type)}(${params}) {\n${body}}\n`;
	}
	return text;
}

function libmFunctions(kernel: Kernel): string {
	let text = "#include <math.h>\n";
	for (const { type, pure } of needs(kernel.body).functions) {
		const { params, scalarOnly } = definitions.get(pure.name)!;
		if (scalarOnly) continue;
		const names = Array.from({ length: params }, (_, i) => `s${i}`);
		const value = type === "lane" ? "lanes" : "double";
		const signature = names.map((name) => `${value} ${name}`).join(", ");
		const args = names.map((name) => (type === "lane" ? `LANE(${name}, i)` : name)).join(", ");
		const head = `FN ${value} ${functionName(pure.name, type)}(${signature})`;
		text +=
			type === "lane"
				? `${head} { lanes r; for (int i = 0; i < WIDTH; i++) LANE(r, i) = ${pure.name}(${args}); return r; }\n`
				: `${head} { return ${pure.name}(${args}); }\n`;
	}
	return text;
}

function nativeKernel(kernel: Kernel, groups: number): string {
	const { buffers, scalars, variables, body } = kernel;
	const c = new CText(buffers, groups, variables);
	const pointers = buffers.map(({ access }, i) =>
		access === "read"
			? `\tconst double *restrict b${i} = buffers[${i}];\n`
			: `\tdouble *restrict b${i} = buffers[${i}];\n`,
	);
	const values = scalars.map(({ type }, i) =>
		type === "int"
			? `\tconst int32_t s${i} = (int32_t)scalars[${i}];\n`
			: `\tconst double s${i} = scalars[${i}];\n`,
	);
	return [
		"void run(int64_t from, int64_t to, int64_t batch, double *const *buffers, const double *scalars) {\n",
		...pointers,
		...values,
		`\tfor (int64_t lane = from; lane < to; lane += ${groups} * WIDTH) {\n`,
		c.declarations("\t\t"),
		c.block(body, "\t\t"),
		"\t}\n}\n",
	].join("");
}

function cudaKernel(kernel: Kernel): string {
	const { buffers, scalars, variables, body } = kernel;
	const c = new CText(buffers, 1, variables, false);
	const params = [
		"int64_t lanes_end",
		"int64_t batch",
		...buffers.map(({ access }, i) => `${access === "read" ? "const " : ""}double *__restrict__ b${i}`),
		...scalars.map(({ type }, i) => `${type === "int" ? "int32_t" : "double"} s${i}`),
	];
	return [
		`extern "C" __global__ void run(${params.join(", ")}) {\n`,
		"\tconst int64_t lane = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;\n",
		"\tif (lane >= lanes_end) return;\n",
		c.declarations("\t"),
		c.block(body, "\t"),
		"}\n",
	].join("");
}
