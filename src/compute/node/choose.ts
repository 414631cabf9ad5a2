/** From the name of a place, as in `--compute`, to the place. */
import { availableParallelism } from "node:os";
import { InputError } from "../../errors.ts";
import type { Compute } from "../compute.ts";
import { inline } from "../inline.ts";

export interface PlaceOptions {
	/** Native only: allow contraction. */
	readonly fast?: boolean;
}

/** What runs where nothing was asked for. */
export function defaultPlace(): string {
	return availableParallelism() > 1 ? "threads" : "inline";
}

export async function chooseCompute(name = defaultPlace(), { fast }: PlaceOptions = {}): Promise<Compute> {
	if (fast && name !== "native")
		throw new InputError("--fast", "goes with  --compute native  only", "Leave it out, or add that.");
	switch (name) {
		case "inline":
			return inline;
		case "threads":
			return new (await import("./threads.ts")).Threads();
		case "native":
			return (await import("./native.ts")).native({ fast });
	}
	const planned = name === "cuda" || /^rediss?:\/\//.test(name);
	throw new InputError(
		`--compute ${name}`,
		planned ? "is not there in this version yet" : "is no place to compute",
		"Leave it out, or write  --compute inline, threads  or  native",
	);
}
