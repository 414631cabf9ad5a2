/**
 * Contraction of a box of unknowns by many constraints: the linear contractor in turns until it gains little, then box
 * consistency: slices at both ends of each side are contracted or emptied on their own, where the polynomials are almost
 * linear. No consistent value is ever cut off.
 */
import type { Constraint, ConstraintReader } from "./constraint.ts";
import { contractTogether } from "./contract-together.ts";

export interface ContractOptions {
	/** `once`: the linear contractor once; `krawczyk`: until it gains nothing; `together`: by all data at once, too; `box`: box consistency besides. */
	readonly kind: "once" | "krawczyk" | "together" | "box";
	/** Slices stop at this share of the side. */
	readonly precision: number;
}

/** The constraint that emptied the box, or undefined. */
export function contractBox(
	reader: (constraint: Constraint) => ConstraintReader,
	constraints: readonly Constraint[],
	box: Float64Array,
	{ kind, precision }: ContractOptions,
): Constraint | undefined {
	let active = constraints;
	for (let round = 0; round < (kind === "once" ? 1 : 20) && active.length > 0; round++) {
		const before = box.slice();
		const still: Constraint[] = [];
		for (const constraint of active) {
			const verdict = reader(constraint).contract(constraint, box);
			if (verdict === "outside") return constraint;
			if (verdict === "unknown") still.push(constraint);
		}
		active = still;
		if (gain(before, box) > 0.01) continue;
		if (!(kind === "box" || kind === "together") || active.length === 0) break;
		// What no datum says alone.
		if (!contractTogether(reader, active, box)) return active[active.length - 1];
		if (!(gain(before, box) > 0.05)) break;
	}
	if (kind !== "box" || active.length === 0) return undefined;
	for (let k = 0; 2 * k < box.length; k++)
		for (const side of [0, 1] as const) {
			const empty = shave(reader, active, box, k, side, precision);
			if (empty) return empty;
		}
	return undefined;
}

/** The greatest share by which a side shrank. */
export function gain(before: Float64Array, after: Float64Array): number {
	let most = 0;
	for (let i = 0; i < before.length; i += 2) {
		const width = before[i + 1] - before[i];
		if (width > 0) most = Math.max(most, 1 - (after[i + 1] - after[i]) / width);
	}
	return most;
}

/** Slices off one end of side k, as far as they can be emptied; the first that cannot is contracted on its own. */
function shave(
	reader: (constraint: Constraint) => ConstraintReader,
	constraints: readonly Constraint[],
	box: Float64Array,
	k: number,
	side: 0 | 1,
	precision: number,
): Constraint | undefined {
	const whole = box[2 * k + 1] - box[2 * k];
	if (!(whole > 0) || !constraints.some(({ variables }) => variables.includes(k))) return undefined;
	let share = 1 / 8;
	for (let tries = 0; tries < 40; tries++) {
		const width = box[2 * k + 1] - box[2 * k];
		const cut = side === 0 ? box[2 * k] + share * width : box[2 * k + 1] - share * width;
		const all = share >= 1 || !(box[2 * k] < cut && cut < box[2 * k + 1]);
		const slice = box.slice();
		if (!all) slice[2 * k + 1 - side] = cut;
		let empty: Constraint | undefined;
		for (const constraint of constraints)
			if (reader(constraint).contract(constraint, slice) === "outside") {
				empty = constraint;
				break;
			}
		if (empty) {
			if (all) return empty;
			box[2 * k + side] = cut;
			share = Math.min(2 * share, 1);
			continue;
		}
		// The rest of the box is untouched, so only the outer end of the slice may move.
		box[2 * k + side] = slice[2 * k + side];
		share /= 4;
		if (share * width < precision * whole) break;
	}
	return undefined;
}
