/**
 * The length of the next step from the error of the last ones: PI control after K. Gustafsson, and the guess for the first
 * step (E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. 1993, II.4).
 */
import { pow } from "../num/elementary/number.ts";
import type { ErrorNorm } from "./error-norm.ts";
import type { Ivp, SolveStats } from "./ivp.ts";
import { allFinite, type Stepper } from "./stepper.ts";

const SAFETY = 0.8;
const SHRINK_AT_MOST = 0.2;
const GROW_AT_MOST = 10;
/** An error far below the tolerance says little about the next one. */
const LEAST_MEMORY = 1e-4;

export class StepControl {
	private previousError = LEAST_MEMORY;
	private afterRejection = false;
	private readonly exponent: number;
	private readonly beta: number;

	constructor(stepper: Stepper) {
		this.beta = stepper.beta;
		this.exponent = 1 / stepper.errorExponent - 0.75 * stepper.beta;
	}

	/** Factor from the step just taken to the next. */
	afterGood(error: number): number {
		let factor = GROW_AT_MOST;
		if (error > 0) {
			const wanted = SAFETY * pow(error, -this.exponent) * pow(this.previousError, this.beta);
			factor = Math.min(GROW_AT_MOST, Math.max(SHRINK_AT_MOST, wanted));
		}
		// Straight after a rejection the error estimate is known to rise: do not grow.
		if (this.afterRejection) factor = Math.min(1, factor);
		this.afterRejection = false;
		this.previousError = Math.max(error, LEAST_MEMORY);
		return factor;
	}

	/** Factor from the step just rejected to the next try; `error` is NaN when something was not finite. */
	afterBad(error: number): number {
		this.afterRejection = true;
		if (!(error < Infinity)) return 0.5;
		return Math.max(SHRINK_AT_MOST, SAFETY * pow(error, -this.exponent));
	}
}

/** A length for the first step, at most `limit`, at the cost of one evaluation of the right-hand side. */
export function guessFirstStep(
	ivp: Ivp,
	norm: ErrorNorm,
	stats: SolveStats,
	stepper: Stepper,
	t: number,
	x: Float64Array,
	direction: number,
	limit: number,
): number {
	const { slope } = stepper;
	const sizeOfState = norm.ofState(x);
	const sizeOfSlope = norm.of(slope, x, x);
	const small = sizeOfState < 1e-5 || sizeOfSlope < 1e-5;
	const euler = Math.min(limit, small ? 1e-6 : (0.01 * sizeOfState) / sizeOfSlope);
	const ahead = x.map((xi, i) => xi + direction * euler * slope[i]);
	const slopeAhead = new Float64Array(ivp.n);
	ivp.rhs(t + direction * euler, ahead, slopeAhead);
	stats.rhs++;
	if (!allFinite(slopeAhead)) return 0.01 * euler;
	const change = slopeAhead.map((s, i) => s - slope[i]);
	const curvature = norm.of(change, x, x) / euler;
	const largest = Math.max(sizeOfSlope, curvature);
	const wanted =
		largest <= 1e-15 ? Math.max(1e-6, 1e-3 * euler) : pow(0.01 / largest, 1 / stepper.errorExponent);
	const guess = Math.min(100 * euler, wanted, limit);
	// Of a slope whose square overflows nothing is known but that it is steep.
	return Number.isNaN(guess) ? 0 : guess;
}
