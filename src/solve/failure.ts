/**
 * Why a solution stopped short, in the user's words: where, why, and what to try.
 */
import type { Ivp, MethodName, Outcome, SolveStats } from "./ivp.ts";
import { isStiff } from "./methods.ts";

/** What the loop knows when no further step can be taken. */
export interface Standstill {
	readonly why: "maxSteps" | "stepTooSmall" | "notFinite";
	readonly t: number;
	readonly t1: number;
	readonly x: Float64Array;
	readonly x0: Float64Array;
	readonly slope: Float64Array;
	/** Length of the step that could not be taken. */
	readonly step: number;
	/** Which derivative was not finite in the last try; -1: none was. */
	readonly culprit: number;
	readonly method: MethodName;
	readonly seemsStiff: boolean;
	readonly rtol: number;
	readonly atol: Float64Array;
	/** Components to look at: the states, without their sensitivities. */
	readonly nStates: number;
}

/** A state that has grown this much, over its start and its tolerance, is said to grow without bound. */
const UNBOUNDED = 1e6;

export function explain(
	ivp: Ivp,
	stats: SolveStats,
	stop: Standstill,
): { outcome: Outcome; message: string } {
	const where = `Stopped at t = ${brief(stop.t)} of ${brief(stop.t1)}`;
	const grown = mostGrown(stop);
	if (grown.ratio > UNBOUNDED && stop.why !== "maxSteps") {
		const name = nameOf(ivp, grown.state);
		return {
			outcome: "diverged",
			message:
				`${where}: ${name} grows without bound (${name} = ${brief(stop.x[grown.state])}, ` +
				`${brief(stop.x0[grown.state])} at the start). For these values the model has no solution much beyond this time. ` +
				"Try other parameters or initial values, or end the solution earlier.",
		};
	}
	if (stop.why === "notFinite") return { outcome: "notFinite", message: `${where}: ${notFinite(ivp, stop)}` };
	if (stop.why === "maxSteps") {
		const tried = stats.steps + stats.rejected;
		return {
			outcome: "maxSteps",
			message: `${where}: ${tried} steps were not enough, the last of length ${brief(stop.step)}. ${manySteps(stop)}`,
		};
	}
	const steepest = nameOf(ivp, steepestState(stop));
	return {
		outcome: "stepTooSmall",
		message:
			`${where}: even a step of ${brief(stop.step)} misses the tolerance (rtol ${brief(stop.rtol)}); ${steepest} changes fastest. ` +
			"The equations may jump, or end in a singularity, there. " +
			`Give known jumps as knots, loosen rtol, or look at what the terms of ${steepest}' do at this time.`,
	};
}

/** What stands between two steps is made of their slopes: where these are next to infinite, it is no number. */
export function lostBetween(
	ivp: Ivp,
	{ t, x }: { readonly t: Float64Array; readonly x: Float64Array },
	nStates: number,
): { outcome: Outcome; message: string } | undefined {
	const at = x.findIndex((value, k) => k % ivp.n < nStates && !Number.isFinite(value));
	if (at < 0) return undefined;
	const name = nameOf(ivp, at % ivp.n);
	return {
		outcome: "notFinite",
		message:
			`At t = ${brief(t[Math.floor(at / ivp.n)])}, between two steps, ${name} is not a finite number: it changes too fast for numbers. ` +
			"Look at the size of the equations' terms for these parameters, states and inputs.",
	};
}

function notFinite(ivp: Ivp, stop: Standstill): string {
	if (stop.culprit < 0)
		return "the Jacobian matrix is not finite, however short the step. Try another method, or look for a root or power at 0.";
	const name = nameOf(ivp, stop.culprit);
	const value = stop.culprit < stop.x.length ? ` (${name} = ${brief(stop.x[stop.culprit])})` : "";
	return (
		`the derivative of ${name} is not a finite number${value}, however short the step. ` +
		"Look for a division by zero, or a logarithm, root or power of a negative number, for these parameters, states and inputs."
	);
}

function manySteps(stop: Standstill): string {
	if (stop.seemsStiff && !isStiff(stop.method))
		return `The problem is stiff: ${stop.method} is held to short steps by stability. Try method "rodas5p" or "auto".`;
	return "Raise maxSteps, loosen rtol, or end the solution earlier.";
}

function mostGrown({ x, x0, rtol, atol, nStates }: Standstill): { state: number; ratio: number } {
	let state = 0;
	let ratio = 0;
	for (let i = 0; i < nStates; i++) {
		const growth = Math.abs(x[i]) / Math.max(Math.abs(x0[i]), atol[i] / rtol);
		if (growth > ratio) {
			ratio = growth;
			state = i;
		}
	}
	return { state, ratio };
}

function steepestState({ x, slope, rtol, atol, nStates }: Standstill): number {
	let state = 0;
	let steepest = -1;
	for (let i = 0; i < nStates; i++) {
		const scaled = Math.abs(slope[i]) / (atol[i] + rtol * Math.abs(x[i]));
		if (scaled > steepest) {
			steepest = scaled;
			state = i;
		}
	}
	return state;
}

function nameOf(ivp: Ivp, i: number): string {
	return ivp.names?.[i] ?? `state ${i + 1}`;
}

/** Six digits are enough to find the place. */
export function brief(value: number): string {
	return String(Number(value.toPrecision(6)));
}
