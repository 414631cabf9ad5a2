/** The paving of what is left, when no box is to be followed any more: one by one, or by the batch on the place to compute where boxes are many. */
import type { Monomials } from "../../../interval/taylor/monomials.ts";
import type { BoxSearch } from "../search/box-search.ts";
import { BatchPaving, type SavedPaving } from "./batch-paving.ts";
import { hullOf, Sivia } from "./sivia.ts";

/** From so many boxes on a paving runs by the batch, on the place to compute; with many unknowns in any case. */
const largePaving = 20_000;

/** The paving; nothing where nothing is left. `waits` says whether somebody waits for what takes long. */
export function lastPaving(search: BoxSearch, waits: boolean): Sivia | BatchPaving | undefined {
	const { models, parts, outliers, isWide, question } = search;
	const { options, effort, unknowns } = question;
	const whole = hullOf(parts.map(({ box }) => box));
	if (!whole) return undefined;
	const small = Float64Array.from(unknowns, (_, k) => options.precision * (whole[2 * k + 1] - whole[2 * k]));
	const isLarge = (options.boxes >= largePaving || isWide) && outliers === 0 && waits;
	const table = (e: number): Monomials => models.flows[e].table;
	const paving = isLarge
		? new BatchPaving(table, small, options.boxes, effort)
		: new Sivia(models.reader, small, options.boxes, effort, outliers);
	for (const { box, constraints, failure } of parts) if (!failure) paving.add(box, constraints);
	return paving;
}

/** A paving that was begun, gone on with. */
export function resumedPaving(search: BoxSearch, saved: SavedPaving): BatchPaving | undefined {
	const paving = lastPaving(search, true);
	if (!(paving instanceof BatchPaving)) return undefined;
	paving.restore(saved);
	return paving;
}
