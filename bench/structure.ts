/**
 * Which terms are in the equations, of all monomials up to a degree: systems by samples by noise by seeds, the whole of an
 * inversion with its tests, and SINDy beside it; then records of some states only.
 *
 *   npm run bench -- structure [--systems lorenz,rossler,partial] [--seeds 3] [--samples dense|sparse|long] [--noise 0,0.05] [--threads 1]
 *
 * "Best" thresholds of SINDy are the best in hindsight for each case, which nobody knows beforehand.
 */
import { medianOf, shareText } from "../papers/inversion/cases.ts";
import type { BenchOptions } from "./main.ts";
import type { CaseOutcome, CaseSpec, Sampling } from "./structure/case.ts";
import { type PartialOutcome, type PartialSpec, partialNames } from "./structure/partial.ts";
import { overProcesses } from "./structure/processes.ts";
import { systems } from "./structure/systems.ts";

const noises = [0, 0.01, 0.05, 0.1];
/** A record in which even the best decision between the true law and the nearest of the answer's errs more often cannot tell them. */
const mostErrors = 0.05;
const samplings: readonly Sampling[] = ["long", "dense", "sparse"];

export async function bench(options: BenchOptions): Promise<void> {
	const outcomes: CaseOutcome[] = [];
	const partial: PartialOutcome[] = [];
	await overProcesses<CaseSpec | PartialSpec, CaseOutcome | PartialOutcome>(
		[...partialSpecs(options), ...caseSpecs(options)],
		options.threads ?? 1,
		(outcome) => {
			if ("partial" in outcome) partial.push(outcome);
			else outcomes.push(outcome);
			console.log(`  ${"partial" in outcome ? partialLine(outcome) : lineOf(outcome)}`);
		},
	);
	for (const name of partialNames) printPartial(partial.filter((outcome) => outcome.partial === name));
	for (const [key, own] of grouped(outcomes)) print(key, own);
	goals(outcomes);
}

function partialSpecs({ seeds, systems: wanted, samples }: BenchOptions): PartialSpec[] {
	if (!(wanted?.includes("partial") ?? !samples)) return [];
	return partialNames.flatMap((name) =>
		Array.from({ length: (wanted && seeds) || 10 }, (_, k) => ({ partial: name, seed: k + 1 })),
	);
}

function caseSpecs({ seeds = 3, systems: wanted, samples, noise }: BenchOptions): CaseSpec[] {
	return samplings
		.filter((sampling) => !samples || samples === sampling)
		.flatMap((sampling) =>
			(sampling === "long" ? [0] : (noise ?? noises)).flatMap((sd) =>
				systems
					.filter(({ name, long }) => (!wanted || wanted.includes(name)) && (sampling !== "long" || long))
					.flatMap(({ name }) =>
						Array.from({ length: sd === 0 ? 1 : seeds }, (_, k) => ({
							sampling,
							system: name,
							sd,
							seed: k + 1,
						})),
					),
			),
		);
}

const isExact = ({ missing, extra }: CaseOutcome): boolean => missing.length + extra.length === 0;
/** Wrong, without a grave doubt, and the truth is neither named as a rival nor within what was said of the terms left out. */
const isSureButWrong = (each: CaseOutcome): boolean =>
	!isExact(each) && !each.grave && !each.isRival && !each.isAllowed;

function lineOf(each: CaseOutcome): string {
	const {
		system,
		samples,
		sd,
		seed,
		seconds,
		outcome,
		missing,
		extra,
		grave,
		isRival,
		isAllowed,
		told,
		doubts,
	} = each;
	const how = grave ? "doubted" : isRival ? "truth a rival" : isAllowed ? "truth allowed" : "SURE";
	const verdict = isExact(each)
		? "exact"
		: `missing ${missing.join(" ") || "-"}, extra ${extra.join(" ") || "-"}, ${how}${reason(told)} (${doubts.join(" ")})`;
	return `${system.padEnd(20)} ${samples} samples, ${(100 * sd).toFixed(0).padStart(2)} %, seed ${seed}: ${seconds.toFixed(2).padStart(6)} s  ${outcome}, ${verdict}`;
}

/** Why nobody could do much better, where that is so. */
function reason({ byBic, leastError }: CaseOutcome["told"]): string {
	const parts = [
		...(byBic ? [] : ["BIC prefers the answer"]),
		...(leastError > mostErrors ? [`no decision errs in less than ${(100 * leastError).toFixed(0)} %`] : []),
	];
	return parts.length > 0 ? `, beyond the record: ${parts.join(", ")}` : "";
}

function partialLine({ partial, seed, found, sure, outcome, doubts, seconds }: PartialOutcome): string {
	return `${partial}, seed ${seed}: ${seconds.toFixed(2).padStart(6)} s  ${outcome}, ${found ? "found" : `${sure ? "SURE" : "not found"} (${doubts.join(" ")})`}`;
}

function printPartial(own: readonly PartialOutcome[]): void {
	if (own.length === 0) return;
	const worst = Math.max(...own.map(({ seconds }) => seconds));
	console.log(
		`${own[0].partial.padEnd(24)} found ${shareText(own.filter(({ found }) => found).length, own.length)} of ${own.length}; sure but wrong ${own.filter(({ sure }) => sure).length}; worst ${worst.toFixed(1)} s of processor`,
	);
}

function grouped(outcomes: readonly CaseOutcome[]): Map<string, CaseOutcome[]> {
	const groups = new Map<string, CaseOutcome[]>();
	for (const each of outcomes) {
		const key = `${each.sampling}, noise ${(100 * each.sd).toFixed(0)} %`;
		groups.set(key, [...(groups.get(key) ?? []), each]);
	}
	return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function print(key: string, own: readonly CaseOutcome[]): void {
	const seconds = own.map((each) => each.seconds);
	const sum = (of: (each: CaseOutcome) => number): number => own.reduce((total, each) => total + of(each), 0);
	const beside = Object.keys(own[0].beside).map(
		(name) => `${name} ${(sum((each) => Number(each.beside[name])) / own.length).toFixed(2)}`,
	);
	console.log(
		`${key.padEnd(18)} exact ${shareText(own.filter(isExact).length, own.length)} of ${own.length}; missing ${sum(({ missing }) => missing.length)}, extra ${sum(({ extra }) => extra.length)}, sure but wrong ${own.filter(isSureButWrong).length}; processor ${medianOf(seconds).toFixed(2)} s, worst ${Math.max(...seconds).toFixed(1)} s; SINDy: ${beside.join(", ")}`,
	);
}

function goals(outcomes: readonly CaseOutcome[]): void {
	const share = (name: string, goal: number, isMeant: (each: CaseOutcome) => boolean): void => {
		const own = outcomes.filter(isMeant);
		const exact = own.filter(isExact).length;
		if (own.length === 0) return;
		const of = (isTold: (each: CaseOutcome) => boolean): string => {
			const told = own.filter((each) => isExact(each) || isTold(each)).length;
			return `${(exact / told).toFixed(3)} of the ${told}`;
		};
		const byBic = of(({ told }) => told.byBic);
		const byAny = of(({ told }) => told.leastError <= mostErrors);
		console.log(
			`${name}: ${(exact / own.length).toFixed(3)} of ${own.length} (goal ${goal}) ${exact >= goal * own.length ? "ok" : "FAIL"}; ${byBic} whose records tell the true terms from the answer's by BIC; ${byAny} in which the best of all decisions between the two would err in ${100 * mostErrors} % at most`,
		);
	};
	const most = (name: string, goal: number, value: number): void =>
		console.log(`${name} ${value.toFixed(2)} (goal ${goal}) ${value <= goal ? "ok" : "FAIL"}`);
	share("dense", 0.97, ({ sampling }) => sampling === "dense");
	share("sparse, noise up to 5 %", 0.9, ({ sampling, sd }) => sampling === "sparse" && sd <= 0.05);
	share("1,200 clean samples", 1, ({ sampling }) => sampling === "long");
	const secondsOf = (isMeant: (each: CaseOutcome) => boolean): number[] =>
		outcomes.filter(isMeant).map(({ seconds }) => seconds);
	const long = secondsOf(({ sampling }) => sampling === "long");
	if (long.length > 0) most("1,200 clean samples, worst, processor s:", 3, Math.max(...long));
	const seconds = secondsOf(({ sampling }) => sampling !== "long");
	if (seconds.length === 0) return;
	most("sure but wrong:", 0, outcomes.filter(isSureButWrong).length);
	most("median, processor s:", 1, medianOf(seconds));
	most("worst, processor s:", 20, Math.max(...seconds));
}
