/** What the model says is known of a parameter guides the start only: a value that contradicts it must be told. */

import { doubt, list } from "../../../estimate/judge/words.ts";
import { numberLaw } from "../../../estimate/law/declared.ts";
import { bulk } from "../../../estimate/law/law.ts";
import type { Doubt } from "../../../estimate/result.ts";
import { constantValue } from "../../../model/constant.ts";
import type { Knowledge } from "../../../model/model.ts";
import { printExpression } from "../../../model/print/expression.ts";
import { normalMass } from "../../../num/statistics/tail-mass.ts";
import { standardErrors } from "../descent/fitted-model.ts";
import type { InversionRun } from "../inversion-run.ts";

/** Standard errors beyond a bound that chance does not make; a prior has as little mass beyond its own ends. */
const beyond = 3;

export function contradictsKnowledge({ work, final, variance }: InversionRun): Doubt[] {
	const { model, weights } = work.setting.candidates;
	const se = standardErrors(final!, variance);
	const outside = final!.active.flatMap((u, k) => {
		const weight = weights[u];
		const known = model.params.find(({ name }) => name === weight?.of)?.knowledge;
		const range = weight && !weight.selectable && known ? rangeOf(known) : undefined;
		if (!range) return [];
		const value = final!.point[u];
		const slack = beyond * (se[k] || 0);
		if (value >= range.lo - slack && value <= range.hi + slack) return [];
		return [`${weight.name} = ${value.toPrecision(3)} (${range.says})`];
	});
	if (outside.length === 0) return [];
	return doubt(
		"against-knowledge",
		"A value contradicts what the model knows",
		`${list(outside)}. The data pull it there, with the terms that were chosen: the declaration is wrong, or a term is missing whose part it takes.`,
		true,
	);
}

/** Where a value may lie. */
function rangeOf(known: Knowledge): { lo: number; hi: number; says: string } | undefined {
	if (known.kind === "set") {
		const says = `declared in [${printExpression(known.lo)}, ${printExpression(known.hi)}]`;
		return { lo: constantValue(known.lo), hi: constantValue(known.hi), says };
	}
	if (known.kind !== "distribution") return undefined;
	const { family, args } = known.distribution;
	const says = `declared ~ ${family}(${args.map(printExpression).join(", ")})`;
	return { ...bulk(numberLaw("prior", known.distribution), normalMass(-beyond)), says };
}
