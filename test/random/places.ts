/** Places for short launches: the kernel as JavaScript, alone or held against WebAssembly. */
import { argumentsOf, type Compute } from "../../src/compute/compute.ts";
import { runInline } from "../../src/compute/inline.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { compileJs } from "../lower/support/js-kernel.ts";

const compiled = new WeakMap<Kernel, ReturnType<typeof compileJs>>();

/** Quick to compile, which is what counts where a kernel runs once. */
export const javascript: Compute = {
	name: "javascript",
	async run(kernel, launch) {
		const { batch, buffers, scalars } = argumentsOf(kernel, launch);
		let run = compiled.get(kernel);
		if (!run) compiled.set(kernel, (run = compileJs(kernel)));
		run(0, batch, batch, ...buffers, ...scalars);
	},
};

/** Two places give different bits. */
export class Disagreement extends Error {
	override readonly name = "Disagreement";
}

/** Every launch on both places, bit for bit the same; their first buffers hold the result. */
export function both(first: Compute, second: Compute): Compute {
	return {
		name: `${first.name} and ${second.name}`,
		async run(kernel, launch) {
			const copies = Object.fromEntries(
				Object.entries(launch.buffers).map(([name, values]) => [name, values.slice()]),
			);
			await first.run(kernel, launch);
			await second.run(kernel, { ...launch, buffers: copies });
			for (const { name, access } of kernel.buffers)
				if (access !== "read")
					for (const [i, value] of launch.buffers[name].entries())
						if (!Object.is(value, copies[name][i]))
							throw new Disagreement(
								`${kernel.name}, ${name}[${i}]: ${value} on ${first.name}, ${copies[name][i]} on ${second.name}`,
							);
		},
	};
}

export const wasm: Compute = {
	name: "wasm",
	async run(kernel, launch) {
		runInline(kernel, launch);
	},
};
