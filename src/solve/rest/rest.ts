/**
 * Where a system comes to rest: simulated over ten times the time again and again, until a root of the right-hand side is so near that it must be
 * where the simulation goes, or nothing changes any more. Sensitivities are those of the root; where it does not determine them, they are simulated.
 */
import { drained } from "../../num/drained.ts";
import type { Ivp, SolveOptions } from "../ivp.ts";
import { type SensitiveIvp, type SensitivityOptions, sensitivitySteps } from "../sensitivity.ts";
import { solutionSteps } from "../solve-ivp.ts";
import { RestRoot, type RootIvp } from "./rest-root.ts";

/** At rest: nothing changes by more than this share of itself in a unit of time, and nothing has by more than that share while time grew tenfold. */
const resting = 1e-9;
const kept = 1e-6;
/** A root is where the simulation goes if it is this near, beside the size that each state has had, and the last tenfold time moved little. */
const nearRoot = 1e-3;
const slow = 1e-2;
/** Changes this small are none. */
const nothing = 1e-14;
/** Powers of ten of the time that it may take. */
export const longest = 12;

export type Rest =
	| { readonly outcome: "rest"; readonly x: Float64Array; readonly S?: Float64Array }
	/** `message` is the solver's; absent where it only did not come to rest in time. */
	| { readonly outcome: "none"; readonly message?: string };

export function restOf(ivp: Ivp, t0: number, x0: Float64Array, options: SolveOptions): Rest {
	return drained(restSteps(ivp, t0, x0, options));
}

export function* restSteps(
	ivp: Ivp,
	t0: number,
	x0: Float64Array,
	options: SolveOptions,
): Generator<void, Rest> {
	const { rest } = yield* settle(ivp, t0, x0, options);
	return rest;
}

/** `S0` and `S` are those of `sensitivitySteps`. */
export function* sensitiveRestSteps(
	ivp: SensitiveIvp,
	t0: number,
	x0: Float64Array,
	S0: Float64Array,
	options: SensitivityOptions,
): Generator<void, Rest> {
	const { rest, root } = yield* settle(ivp, t0, x0, options);
	const S = rest.outcome === "rest" && root?.sensitivities(ivp, rest.x, S0);
	if (rest.outcome === "none") return rest;
	return S ? { ...rest, S } : yield* simulatedRest(ivp, t0, x0, S0, options);
}

function* settle(
	ivp: Ivp,
	t0: number,
	x0: Float64Array,
	options: SolveOptions,
): Generator<void, { readonly rest: Rest; readonly root?: RestRoot }> {
	const slope = new Float64Array(x0.length);
	const size = x0.map(Math.abs);
	const { columnScale: _, ...plain } = options as SensitivityOptions;
	let x = x0;
	let t = t0;
	for (let power = 1; power <= longest; power++) {
		// 10, 100, …: what is slow is given more time.
		const end = t0 + Number(`1e${power}`);
		const solution = yield* solutionSteps(ivp, t, end, x, { ...plain, saveAt: [end] });
		if (solution.outcome !== "converged") return { rest: { outcome: "none", message: solution.message } };
		const before = x;
		x = solution.x;
		t = end;
		x.forEach((value, i) => {
			size[i] = Math.max(size[i], Math.abs(value));
		});
		const isSlow = x.every((value, i) => Math.abs(value - before[i]) <= slow * size[i] + nothing);
		const root = isSlow && ivp.jacobian ? new RestRoot(ivp as RootIvp, t, [x0, middle(x0, x), x]) : undefined;
		const found = root?.near(x);
		if (found?.every((value, i) => Math.abs(value - x[i]) <= nearRoot * size[i] + nothing))
			return { rest: { outcome: "rest", x: found }, root };
		ivp.rhs(t, x, slope);
		if (isStill(x, slope) && hasStayed(x, before)) return { rest: { outcome: "rest", x }, root };
	}
	return { rest: { outcome: "none" } };
}

/** Somewhere between, where nothing is at rest. */
function middle(a: Float64Array, b: Float64Array): Float64Array {
	return a.map((value, i) => 0.6 * value + 0.4 * b[i]);
}

function* simulatedRest(
	ivp: SensitiveIvp,
	t0: number,
	x0: Float64Array,
	S0: Float64Array,
	options: SensitivityOptions,
): Generator<void, Rest> {
	const slope = new Float64Array(x0.length);
	let [x, S] = [x0, S0];
	let t = t0;
	for (let power = 1; power <= longest; power++) {
		const end = t0 + Number(`1e${power}`);
		const solution = yield* sensitivitySteps(ivp, t, end, x, S, { ...options, saveAt: [end] });
		if (solution.outcome !== "converged") return { outcome: "none", message: solution.message };
		const [before, beforeS] = [x, S];
		({ x, S } = solution);
		t = end;
		ivp.rhs(t, x, slope);
		if (isStill(x, slope) && hasStayed(x, before) && hasStayed(S, beforeS)) return { outcome: "rest", x, S };
	}
	return { outcome: "none" };
}

function isStill(x: Float64Array, slope: Float64Array): boolean {
	return x.every((value, i) => Math.abs(slope[i]) <= resting * Math.abs(value) + nothing);
}

function hasStayed(now: Float64Array, before: Float64Array): boolean {
	return now.every((value, i) => Math.abs(value - before[i]) <= kept * Math.abs(value) + nothing / resting);
}
