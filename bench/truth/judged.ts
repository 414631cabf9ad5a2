/** What a result says, beside what is true. */
import type { Result } from "../../src/estimate/result.ts";
import type { FitRun } from "../../src/methods/fit/fit-run.ts";
import type { InversionRun } from "../../src/methods/inversion/inversion-run.ts";
import { normalQuantile975 } from "../../src/num/statistics/quantile.ts";
import { squared } from "../../src/num/whole-power.ts";
import type { ProvedProblem } from "../../src/prove/problem.ts";
import { formOf } from "../structure/form.ts";
import { fitAt999 } from "./at-999.ts";
import type { Entry } from "./entry.ts";
import { isNamed } from "./named.ts";

/** Of a record that is foretold, so many instants are looked at: what is wrong at one is, most often, wrong at its neighbours. */
const instants = 4;

type Unknowns = Entry["unknowns"];

export function judged(
	result: Result,
	state: unknown,
	proved: ProvedProblem,
): Pick<Entry, "outcome" | "answered" | "grave" | "mild" | "notes" | "share" | "unknowns"> {
	const { outcome, answered, doubts, notes = [], intervalName } = result;
	const percent = /(\d+(?:\.\d+)?) %/.exec(intervalName);
	const codes = (grave: boolean): string[] =>
		doubts.filter((doubt) => doubt.grave === grave).map(({ code }) => code);
	const at95 = drawn95(result, proved);
	const named = isNamed(result, proved);
	return {
		outcome,
		answered,
		grave: codes(true),
		mild: codes(false),
		notes: notes.map(({ code }) => code),
		share: proved.asked === "kriging" ? 0.95 : percent ? Number(percent[1]) / 100 : 1,
		unknowns: proved.asked === "kriging" ? foretold(result, proved) : estimated(result, proved),
		...(named === undefined ? {} : { isNamed: named }),
		...(at95.length > 0 ? { at95 } : {}),
		...(result.method === "fit" && answered ? { at999: fitAt999(result, state as FitRun, proved) } : {}),
		...(proved.asked === "inversion" ? formBeside(result, state, proved) : {}),
	};
}

/** Terms that are there and should not be have the true weight 0. */
function estimated({ parameters }: Result, { truth, asked }: ProvedProblem): Unknowns {
	return parameters.flatMap(({ name, estimate, lo, hi }) => {
		const value = truth[name] ?? (asked === "inversion" && name.includes("[") ? 0 : undefined);
		return value === undefined || lo === undefined || hi === undefined
			? []
			: [[name, value, estimate, lo, hi] as const];
	});
}

/** Of methods that draw: 95 % of their draws. */
function drawn95({ files, parameters }: Result, { truth }: ProvedProblem): Unknowns {
	const csv = files.find(({ name }) => name === "posterior.csv")?.content;
	if (typeof csv !== "string") return [];
	const [, ...rows] = csv.trim().split("\n");
	const draws = rows.map((row) => row.split(",").map(Number));
	return parameters.flatMap(({ name, estimate, lo }, i) => {
		if (truth[name] === undefined || lo === undefined) return [];
		const sorted = draws.map((draw) => draw[i]).sort((a, b) => a - b);
		const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
		return [[name, truth[name], estimate, at(0.025), at(0.975)] as const];
	});
}

/** States where the record was not learned from: the band without the noise of what is measured there. */
function foretold({ predictions }: Result, { clean, sd }: ProvedProblem): Unknowns {
	return clean.flatMap(({ record, output, y }) => {
		const own = predictions.find(
			(each) => each.part === "test" && each.output === output && each.experiment === record,
		);
		if (!own?.data || !own.lo || !own.hi) return [];
		const { data, lo, hi } = own;
		const n = data.t.length;
		return Array.from({ length: instants }, (_, k) => Math.round(((k + 1) * n) / instants) - 1).flatMap(
			(i) => {
				const at = own.t.indexOf(data.t[i]);
				const ofState = (half: number): number =>
					Math.sqrt(Math.max(0, squared(half) - squared(normalQuantile975 * sd[output])));
				if (!Number.isFinite(lo[at]) || !Number.isFinite(hi[at])) return [];
				const value = own.y[at];
				const name = `${output}(${data.t[i]})`;
				return [
					[
						name,
						y[y.length - n + i],
						value,
						value - ofState(value - lo[at]),
						value + ofState(hi[at] - value),
					] as const,
				];
			},
		);
	});
}

function formBeside(
	result: Result,
	state: unknown,
	{ truth }: ProvedProblem,
): Pick<Entry, "isOtherForm" | "isTrueForm" | "chance"> {
	const { missing, extra, isRival, isAllowed } = formOf(state as InversionRun, result, truth);
	const isTrueForm = missing.length + extra.length === 0;
	const chance = result.summary.chance as number | undefined;
	return {
		isOtherForm: !isTrueForm && !isRival && !isAllowed,
		isTrueForm,
		...(chance === undefined ? {} : { chance: Number(chance.toPrecision(3)) }),
	};
}
