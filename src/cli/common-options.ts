/** Options that several commands share, checked. */
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

const planned = ["threads", "native", "cuda"];

/** Only `inline` computes in this version; what is planned is refused by its name. */
export function checkCompute({ compute = "inline" }: CommonOptions): void {
	if (compute === "inline") return;
	const known = planned.includes(compute) || /^redis:\/\//.test(compute);
	throw new InputError(
		`--compute ${compute}`,
		known ? "is not there in this version yet" : "is no place to compute",
		"Leave it out, or write  --compute inline",
	);
}
