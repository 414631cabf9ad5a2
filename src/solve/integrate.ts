/**
 * The loop that drives every method: from knot to knot, step by step, keeping the error of each step within tolerance.
 */

import { ErrorNorm } from "./error-norm.ts";
import { RungeKuttaStepper } from "./explicit/runge-kutta.ts";
import { brief, explain, lostBetween, type Standstill } from "./failure.ts";
import type { Ivp, MethodName, Solution, SolveStats } from "./ivp.ts";
import { MethodChoice } from "./method-choice.ts";
import { explicitMethods, isStiff, rosenbrockMethods, type StiffName } from "./methods.ts";
import { Recorder } from "./recorder.ts";
import type { SensitiveIvp } from "./sensitivity.ts";
import type { Settings } from "./settings.ts";
import { guessFirstStep, StepControl } from "./step-control.ts";
import type { Stepper } from "./stepper.ts";
import type { Linearization } from "./stiff/linearization.ts";
import { RadauStepper } from "./stiff/radau.ts";
import { radau9 } from "./stiff/radau-table.ts";
import { RosenbrockStepper } from "./stiff/rosenbrock.ts";
import { Crossing } from "./switching/crossing.ts";

/** A right-hand side, what of it is held to the tolerance, and how a stiff method linearises it. */
export interface Problem {
	readonly ivp: Ivp;
	/** The problem of the states alone, where sensitivities follow them. */
	readonly sensitive?: SensitiveIvp;
	/** The states proper come first; sensitivities may follow. */
	readonly nStates: number;
	/** Columns of sensitivities that are held to the tolerance too. */
	readonly nControlledColumns: number;
	linearize(stats: SolveStats): Linearization;
}

/** In pieces of some hundred steps: a problem that is nearly singular may take a hundred thousand. */
export function* integrationSteps(
	problem: Problem,
	t0: number,
	t1: number,
	x0: Float64Array,
	settings: Settings,
): Generator<void, Solution> {
	const run = new Run(problem, t0, t1, x0, settings);
	let why: Standstill["why"] | undefined;
	for (let p = 0; p < settings.pieceEnds.length && !why; p++) why = yield* run.cross(settings.pieceEnds[p]);
	return run.finish(why);
}

/** Steps without a pause. */
const pauseEvery = 256;

class Run {
	private readonly stats: SolveStats = {
		steps: 0,
		rejected: 0,
		rhs: 0,
		jacobians: 0,
		factorizations: 0,
		method: "",
		switches: [],
	};
	private readonly norm: ErrorNorm;
	private readonly recorder: Recorder;
	private readonly crossing: Crossing;
	private readonly choice: MethodChoice;
	private readonly steppers = new Map<MethodName, Stepper>();
	private stepper: Stepper;
	private control: StepControl;
	private t: number;
	private x: Float64Array;
	private xNew: Float64Array;
	/** Length of the next step, before it is cut to end on a knot; 0: not known yet. */
	private size: number;
	private tries = 0;
	/** NaN when the last step tried was not finite. */
	private lastError = 0;

	constructor(
		private readonly problem: Problem,
		private readonly t0: number,
		private readonly t1: number,
		private readonly x0: Float64Array,
		private readonly settings: Settings,
	) {
		const { rtol, atol, method } = settings;
		this.norm = new ErrorNorm(problem.nStates, rtol, atol, problem.nControlledColumns, problem.ivp.origin);
		this.x = Float64Array.from(x0);
		this.crossing = new Crossing(problem.ivp, Math.abs(t1 - t0));
		// What happens at the very start has happened when the first state is kept.
		const { ivp } = problem;
		const [first] = settings.pieceEnds;
		if (ivp.switching && first !== undefined) ivp.enter?.(Math.min(t0, first), Math.max(t0, first));
		ivp.switching?.arrive(t0, this.x);
		this.recorder = new Recorder(problem.ivp.n, settings, t0, this.x);
		this.choice = new MethodChoice(method, rtol);
		this.t = t0;
		this.xNew = new Float64Array(x0.length);
		this.size = settings.firstStep ?? 0;
		this.stats.method = this.choice.first;
		this.stepper = this.stepperOf(this.choice.first);
		this.control = new StepControl(this.stepper);
	}

	/** Crosses a smooth piece; returns why it cannot, if so. */
	*cross(end: number): Generator<void, Standstill["why"] | undefined> {
		const { ivp } = this.problem;
		ivp.enter?.(Math.min(this.t, end), Math.max(this.t, end));
		ivp.switching?.arrive(this.t, this.x);
		const { slope } = this.stepper;
		const before = this.size > 0 && this.t !== this.t0 ? slope.slice() : slope;
		if (!this.stepper.start(this.t, this.x)) return "notFinite";
		const length = Math.min(this.size, this.settings.maxStep, Math.abs(end - this.t));
		if (this.size === 0) this.size = this.firstStep(end);
		else if (this.norm.isStirred(before, slope, this.x, length)) {
			this.control = new StepControl(this.stepper);
			this.size = Math.min(this.size, this.firstStep(end));
		}
		while (this.t !== end) {
			if (++this.tries % pauseEvery === 0) yield;
			const due = ivp.switching?.next ?? Infinity;
			const why = this.stepTowards(Math.min(due, end));
			if (why && !(why !== "maxSteps" && this.rescue(end))) return why;
		}
		return undefined;
	}

	finish(why: Standstill["why"] | undefined): Solution {
		const { stats, recorder } = this;
		const { ivp } = this.problem;
		const end = why
			? explain(ivp, stats, this.standstill(why))
			: (lostBetween(ivp, this.recorder, this.problem.nStates) ?? {
					outcome: "converged" as const,
					message: `Reached t = ${brief(this.t1)} in ${stats.steps} steps with ${stats.method}.`,
				});
		return { ...end, t: recorder.t, x: recorder.x, stats, at: recorder.interpolation(this.t0, this.x0) };
	}

	/** Tries one step; returns why there is none, if so. */
	private stepTowards(end: number): Standstill["why"] | undefined {
		const { stats, settings, stepper, t, x, xNew } = this;
		const remaining = Math.abs(end - t);
		let size = Math.min(this.size, settings.maxStep);
		const last = size >= remaining * (1 - 1e-12);
		// Two equal steps at the end rather than a long one and a scrap.
		if (last) size = remaining;
		else if (2 * size > remaining) size = remaining / 2;
		if (!last && !(size > this.tiny())) return Number.isNaN(this.lastError) ? "notFinite" : "stepTooSmall";
		if (stats.steps + stats.rejected >= settings.maxSteps) return "maxSteps";

		const h = settings.direction * size;
		const error = stepper.attempt(t, x, h, xNew);
		this.lastError = error;
		if (!(error <= 1)) {
			stats.rejected++;
			this.size = size * this.control.afterBad(error);
			return undefined;
		}
		stats.steps++;
		const tNew = last ? end : t + h;
		const crossed = this.crossing.within(stepper, t, x, h, tNew, xNew);
		if (crossed !== undefined) return this.land(crossed, h, tNew, end);
		this.recorder.step(stepper, t, x, h, tNew, xNew);
		const change = this.choice.observe(stepper, h, x, xNew);
		stepper.advance();
		this.t = tNew;
		this.x = xNew;
		this.xNew = x;
		const next = size * this.control.afterGood(error);
		// A step cut short by a knot tells nothing against the longer one that was planned.
		this.size = size < this.size ? Math.max(next, this.size) : next;
		if (change) this.changeTo(change, isStiff(change) ? "stiff" : "no longer stiff");
		return undefined;
	}

	/** Goes to the instant at which something changes, lets it happen, and begins anew there. */
	private land(t: number, h: number, tNew: number, end: number): Standstill["why"] | undefined {
		const { crossing, problem, recorder, stepper } = this;
		recorder.step(stepper, this.t, this.x, h, tNew, this.xNew, t);
		const advance = Math.abs(t - this.t);
		this.t = t;
		this.x.set(crossing.state);
		const happened = problem.ivp.switching!.arrive(t, this.x, true);
		recorder.reach(t, this.x);
		crossing.landed(t, advance, happened);
		if (!stepper.start(t, this.x)) return "notFinite";
		this.control = new StepControl(stepper);
		if (t !== end) this.size = this.firstStep(end);
		return undefined;
	}

	/** When an explicit method is stuck and the choice is free, the stiff one may still get on. */
	private rescue(end: number): boolean {
		if (!this.choice.free || isStiff(this.stepper.method)) return false;
		this.changeTo(this.choice.stiff, "the explicit method was stuck");
		this.size = this.firstStep(end);
		return true;
	}

	private changeTo(method: MethodName, why: string): void {
		this.stepper = this.stepperOf(method);
		this.control = new StepControl(this.stepper);
		this.stepper.start(this.t, this.x);
		this.stats.switches.push({ t: this.t, to: method, why });
		if (!this.stats.method.includes(method)) this.stats.method += ` -> ${method}`;
	}

	private stepperOf(method: MethodName): Stepper {
		const known = this.steppers.get(method);
		if (known) return known;
		const { problem, norm, stats } = this;
		const { ivp } = problem;
		const made = isStiff(method)
			? this.stiffStepper(method)
			: new RungeKuttaStepper(explicitMethods[method], ivp, norm, stats);
		this.steppers.set(method, made);
		return made;
	}

	private stiffStepper(method: StiffName): Stepper {
		const { problem, norm, stats } = this;
		const linearization = problem.linearize(stats);
		return method === "radau9"
			? new RadauStepper(radau9, problem.ivp, problem.sensitive, linearization, norm, stats)
			: new RosenbrockStepper(rosenbrockMethods[method], problem.ivp, linearization, norm, stats);
	}

	private firstStep(end: number): number {
		const { problem, norm, stats, stepper, t, x, settings } = this;
		const limit = Math.min(Math.abs(end - t), settings.maxStep);
		const guess = guessFirstStep(problem.ivp, norm, stats, stepper, t, x, settings.direction, limit);
		// A steep slope from next to nothing is no reason for a step that is lost in the rounding of t.
		return Math.min(limit, Math.max(guess, 4 * this.tiny()));
	}

	/** Steps this short are lost in the rounding of t. */
	private tiny(): number {
		return Math.max(16 * Number.EPSILON * Math.abs(this.t), 1e-30 * Math.abs(this.t1 - this.t0));
	}

	private standstill(why: Standstill["why"]): Standstill {
		const { t, t1, x, x0, stepper, settings, choice, problem, size } = this;
		const { slope, culprit, method } = stepper;
		const { seemsStiff } = choice;
		const { rtol, atol } = settings;
		const { nStates } = problem;
		return { why, t, t1, x, x0, slope, step: size, culprit, method, seemsStiff, rtol, atol, nStates };
	}
}
