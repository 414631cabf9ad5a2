/**
 * Whether an output can be in an interval at all: what it needs of its arguments, from the last operation to the symbols, is held against their ranges. A range is one interval, and forgets
 * that 1/x has no value between two half lines: what is asked from behind does not.
 */
import type { Interval } from "../../interval/interval.ts";
import { div, exp, intersect, sub } from "../../interval/operations.ts";
import type { Tape } from "./tape.ts";

/** For the ranges of all slots of a tape, stride 2. */
export function isReachable(
	{ instructions, outputs }: Tape,
	ranges: Float64Array,
	i: number,
	goal: Interval,
): boolean {
	const rangeOf = (slot: number): Interval => ({ lo: ranges[2 * slot], hi: ranges[2 * slot + 1] });
	const needed = new Map<number, Interval>([[outputs[i], goal]]);
	/** False where a slot cannot be what is needed of it. */
	const need = (slot: number, values: Interval): boolean => {
		const both = intersect(needed.get(slot) ?? rangeOf(slot), values);
		if (both) needed.set(slot, both);
		return both !== undefined;
	};
	for (let k = outputs[i]; k >= 0; k--) {
		const asked = needed.get(k);
		if (!asked) continue;
		const own = intersect(asked, rangeOf(k));
		if (!own) return false;
		const { op, a, b, value } = instructions[k];
		const isNonzero = own.lo > 0 || own.hi < 0;
		// Both arguments of a sum; of a product only over what is not 0. What is not told here asks nothing.
		if (op === "add" && !(need(a, sub(own, rangeOf(b))) && need(b, sub(own, rangeOf(a))))) return false;
		if (op === "scale" && (value.lo > 0 || value.hi < 0) && !need(a, div(own, value))) return false;
		if (op === "recip" && isNonzero && !need(a, div(1, own))) return false;
		if (op === "log" && !need(a, exp(own))) return false;
		if (op === "mul")
			for (const [one, other] of [
				[a, b],
				[b, a],
			]) {
				const { lo, hi } = rangeOf(other);
				if ((lo > 0 || hi < 0) && !need(one, div(own, { lo, hi }))) return false;
			}
	}
	return true;
}
