/** Unknown functions in every basis of the language: alone, added, and times known factors. */
import { bases } from "../../src/model/language/vocabulary.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";
import { expression } from "./expressions.ts";

/** How each basis is written; one that is new has its example. */
const written: Record<string, (d: Draws, args: readonly string[]) => string> = {
	spline: (d) => `spline(${["-1", "-0.3", "0", "0.6", "1"].slice(0, d.whole(2, 5)).join(", ")})`,
	polynomial: (d) => `polynomial(${d.whole(1, 3)})`,
	fourier: (d) => `fourier(${d.whole(1, 2)}${d.chance(0.5) ? `, period: ${d.whole(2, 7)}` : ""})`,
	rational: (d) => `rational(${d.whole(0, 2)}, ${d.whole(1, 2)})`,
	library: (d, args) => {
		const terms = Array.from({ length: d.whole(1, 4) }, () =>
			expression(d, { leaves: args, wild: 0.05 }, d.whole(0, 2)),
		);
		return `library(${[...new Set(["1", ...terms])].join(", ")})`;
	},
};

export function unknownFunction(d: Draws, args: readonly string[], known: readonly string[]): string {
	const one = (): string => {
		const name = d.pick([...bases.keys()].filter((each) => args.length === 1 || each !== "spline"));
		return written[name]?.(d, args) ?? bases.get(name)!.example;
	};
	const factor = (): string => d.pick([`exp(-${args[0]})`, `sin(${args[0]})`, ...known, "0.5"]);
	if (d.chance(0.7)) return one();
	return d.either(
		() => `${one()} + ${factor()}`,
		() => `${factor()}*${one()}`,
		() => `polynomial(1) + ${factor()}*fourier(1)`,
		() => `polynomial(1)*${factor()} + ${one()}`,
	);
}
