/** A kernel as JavaScript: `(from, to, batch, …buffers, …scalars)` does the lanes from `from` below `to`, one by one. */
import type { Kernel } from "../../../src/lower/ir.ts";
import { evaluate } from "../../../src/lower/js/evaluate.ts";
import { JsText } from "../../../src/lower/js/text.ts";

export type RunLanes = (from: number, to: number, batch: number, ...rest: (Float64Array | number)[]) => void;

export function emitJs(kernel: Kernel): { text: string; calls: ReadonlySet<string> } {
	const { buffers, scalars, variables } = kernel;
	const place = (buffer: number, index: string): string =>
		buffers[buffer].kind === "uniform" ? `b${buffer}[${index}]` : `b${buffer}[${index} * batch + lane]`;
	const js = new JsText(
		{
			load: place,
			store: (buffer, index, value) => `${place(buffer, index)} = ${value}`,
			param: (index) => `s${index}`,
		},
		variables,
	);
	const params = [
		"from",
		"to",
		"batch",
		...buffers.map((_, i) => `b${i}`),
		...scalars.map((_, i) => `s${i}`),
	];
	const text = [
		`function (${params.join(", ")}) {`,
		"\tfor (let lane = from; lane < to; lane++) {",
		`\t\t${js.declarations()}`,
		`${js.block(kernel.body, "\t\t")}\t}`,
		"}",
	].join("\n");
	return { text, calls: js.calls };
}

export function compileJs(kernel: Kernel): RunLanes {
	const { text, calls } = emitJs(kernel);
	return evaluate<RunLanes>(text, calls);
}
