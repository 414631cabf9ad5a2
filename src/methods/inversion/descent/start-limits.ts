/** How far each fit on the way to all terms is taken. */
import { squared } from "../../../num/whole-power.ts";
import type { RowNoise } from "../candidates/noise.ts";
import type { Workspace } from "../workspace.ts";
import type { DescentOptions } from "./descent.ts";

const ofFew = { tolerance: 1e-6, maxIterations: 20, quick: true };
/** Iterations with all terms from a fit of few: it is near, and along what the data leave open there is no end. */
const fullIterations = 40;
/** In segments, after each change of noise or steps: what is open has no end, and what is told needs few. */
const settlingIterations = 40;
/** Fall of the sum of squares that means nothing, in variances of the noise. */
const negligibleFall = 1e-4;

export interface StartLimits {
	readonly plain: DescentOptions;
	/** As in the paper through singular values where no bridge is wanted; else by the quicker way to the same steps. */
	readonly given: DescentOptions;
	/** All terms, from a fit of few nearby. */
	readonly fromSupport: DescentOptions;
	/** Few terms. */
	readonly sparse: DescentOptions;
	readonly settling: DescentOptions;
}

export function limitsFor({ options, isLarge }: Workspace, { scale }: RowNoise, isCut: boolean): StartLimits {
	const { tolerance, maxIterations, bridge } = options;
	const plain = { tolerance, maxIterations, negligible: negligibleFall * squared(scale) };
	return {
		plain,
		given: { ...plain, quick: bridge },
		fromSupport: { ...plain, maxIterations: Math.min(maxIterations, fullIterations), quick: true },
		sparse: { ...plain, ...ofFew, ...(isLarge ? { negligible: squared(scale), once: true } : {}) },
		settling: isCut ? { ...plain, maxIterations: Math.min(maxIterations, settlingIterations) } : plain,
	};
}
