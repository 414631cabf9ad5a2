/** Table 2 of [longbottom2024] beside ours. */
import type { Reproduction } from "../../src/report/reproduction.ts";
import { boucWen } from "./bouc-wen.ts";
import { emps } from "./emps.ts";
import { silverbox } from "./silverbox.ts";

export const bayes: Reproduction = {
	name: "bayes",
	title:
		"Longbottom, Champneys, Rogers (2024): probabilistic numeric SMC sampling for Bayesian nonlinear system identification",
	async run(context) {
		const cases = [boucWen, silverbox, emps];
		const rows = [];
		for (const [i, one] of cases.entries())
			rows.push(
				...(await one(context, (fraction) =>
					context.progress((i + fraction) / cases.length, ["Bouc–Wen", "Silverbox", "EMPS"][i]),
				)),
			);
		return {
			tables: [{ title: "Table 2: error on the test record, min / mean / max over particles", rows }],
			figures: [],
		};
	},
};
