/** Measurements: exact, within bounds, and with errors of every law of the language. */
import { errorDistributions } from "../../src/model/language/vocabulary.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";
import type { Declared, Flavour } from "./models.ts";

type Ways = Record<"exact" | "set" | "normal" | "other", () => string>;

const chosen: Record<Flavour, readonly (keyof Ways)[]> = {
	free: ["normal", "normal", "exact", "set", "other"],
	distributions: ["normal", "normal", "other"],
	sets: ["set"],
	combination: ["normal", "normal", "exact"],
	cycle: ["exact", "normal"],
	process: ["normal", "normal", "exact"],
	mixed: ["normal", "exact", "set", "other"],
};

/** The declaration, and those of parameters that stand in it. */
export function measureOf(
	d: Draws,
	flavour: Flavour,
	name: string,
	value: string,
	{ params, known }: Declared,
): string[] {
	const before: string[] = [];
	const own = (letter: string): string => {
		const s = `${letter}_${name}`;
		before.push(
			`param ${s} ${flavour === "distributions" ? "~ lognormal(-2, 0.5)" : d.pick(["", "in [0.01, 1]", "= 0.1"])}`.trimEnd(),
		);
		return s;
	};
	const spread = (): string =>
		d.either(
			() => d.decimal(0.01, 0.3),
			() => d.decimal(0.01, 0.3),
			() => own("s"),
			() => `0.05 + 0.02*abs(${value})`,
			() => `0.02*exp(${d.pick([...params, ...known, "0.1"])})`,
		);
	const ways: Ways = {
		exact: () => `= ${value}`,
		set: () => `in ${value} +- ${d.chance(0.8) ? d.decimal(0.05, 0.5) : "(0.1 + 0.05*abs(sin(t)))"}`,
		normal: () => `~ normal(${value}, ${spread()}${rest(d, "normal", own)})`,
		other: () => {
			const family = d.pick([...errorDistributions.keys()]);
			const args = errorDistributions.get(family)!.args.filter(({ optional }) => !optional);
			const given = args.map(({ name: argument }) => {
				if (argument === "value") return family.startsWith("log") ? logarithmOf(d, value) : value;
				if (argument === "mean") return d.chance(0.7) ? `2 + 3*abs(${value})` : value;
				if (argument === "spread") return spread();
				return argument === "size"
					? d.either(
							() => d.decimal(0.5, 20),
							() => own("n"),
						)
					: d.pick(["3", "4", "2.5"]);
			});
			return `~ ${family}(${given.join(", ")}${rest(d, family, own)})`;
		},
	};
	const line = `measure ${name} ${ways[d.pick(chosen[flavour])]()}`;
	return [...before, line];
}

const logarithmOf = (d: Draws, value: string): string => (d.chance(0.5) ? `log(0.5 + (${value})^2)` : value);

/** What is said of an error by name, now and then: never two at once. */
function rest(d: Draws, family: string, own: (letter: string) => string): string {
	const optional = errorDistributions.get(family)!.args.filter((rule) => rule.optional);
	if (optional.length === 0 || d.chance(0.75)) return "";
	const { name, lasting } = d.pick(optional);
	const value = lasting && d.chance(0.5) ? own("tau") : d.decimal(0.01, 0.5);
	return `, ${name}: ${value}`;
}
