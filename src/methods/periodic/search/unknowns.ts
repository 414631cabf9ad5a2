/** What is searched for: the non-linear parameters, and the level of each hidden state that only multiplies itself. */

import { type Unknown, unknownsOf } from "../../../estimate/unknowns/unknowns.ts";
import type { Model } from "../../../model/model.ts";
import { log } from "../../../num/elementary/number.ts";
import type { PeriodicForm } from "../form/form.ts";

export function searchedUnknowns(
	model: Model,
	form: PeriodicForm,
	start: Readonly<Record<string, number>>,
): Unknown[] {
	const searched = new Set(form.lambda);
	const params = unknownsOf({
		model,
		experiments: [],
		start,
		except: new Set(model.params.map(({ name }) => name).filter((name) => !searched.has(name))),
		initialGuess: () => undefined,
	});
	const levels = form.hidden.flatMap(({ component, closure }): Unknown[] => {
		if (!closure) return [];
		const scale = closure.scale === undefined ? 1 : (start[closure.scale] ?? 1);
		const given = start[`${component}(0)`];
		const centre = given === undefined ? 1 : given * scale;
		const name = levelName(component, closure.scale);
		return [initialUnknown(model, component, name, centre, given !== undefined)];
	});
	return [...params, ...levels];
}

/** Where a hidden state starts, in the first experiment and without bounds. */
export function initialUnknown(
	model: Model,
	component: string,
	name: string,
	start: number,
	informed: boolean,
): Unknown {
	return {
		name,
		kind: "initial",
		component: model.components.indexOf(component),
		experiment: 0,
		scale: "linear",
		lo: Number.NEGATIVE_INFINITY,
		hi: Number.POSITIVE_INFINITY,
		start,
		informed,
		draw: () => start,
	};
}

export function levelName(component: string, scale: string | undefined): string {
	return `${scale === undefined ? "" : `${scale}·`}${component}(0)`;
}

/** A bound in search coordinates. */
export function searchBound({ scale }: Unknown, value: number): number {
	return scale === "log" ? (value === 0 ? Number.NEGATIVE_INFINITY : log(value)) : value;
}
