/** Simulated subjects with an oral dose: the twin of a well-known record, which is not ours to copy. */
import { type DataRecord, record } from "../../src/data/data-record.ts";
import { simulate } from "../../src/library/simulate.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Model } from "../../src/model/model.ts";
import { stream } from "../../src/num/random.ts";

export const oralText = `condition weight
param lka ~ normal(0.3, 1)
param lcl ~ normal(1, 1)
param lv ~ normal(3.3, 1)
param b ~ normal(0.75, 0.5)
param oka ~ halfnormal(1)
param ocl ~ halfnormal(1)
param s ~ halfnormal(1)
param ka[record] ~ lognormal(lka, oka)
param cl[record] ~ lognormal(lcl + b*log(weight/70), ocl)
let v = exp(lv)
state depot = 0
state centre = 0
depot' = -ka*depot
centre' = ka*depot - cl/v*centre
measure conc ~ normal(centre/v, s)
`;

export interface Twin {
	readonly model: Model;
	readonly records: readonly DataRecord[];
	readonly truth: Readonly<Record<string, number>>;
}

/** `truth` as far as it is not the usual one. */
export function oralSubjects(
	count: number,
	seed: number,
	given: Readonly<Record<string, number>> = {},
	text = oralText,
	times: readonly number[] = [0, 0.25, 0.5, 1, 2, 3.5, 5, 7, 9, 12, 24],
): Twin {
	const truth = { lka: 0.45, lcl: 1, lv: 3.4, b: 0.75, oka: 0.5, ocl: 0.25, s: 0.4, ...given };
	const model = parseModel(text, "oral.ode");
	const random = stream(seed, "weights");
	const records = Array.from({ length: count }, (_, i) => {
		const weight = 70 * Math.exp(0.25 * random.normal(i));
		const doses = { depot: [{ time: 0, amount: 4.5 * 70 }] };
		const { columns } = simulate(model, {
			times: [0, ...times.filter((t) => t > 0)],
			values: truth,
			conditions: { weight },
			doses,
			noise: true,
			seed: seed * 1000 + i,
		});
		const from = times.includes(0) ? 0 : 1;
		const own = { t: columns.t.slice(from), conc: columns.conc.slice(from) };
		return record(own, { name: `subject ${i + 1}`, start: 0, conditions: { weight }, doses });
	});
	return { model, records, truth };
}
