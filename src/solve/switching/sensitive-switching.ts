/**
 * Switches on the way of a solution with sensitivities. At the instant tau at which g(t, x, p) crosses zero the right-hand side jumps
 * from f- to f+, and since tau depends on the parameters, so do the sensitivities:
 *
 *     S+ = S- + (f- - f+) dtau/dp        dtau/dp = -(g_x S- + g_p)/(g_t + g_x f-)
 *
 * Where events set x+ = h(t, x, p) there, the derivatives of the state at tau itself, S- + f- dtau/dp, go through h, event by event, and
 * f+ dtau/dp is taken from what comes out.
 *
 * See E. N. Rozenvasser, General sensitivity equations of discontinuous systems, Automation and Remote Control 28 (1967) 400-404.
 */
import type { EventFollower, Switching } from "../ivp.ts";
import type { SensitiveIvp } from "../sensitivity.ts";

export class SensitiveSwitching implements Switching, EventFollower {
	readonly count: number;
	private readonly inner: Switching;
	private readonly x: Float64Array;
	private readonly before: Float64Array;
	private readonly after: Float64Array;
	private readonly slopeBefore: Float64Array;
	private readonly slopeAfter: Float64Array;
	private readonly gradient: Float64Array;
	/** Of the instant, by each column. */
	private readonly instant: Float64Array;
	/** States and sensitivities at the instant that something happens at. */
	private z: Float64Array = new Float64Array();
	/** Whether the sensitivities there are those of the state at the instant itself. */
	private isTotal = false;

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
		this.instant = new Float64Array(nColumns);
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
		const moves = which >= 0 && this.findInstant(which, t, z);
		if (!moves) this.instant.fill(0);
		this.z = z;
		this.isTotal = false;
		const happened = inner.arrive(t, x, crossed, this);
		if (happened) {
			for (let i = 0; i < x.length; i++) z[i] = x[i];
			inner.valuesInto(after, t, x);
		}
		if (moves) {
			ivp.rhs(t, x, this.slopeAfter);
			this.leave(z);
		}
		before.set(after);
		return happened;
	}

	derivativesOf(event: number, t: number, x: Float64Array): Float64Array {
		const { ivp, z, nColumns, instant, slopeBefore } = this;
		const { n, nParams } = ivp;
		if (!this.isTotal)
			for (let i = 0; i < n; i++)
				for (let c = 0; c < nColumns; c++) z[n + i * nColumns + c] += slopeBefore[i] * instant[c];
		this.isTotal = true;
		const rows = ivp.assigned!(event, t, x);
		const width = 1 + n + nParams;
		const derivatives = new Float64Array((rows.length / width) * nColumns);
		for (let k = 0; k * width < rows.length; k++)
			for (let c = 0; c < nColumns; c++) {
				let sum = rows[k * width] * instant[c];
				if (c < nParams) sum += rows[k * width + 1 + n + c];
				for (let i = 0; i < n; i++) sum += rows[k * width + 1 + i] * z[n + i * nColumns + c];
				derivatives[k * nColumns + c] = sum;
			}
		return derivatives;
	}

	set(targets: readonly number[], derivatives: Float64Array): void {
		const { z, nColumns, ivp } = this;
		for (const [k, target] of targets.entries())
			for (let c = 0; c < nColumns; c++) z[ivp.n + target * nColumns + c] = derivatives[k * nColumns + c];
	}

	thaw(): void {
		this.inner.thaw();
	}

	private place(z: Float64Array): void {
		for (let i = 0; i < this.x.length; i++) this.x[i] = z[i];
	}

	/** How the instant depends on each column; false where it is one of no condition's own. */
	private findInstant(which: number, t: number, z: Float64Array): boolean {
		const { ivp, x, nColumns, gradient, slopeBefore, instant } = this;
		const { n, nParams } = ivp;
		if (!ivp.jumpInto) return false;
		ivp.jumpInto(which, t, x, gradient);
		let speed = gradient[0];
		for (let i = 0; i < n; i++) speed += gradient[1 + i] * slopeBefore[i];
		// A condition that is only touched has no instant of its own.
		if (!(Math.abs(speed) > 0)) return false;
		for (let c = 0; c < nColumns; c++) {
			let moved = c < nParams ? gradient[1 + n + c] : 0;
			for (let i = 0; i < n; i++) moved += gradient[1 + i] * z[n + i * nColumns + c];
			instant[c] = -moved / speed;
		}
		return true;
	}

	/** From the instant on: sensitivities are those at fixed times again. */
	private leave(z: Float64Array): void {
		const { ivp, nColumns, instant, slopeBefore, slopeAfter } = this;
		const { n } = ivp;
		for (let i = 0; i < n; i++) {
			const slope = (this.isTotal ? 0 : slopeBefore[i]) - slopeAfter[i];
			for (let c = 0; c < nColumns; c++) z[n + i * nColumns + c] += slope * instant[c];
		}
	}
}
