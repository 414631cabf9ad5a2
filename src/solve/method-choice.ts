/**
 * Which method "auto" takes: the tolerance picks the order of the explicit one; a stretch where stability, not accuracy,
 * holds its step down is crossed with the stiff one (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed.
 * 1996, IV.2), and when the explicit one could take the stiff one's steps again it comes back.
 */
import type { MethodName } from "./ivp.ts";
import { type ExplicitName, explicitMethods, isStiff, type StiffName } from "./methods.ts";
import type { Stepper } from "./stepper.ts";

/** Below these relative tolerances the higher order costs less. */
const TIGHT_EXPLICIT = 1e-6;
const TIGHT_STIFF = 2e-5;
/** From here on collocation, whose steps take longer but are far fewer, takes about as long as a Rosenbrock method, or less. */
const COLLOCATION = 1e-7;
/** Signs of stiffness that must be seen before the method is changed, and signs of the contrary that clear them. */
const STIFF_SIGNS = 15;
const CLEARING_SIGNS = 6;
/** Steps that the explicit method could have taken, in a row, before it comes back. */
const EASY_STEPS = 30;

function explicitFor(rtol: number): ExplicitName {
	return rtol < TIGHT_EXPLICIT ? "dop853" : "tsit5";
}

export function stiffFor(rtol: number): StiffName {
	if (rtol <= COLLOCATION) return "radau9";
	return rtol < TIGHT_STIFF ? "rodas6p" : "rodas5p";
}

export class MethodChoice {
	/** Whether the method may be changed. */
	readonly free: boolean;
	readonly first: MethodName;
	readonly explicit: ExplicitName;
	readonly stiff: StiffName;
	private readonly limit: number;
	private signs = 0;
	private clearing = 0;
	private easy = 0;

	constructor(method: MethodName | "auto", rtol: number) {
		this.free = method === "auto";
		this.explicit = explicitFor(rtol);
		this.stiff = stiffFor(rtol);
		this.first = method === "auto" ? this.explicit : method;
		this.limit = explicitMethods[isStiff(this.first) ? this.explicit : this.first].stabilityLimit;
	}

	/** Whether an explicit method has been held down by stability lately. */
	get seemsStiff(): boolean {
		return this.signs >= CLEARING_SIGNS;
	}

	/** Looks at a step just taken; names the method to change to, if it is time. */
	observe(stepper: Stepper, h: number, x: Float64Array, xNew: Float64Array): MethodName | undefined {
		if (isStiff(stepper.method)) {
			if (!this.free) return undefined;
			this.easy = stepper.stiffness(h, x, xNew) < 0.5 * this.limit ? this.easy + 1 : 0;
			return this.easy >= EASY_STEPS ? this.change(this.explicit) : undefined;
		}
		if (stepper.stiffness(h, x, xNew) > 0.93 * this.limit) {
			this.clearing = 0;
			this.signs++;
			if (this.free && this.signs >= STIFF_SIGNS) return this.change(this.stiff);
		} else if (this.signs > 0 && ++this.clearing >= CLEARING_SIGNS) {
			this.signs = 0;
			this.clearing = 0;
		}
		return undefined;
	}

	private change(to: MethodName): MethodName {
		this.signs = 0;
		this.clearing = 0;
		this.easy = 0;
		return to;
	}
}
