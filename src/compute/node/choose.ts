/** From the name of a place, as in `--compute`, to the place. */
import { InputError } from "../../errors.ts";
import type { Compute } from "../compute.ts";
import { inline } from "../inline.ts";
import { isQueueUrl } from "./redis/queue-url.ts";

export interface PlaceOptions {
	/** Native only: allow contraction. */
	readonly fast?: boolean;
	/** CUDA only: no contraction, the bits of the other places. */
	readonly exact?: boolean;
	/** Told what the user should know while it computes. */
	readonly notice?: (text: string) => void;
}

export async function chooseCompute(
	name?: string,
	{ fast, exact, notice }: PlaceOptions = {},
): Promise<Compute> {
	if (fast && name !== "native")
		throw new InputError("--fast", "goes with  --compute native  only", "Leave it out, or add that.");
	if (exact && name !== "cuda")
		throw new InputError(
			"--exact",
			"goes with  --compute cuda  only",
			"Leave it out: the other places are exact anyway.",
		);
	switch (name) {
		case undefined:
			return new (await import("./automatic.ts")).Automatic();
		case "inline":
			return inline;
		case "threads":
			return new (await import("./threads.ts")).Threads();
		case "native":
			return (await import("./native.ts")).native({ fast });
		case "cuda":
			return (await import("./cuda/cuda.ts")).cuda({ exact });
	}
	if (isQueueUrl(name)) return (await import("./redis/redis.ts")).redis(name, { notice });
	throw new InputError(
		`--compute ${name}`,
		"is no place to compute",
		"Leave it out, or write  --compute inline, threads, native, cuda  or  redis://HOST:PORT",
	);
}
