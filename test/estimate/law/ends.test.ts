/** The language says between which numbers each law lies, for those who go by sets: it is where the law has mass. */
import { expect, test } from "vitest";
import { numberLaw } from "../../../src/estimate/law/declared.ts";
import { endsOf } from "../../../src/model/as-sets.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { distributions } from "../../../src/model/language/vocabulary.ts";

test.each([...distributions.keys()])("%s", (family) => {
	const { args } = distributions.get(family)!;
	const numbers = args.map((_, k) => 0.5 + k);
	const { params } = parseModel(
		`param k ~ ${family}(${numbers})\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1)`,
		"law.ode",
	);
	const { knowledge } = params[0];
	if (knowledge.kind !== "distribution") throw new Error("a law was declared");
	const { lo, hi } = numberLaw("k", knowledge.distribution);
	expect(endsOf(knowledge.distribution)).toEqual([lo, hi]);
});
