/** A parameter of PEtab, declared in the model language: its bounds, the scale of its search, and its prior. */
import { families } from "../../estimate/law/families.ts";
import type { PetabParameter } from "../../formats/petab/problem.ts";

/** Bounds that are further apart than this are searched by the logarithm anyway. */
const decade = 10;

export function declaration(
	{ estimate, lower, upper, nominal, scale, prior }: PetabParameter,
	name: string,
): string {
	if (!estimate || !(lower < upper)) return `param ${name} = ${nominal}`;
	if (prior) {
		const law = `${prior.family}(${prior.args.join(", ")})`;
		const isBelow = Number.isFinite(lower);
		const isAbove = Number.isFinite(upper);
		// Where the law ends by itself, nothing is cut.
		const { isFlat = false } = families[prior.family].number!(...prior.args);
		if (isFlat || (!isBelow && !isAbove)) return `param ${name} ~ ${law}`;
		if (isBelow && isAbove) return `param ${name} ~ ${law} in [${lower}, ${upper}]`;
		return `param ${name} ~ ${law} ${isBelow ? `> ${lower}` : `< ${upper}`}`;
	}
	if (!Number.isFinite(lower) || !Number.isFinite(upper)) return `param ${name}`;
	return scale !== "lin" && lower > 0 && upper <= decade * lower
		? `param ${name} ~ loguniform(${lower}, ${upper})`
		: `param ${name} in [${lower}, ${upper}]`;
}
