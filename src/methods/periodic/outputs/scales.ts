/**
 * Hidden states whose unit is open. Of one that only multiplies itself an output shows its product with a parameter, the scale, which
 * is held. Outputs that see the same state by scales of their own tell their ratio, and one that finds its scale tells them all.
 */
import type { Natural, NaturalValue } from "../adjustment/natural.ts";
import type { OutputPart } from "./parts.ts";

export interface OpenScale {
	/** The hidden state. */
	readonly component: string;
	/** By the position of the part that sees it so. */
	readonly scales: ReadonlyMap<number, string>;
}

export function openScales(parts: readonly Pick<OutputPart, "form">[]): OpenScale[] {
	const all = new Map<string, Map<number, string>>();
	for (const [k, { form }] of parts.entries())
		for (const { component, closure } of form.hidden)
			if (closure?.scale !== undefined)
				all.set(component, (all.get(component) ?? new Map<number, string>()).set(k, closure.scale));
	return [...all].map(([component, scales]) => ({ component, scales }));
}

/** Scales and starts of such states, all in the unit of the scale that is found, or else of the one that stays held. */
export function inOneUnit(
	open: readonly OpenScale[],
	answers: readonly Natural[],
	known: ReadonlyMap<string, NaturalValue>,
): Map<string, NaturalValue> {
	const values = new Map<string, NaturalValue>();
	for (const { component, scales } of open) {
		const product = ([k, scale]: readonly [number, string]): number =>
			answers[k].combinations.find(({ name }) => name === `${scale}·${component}(0)`)!.value;
		const all = [...scales];
		const unit = all.find(([, scale]) => known.get(scale)!.from !== "held") ?? all[0];
		const start = product(unit) / known.get(unit[1])!.value;
		values.set(`${component}(0)`, { name: component, value: start, sd: 0, from: "search" });
		for (const each of all)
			if (known.get(each[1])!.from === "held" && each[1] !== unit[1])
				values.set(each[1], { name: each[1], value: product(each) / start, sd: 0, from: "search" });
	}
	return values;
}

/** Those of which no scale is found, by what was. */
export function stillOpen(open: readonly OpenScale[], values: readonly NaturalValue[]): OpenScale[] {
	const held = new Set(values.filter(({ from }) => from === "held").map(({ name }) => name));
	return open.filter(({ scales }) => [...scales.values()].some((scale) => held.has(scale)));
}
