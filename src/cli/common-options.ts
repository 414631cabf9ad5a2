/** Options that several commands share, checked. */
import type { Compute } from "../compute/compute.ts";
import { chooseCompute } from "../compute/node/choose.ts";
import { InputError } from "../errors.ts";
import type { CommonOptions } from "./terminal.ts";

/** The seed of --seed, or the study's. */
export function seedOf({ seed }: CommonOptions, ofStudy: number): number {
	if (seed === undefined) return ofStudy;
	const value = Number(seed);
	if (!/^\d+$/.test(seed) || !Number.isSafeInteger(value))
		throw new InputError(`--seed ${seed}`, "is not a whole number from 0", "For example  --seed 1");
	return value;
}

/** The place of --compute, ready to use. */
export function computeOf({ compute, fast }: CommonOptions): Promise<Compute> {
	return chooseCompute(compute, { fast });
}

/** What a user should know of the place, if anything: the usual ones all give the same bits. */
export function computeLines({ fast }: CommonOptions): string[] {
	return fast
		? ["  --fast: fused multiply-add is allowed. Digits may differ from a run without it.", ""]
		: [];
}
