/** Calls into shared libraries: the package koffi, optional, loaded when first needed. */
import { InputError } from "../../errors.ts";

export type Koffi = typeof import("koffi").default;

export async function loadKoffi(option: string): Promise<Koffi> {
	try {
		const { default: koffi } = await import("koffi");
		// Large kernels keep many values on the stack: as much of it in koffi's threads as in this one.
		const { sync_stack_size, async_stack_size } = koffi.config();
		if (async_stack_size! < sync_stack_size!) koffi.config({ async_stack_size: sync_stack_size });
		return koffi;
	} catch (error) {
		throw new InputError(
			option,
			`needs the package koffi, which does not load here (${error instanceof Error ? error.message.split("\n")[0] : error})`,
			"Install it (npm install koffi), or leave  --compute  out.",
		);
	}
}
