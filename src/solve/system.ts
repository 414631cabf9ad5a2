/**
 * Initial value problems from a model's expressions: compiled once, and bound to parameter values and input signals as
 * often as needed.
 */
import { InputError } from "../errors.ts";
import { symbolsOf } from "../model/walk.ts";
import type { Ivp } from "./ivp.ts";
import { type InputSignal, PiecewiseInputs } from "./piecewise-inputs.ts";
import type { SensitiveIvp } from "./sensitivity.ts";
import { SwitchFunctions } from "./switching/switch-functions.ts";
import { type SystemDescription, SystemFunctions } from "./system-functions.ts";

export class OdeSystem {
	readonly states: readonly string[];
	readonly params: readonly string[];
	readonly inputs: readonly string[];
	/** Columns of the sensitivities. */
	readonly sensitiveTo: readonly string[];
	private readonly autonomous: boolean;
	private readonly functions: SystemFunctions;
	/** The same with conditions that are followed at once, made when a solution slides along one. */
	private live: SystemFunctions | undefined;
	private readonly switches: SwitchFunctions;

	constructor(private readonly description: SystemDescription) {
		const { states, rhs, params, inputs = [], sensitiveTo = params } = description;
		this.states = states;
		this.params = params;
		this.inputs = inputs;
		this.sensitiveTo = sensitiveTo;
		this.switches = new SwitchFunctions(description);
		this.functions = new SystemFunctions(this.switches.held);
		const used = symbolsOf(rhs);
		this.autonomous = !used.has("t") && !inputs.some((input) => used.has(input));
	}

	/**
	 * The problem with these values (in the order of `params`) and signals (in the order of `inputs`). Solve it with the
	 * option `knots: knotsOf(signals)`.
	 */
	ivp(values: ArrayLike<number>, signals: readonly InputSignal[] = []): Ivp {
		return this.bound(this.checked(values, signals), new PiecewiseInputs(signals));
	}

	/** The same with derivatives by the parameters of `sensitiveTo`. */
	sensitiveIvp(values: ArrayLike<number>, signals: readonly InputSignal[] = []): SensitiveIvp {
		const p = this.checked(values, signals);
		const u = new PiecewiseInputs(signals);
		const n = this.states.length;
		const nParams = this.sensitiveTo.length;
		const { all, jacobian, paramJacobian, curvature, timeDerivativeOfJacobians } = this.functions;
		const together = new Float64Array(n + n * n + n * nParams);
		const jacobians = new Float64Array(n * n + n * nParams);
		return {
			...this.bound(p, u),
			jumpInto: this.jump(p, u),
			assigned: this.assigned(p, u),
			nParams,
			paramNames: this.sensitiveTo,
			jacobian: (t, x, out) => jacobian(t, x, u.at(t), p, out),
			paramJacobian: (t, x, out) => paramJacobian(t, x, u.at(t), p, out),
			all(t, x, slope, J, fp) {
				all(t, x, u.at(t), p, together);
				copyInto(slope, together, 0);
				copyInto(J, together, n);
				copyInto(fp, together, n + n * n);
			},
			secondDirectional(t, x, S, k, out) {
				curvature(t, x, u.at(t), p, k, jacobians);
				timesSensitivities(out, jacobians, S, n, nParams);
			},
			sensitivityTimeDerivative(t, x, S, out) {
				timeDerivativeOfJacobians(t, x, u.at(t), p, u.slopesAt(t), jacobians);
				timesSensitivities(out, jacobians, S, n, nParams);
			},
		};
	}

	private bound(p: Float64Array, u: PiecewiseInputs): Ivp {
		const { rhs, jacobian, timeDerivative } = this.functions;
		if (!this.switches.isEmpty) return this.switched(p, u);
		return {
			n: this.states.length,
			names: this.states,
			autonomous: this.autonomous,
			...this.entering(p, u),
			rhs: (t, x, out) => rhs(t, x, u.at(t), p, out),
			jacobian: (t, x, out) => jacobian(t, x, u.at(t), p, out),
			timeDerivative: (t, x, out) => timeDerivative(t, x, u.at(t), p, u.slopesAt(t), out),
		};
	}

	/** Begins a piece: inputs take their limits from inside, and states are counted from what doses so far make of 0. */
	private entering(p: Float64Array, u: PiecewiseInputs): Pick<Ivp, "enter" | "origin"> {
		if (!this.description.lifted) return { enter: (tLeft, tRight) => u.enter(tLeft, tRight) };
		const { origin: originInto } = this.functions;
		const none = new Float64Array(this.states.length);
		const origin = none.slice();
		const enter = (tLeft: number, tRight: number): void => {
			u.enter(tLeft, tRight);
			// Within: a sample at the very time of a dose may be before it.
			const within = tLeft + (tRight - tLeft) / 2;
			originInto(within, none, u.at(within), p, origin);
		};
		return { origin, enter };
	}

	private switched(p: Float64Array, u: PiecewiseInputs): Ivp {
		const switching = this.switches.switching(p, u);
		const functions = (): SystemFunctions =>
			switching.holds
				? this.functions
				: (this.live ??= new SystemFunctions(liveOf(this.switches.held, this.description)));
		return {
			n: this.states.length,
			names: this.states,
			autonomous: this.autonomous,
			switching,
			...this.entering(p, u),
			rhs: (t, x, out) => functions().rhs(t, x, u.at(t), p, out),
			jacobian: (t, x, out) => functions().jacobian(t, x, u.at(t), p, out),
			timeDerivative: (t, x, out) => functions().timeDerivative(t, x, u.at(t), p, u.slopesAt(t), out),
		};
	}

	/** How sensitivities jump where a switch changes its side (SensitiveIvp). */
	private jump(p: Float64Array, u: PiecewiseInputs): SensitiveIvp["jumpInto"] {
		const { count } = this.switches;
		if (count === 0) return undefined;
		const n = this.states.length;
		const nParams = this.sensitiveTo.length;
		const width = 1 + n + nParams;
		const { gradients } = this.switches;
		const rows = new Float64Array(count * width);
		return (which, t, x, out) => {
			gradients(t, x, u.at(t), p, u.slopesAt(t), rows);
			copyInto(out, rows, which * width);
		};
	}

	/** Derivatives of what an event sets (SensitiveIvp). */
	private assigned(p: Float64Array, u: PiecewiseInputs): SensitiveIvp["assigned"] {
		const { assigned } = this.switches;
		if (!assigned) return undefined;
		const { derivatives, first } = assigned;
		const width = 1 + this.states.length + this.sensitiveTo.length;
		const rows = new Float64Array(first[first.length - 1] * width);
		return (event, t, x) => {
			derivatives(t, x, u.at(t), p, u.slopesAt(t), rows);
			return rows.slice(first[event] * width, first[event + 1] * width);
		};
	}

	private checked(values: ArrayLike<number>, signals: readonly InputSignal[]): Float64Array {
		if (values.length !== this.params.length)
			throw new InputError("parameters", `${values.length} values for ${this.params.length} names`);
		for (const [i, name] of this.inputs.entries())
			if (!signals[i])
				throw new InputError(`input ${name}`, "has no signal", "Give data or a formula for it.");
		// Behind the values: the sides of switches.
		const p = new Float64Array(values.length + this.switches.nHeld);
		p.set(values);
		return p;
	}
}

/** The same parameters, and the right-hand side as it was. */
function liveOf(held: SystemDescription, { rhs }: SystemDescription): SystemDescription {
	return { ...held, rhs };
}

/** out = A S + B, where `jacobians` holds A (n x n), then B (n x nParams); S and out may have further columns. */
function timesSensitivities(
	out: Float64Array,
	jacobians: Float64Array,
	S: Float64Array,
	n: number,
	nParams: number,
): void {
	const nColumns = S.length / n;
	for (let i = 0; i < n; i++) {
		const row = i * nColumns;
		for (let c = 0; c < nColumns; c++) out[row + c] = c < nParams ? jacobians[n * n + i * nParams + c] : 0;
		for (let k = 0; k < n; k++) {
			const factor = jacobians[i * n + k];
			if (factor === 0) continue;
			for (let c = 0; c < nColumns; c++) out[row + c] += factor * S[k * nColumns + c];
		}
	}
}

function copyInto(out: Float64Array, from: Float64Array, offset: number): void {
	for (let i = 0; i < out.length; i++) out[i] = from[offset + i];
}
