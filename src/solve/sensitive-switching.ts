/**
 * Switches on the way of a solution with sensitivities. At the instant tau at which g(t, x, p) crosses zero the right-hand side jumps
 * from f- to f+, and since tau depends on the parameters, so do the sensitivities:
 *
 *     S+ = S- + (f- - f+) dtau/dp        dtau/dp = -(g_x S- + g_p)/(g_t + g_x f-)
 *
 * See E. N. Rozenvasser, General sensitivity equations of discontinuous systems, Automation and Remote Control 28 (1967) 400-404.
 */
import type { Switching } from "./ivp.ts";
import type { SensitiveIvp } from "./sensitivity.ts";

export class SensitiveSwitching implements Switching {
	readonly count: number;
	private readonly inner: Switching;
	private readonly x: Float64Array;
	private readonly before: Float64Array;
	private readonly after: Float64Array;
	private readonly slopeBefore: Float64Array;
	private readonly slopeAfter: Float64Array;
	private readonly gradient: Float64Array;

	constructor(
		private readonly ivp: SensitiveIvp,
		private readonly nColumns: number,
	) {
		const { n, nParams } = ivp;
		this.inner = ivp.switching!;
		this.count = this.inner.count;
		this.x = new Float64Array(n);
		this.before = new Float64Array(this.count);
		this.after = new Float64Array(this.count);
		this.slopeBefore = new Float64Array(n);
		this.slopeAfter = new Float64Array(n);
		this.gradient = new Float64Array(1 + n + nParams);
	}

	knots(t0: number, t1: number): readonly number[] {
		return this.inner.knots(t0, t1);
	}

	get next(): number {
		return this.inner.next;
	}

	valuesInto(out: Float64Array, t: number, z: Float64Array): void {
		this.place(z);
		this.inner.valuesInto(out, t, this.x);
	}

	arrive(t: number, z: Float64Array, crossed = false): boolean {
		const { ivp, inner, x, before, after } = this;
		this.place(z);
		inner.valuesInto(after, t, x);
		const which = crossed ? after.findIndex((value, i) => value !== before[i]) : -1;
		if (which >= 0) ivp.rhs(t, x, this.slopeBefore);
		const happened = inner.arrive(t, x);
		if (which >= 0 && ivp.jumpInto) {
			ivp.rhs(t, x, this.slopeAfter);
			this.jump(which, t, z);
		}
		before.set(after);
		return happened;
	}

	thaw(): void {
		this.inner.thaw();
	}

	private place(z: Float64Array): void {
		for (let i = 0; i < this.x.length; i++) this.x[i] = z[i];
	}

	private jump(which: number, t: number, z: Float64Array): void {
		const { ivp, x, nColumns, gradient, slopeBefore, slopeAfter } = this;
		const { n, nParams } = ivp;
		ivp.jumpInto!(which, t, x, gradient);
		let speed = gradient[0];
		for (let i = 0; i < n; i++) speed += gradient[1 + i] * slopeBefore[i];
		// A condition that is only touched has no instant of its own.
		if (!(Math.abs(speed) > 0)) return;
		for (let c = 0; c < nColumns; c++) {
			let moved = c < nParams ? gradient[1 + n + c] : 0;
			for (let i = 0; i < n; i++) moved += gradient[1 + i] * z[n + i * nColumns + c];
			const instant = -moved / speed;
			for (let i = 0; i < n; i++) z[n + i * nColumns + c] += (slopeBefore[i] - slopeAfter[i]) * instant;
		}
	}
}
