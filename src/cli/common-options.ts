/** Options that several commands share, checked. */
import type { Compute } from "../compute/compute.ts";
import { chooseCompute } from "../compute/node/choose.ts";
import { InputError, nearestName } from "../errors.ts";
import { methods } from "../methods/registry.ts";
import { toErr } from "./terminal/screen.ts";
import type { CommonOptions } from "./terminal/terminal.ts";

/** The seed of --seed, or the study's. */
export function seedOf({ seed }: CommonOptions, ofStudy: number): number {
	if (seed === undefined) return ofStudy;
	const value = Number(seed);
	if (!/^\d+$/.test(seed) || !Number.isSafeInteger(value))
		throw new InputError(`--seed ${seed}`, "is not a whole number from 0", "For example  --seed 1");
	return value;
}

/** The method of --method, or the study's. */
export function methodOf({ method }: CommonOptions, ofStudy: string): string {
	if (method === undefined || methods.has(method)) return method ?? ofStudy;
	const near = nearestName(method, methods.keys());
	throw new InputError(
		`--method ${method}`,
		"is no method",
		near ? `Did you mean ${near}?` : `Methods are ${[...methods.keys()].join(", ")}.`,
	);
}

/** Seconds between checkpoints, of --checkpoint. */
export function checkpointEveryOf({ checkpoint }: CommonOptions): number | undefined {
	if (checkpoint === undefined) return undefined;
	const value = Number(checkpoint);
	if (!/^\d+(\.\d+)?$/.test(checkpoint) || !(value <= 86_400))
		throw new InputError(
			`--checkpoint ${checkpoint}`,
			"is not a number of seconds from 0 to 86400",
			"For example  --checkpoint 60",
		);
	return value;
}

/** Does something with the place of --compute, and closes it. */
export async function withCompute<T>(
	{ compute: name, fast, exact, quiet }: CommonOptions,
	work: (compute: Compute) => Promise<T>,
): Promise<T> {
	const notice = (text: string): void => {
		if (!quiet) toErr(`  ${text}\n`);
	};
	const compute = await chooseCompute(name, { fast, exact, notice });
	try {
		return await work(compute);
	} finally {
		await compute.close?.();
	}
}

/** What a user should know of the place, if anything: the usual ones all give the same bits. */
export function computeLines({ fast, exact, compute }: CommonOptions): string[] {
	if (fast) return ["  --fast: fused multiply-add is allowed. Digits may differ from a run without it.", ""];
	if (compute === "cuda" && !exact)
		return ["  cuda: fused multiply-add is used. For the digits of the other places add  --exact", ""];
	return [];
}
