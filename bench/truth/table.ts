/** The ledger as a page of tables. */
import { chancesRows } from "./chances.ts";
import { countsOf, farOff, grouped, isWrong, percent } from "./counts.ts";
import type { Entry } from "./entry.ts";

/** Problems that are named for each doubt: any of them can be opened. */
const shownNumbers = 5;

export function tablesOf(entries: readonly Entry[]): string {
	const sound = entries.filter(({ fault }) => fault === undefined);
	const faulty = entries.filter(({ fault }) => fault !== undefined);
	return [
		"## Sound problems, by method",
		table(
			[
				"method",
				"asked",
				"answered",
				"intervals hold the truth",
				"should",
				"95 % intervals",
				"any doubt",
				"grave doubt",
				"sure but wrong",
				"bugs",
				"no end",
				"median s",
			],
			[...grouped(sound, ({ method }) => method)].map(([method, own]) => {
				const c = countsOf(own);
				const share = own.find(({ answered }) => answered)?.share ?? 0;
				return [
					method,
					c.n,
					c.answered,
					percent(c.held, c.nIntervals),
					`${100 * share} %`,
					percent(c.heldAt95, c.nAt95),
					percent(c.anyDoubt, c.answered),
					percent(c.graveDoubt, c.answered),
					percent(c.sureButWrong.length, c.answered),
					c.bugs,
					c.noEnd,
					median(own.map(({ seconds }) => seconds)).toFixed(2),
				];
			}),
		),
		"## Sound problems: coverage of 95 % intervals by family",
		byFamily(sound),
		"## Doubts on sound problems, by method",
		"Nothing is wrong with the problem; with the answer there may be, where a better optimum was not found. Then the doubt is right: it is no false alarm.",
		table(
			["method", "doubt", "grave", "mild", "of", "of these answers, wrong", "numbers"],
			[...grouped(sound, ({ method }) => method)].flatMap(([method, own]) => {
				const answered = own.filter((entry) => entry.answered);
				const codes = new Set(answered.flatMap(({ grave, mild }) => [...grave, ...mild]));
				return [...codes].sort().map((code) => {
					const grave = answered.filter((entry) => entry.grave.includes(code));
					const mild = answered.filter((entry) => entry.mild.includes(code));
					const doubted = [...grave, ...mild];
					return [
						method,
						code,
						grave.length,
						mild.length,
						answered.length,
						doubted.filter(isWrong).length,
						doubted
							.slice(0, shownNumbers)
							.map(({ number }) => number)
							.join(", "),
					];
				});
			}),
		),
		...chances(sound),
		"## Faults, by dose",
		table(
			["method", "fault", "dose", "answered", "grave doubt", "any doubt", "sure but wrong"],
			[...grouped(faulty, ({ method, fault, dose }) => `${method}|${fault}|${dose}`)]
				.sort(([a], [b]) => (a < b ? -1 : 1))
				.map(([key, own]) => {
					const c = countsOf(own);
					return [
						...key.split("|"),
						c.answered,
						percent(c.graveDoubt, c.answered),
						percent(c.anyDoubt, c.answered),
						percent(c.sureButWrong.length, c.answered),
					];
				}),
		),
		"## Sure but wrong on sound problems",
		table(
			["problem", "method", "family", "noise", "what is far off"],
			countsOf(sound).sureButWrong.map((entry) => [
				entry.number,
				entry.method,
				entry.family,
				`${entry.noise} ${entry.level}`,
				entry.isOtherForm
					? "the form"
					: farOff(entry)
							.map(
								([name, truth, , lo, hi]) =>
									`${name} ${truth.toPrecision(4)} in ${lo.toPrecision(4)} … ${hi.toPrecision(4)}`,
							)
							.join("; "),
			]),
		),
	].join("\n\n");
}

function chances(sound: readonly Entry[]): string[] {
	const rows = chancesRows(sound);
	if (rows.length === 0) return [];
	return [
		"## Chances of a form among its rivals, as `inversion` says them",
		table(["chance said", "answers", "on average", "true"], rows),
	];
}

function byFamily(sound: readonly Entry[]): string {
	const names = [...new Set(sound.map(({ method }) => method))];
	return table(
		["family", ...names],
		[...grouped(sound, ({ family }) => family)].map(([family, own]) => [
			family,
			...names.map((method) => {
				const c = countsOf(own.filter((entry) => entry.method === method));
				return c.nAt95 > 0 ? `${percent(c.heldAt95, c.nAt95)} of ${c.nAt95}` : "";
			}),
		]),
	);
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
	const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
	return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
