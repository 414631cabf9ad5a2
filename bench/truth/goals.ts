/** What was asked of the methods before any of it was counted, and what holds of it. */
import { faults } from "../../src/prove/faults.ts";
import { type Counts, countsOf, grouped, percent } from "./counts.ts";
import type { Entry } from "./entry.ts";
import { silentAndShown } from "./power.ts";
import { table } from "./table.ts";

/** Of a family with fewer intervals its share says little. */
const enough = 100;

interface Goal {
	readonly asked: string;
	/** What is counted, of what, and whether it holds; undefined where there is nothing to count. */
	of(counts: Counts, own: readonly Entry[]): { readonly is: string; readonly holds: boolean } | undefined;
}

const share = (
	part: number,
	all: number,
	[lo, hi]: readonly [number, number],
): { is: string; holds: boolean } | undefined =>
	all > 0
		? {
				is: `${percent(part, all)} ± ${(100 * Math.sqrt(((part / all) * (1 - part / all)) / all)).toFixed(1)}`,
				holds: part >= lo * all && part <= hi * all,
			}
		: undefined;

const goals: readonly Goal[] = [
	{
		asked: "95 % intervals hold 93 to 97 %",
		of: ({ heldAt95, nAt95 }) => share(heldAt95, nAt95, [0.93, 0.97]),
	},
	{
		asked: `families (of ${enough} intervals or more) 90 to 99 %`,
		of(_counts, own) {
			const shares = [...grouped(own, ({ family }) => family).values()]
				.map(countsOf)
				.filter(({ nAt95 }) => nAt95 >= enough)
				.map(({ heldAt95, nAt95 }) => heldAt95 / nAt95);
			if (shares.length === 0) return undefined;
			const [least, most] = [Math.min(...shares), Math.max(...shares)];
			return {
				is: `${(100 * least).toFixed(1)} to ${(100 * most).toFixed(1)} %`,
				holds: least >= 0.9 && most <= 0.99,
			};
		},
	},
	{
		asked: "sure but wrong at most 0.5 %, of `guaranteed` none",
		of: ({ sureButWrong, answered }, [{ method }]) =>
			share(sureButWrong.length, answered, [0, method === "guaranteed" ? 0 : 0.005]),
	},
	{
		asked: "grave doubt in at most 1 %",
		of: ({ graveDoubt, answered }) => share(graveDoubt, answered, [0, 0.01]),
	},
	{ asked: "any doubt in at most 5 %", of: ({ anyDoubt, answered }) => share(anyDoubt, answered, [0, 0.05]) },
];

export function goalsTable(entries: readonly Entry[]): string {
	const sound = grouped(
		entries.filter(({ fault }) => fault === undefined),
		({ method }) => method,
	);
	const faulty = grouped(
		entries.filter(({ fault, answered }) => fault !== undefined && answered),
		({ method }) => method,
	);
	const rows = [
		...[...sound].flatMap(([method, own]) =>
			goals.flatMap(({ asked, of }) => {
				const found = of(countsOf(own), own);
				return found ? [[method, `sound: ${asked}`, found.is, found.holds ? "yes" : "**no**"]] : [];
			}),
		),
		...[...faulty].flatMap(([method, own]) =>
			faults.flatMap(({ name, seenAt }) => {
				const at = own.filter(({ fault, dose }) => fault === name && dose === seenAt);
				const silent = silentAndShown(at);
				if (at.length < 20 || silent === undefined) return [];
				const found = share(silent.length, at.length, [0, 0.05])!;
				return [
					[
						method,
						`${name}: silent and wrong, though left in the residuals, at most 5 %`,
						`${found.is} of ${at.length}`,
						found.holds ? "yes" : "**no**",
					],
				];
			}),
		),
	];
	return table(["method", "asked", "is", "holds"], rows);
}
