/** Random expressions of the language: every function, with bare and composed arguments, every operator. */
import { arityOf, functionNames } from "../../src/model/language/vocabulary.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";

/** Arguments for which a function is defined and moderate. */
const tamed: Record<string, (x: string) => string> = {
	log: (x) => `log(1.5 + (${x})^2)`,
	sqrt: (x) => `sqrt(0.5 + abs(${x}))`,
	asin: (x) => `asin(0.9*tanh(${x}))`,
	acos: (x) => `acos(0.9*sin(${x}))`,
	exp: (x) => `exp(-(${x})^2)`,
	sinh: (x) => `sinh(sin(${x}))`,
	cosh: (x) => `cosh(tanh(${x}))`,
	tan: (x) => `tan(sin(${x}))`,
};

export interface Manner {
	/** Names that may stand in it, often alone. */
	readonly leaves: readonly string[];
	/** Share of functions whose argument is not kept where they are defined. */
	readonly wild: number;
}

export function expression(d: Draws, manner: Manner, depth: number): string {
	const leaf = (): string => (d.chance(0.85) && manner.leaves.length > 0 ? d.pick(manner.leaves) : number(d));
	if (depth <= 0) return leaf();
	// Functions of one bare name are what people write most.
	const part = (): string => (d.chance(0.4) ? leaf() : expression(d, manner, depth - 1));
	const ways: (() => string)[] = [
		() => `(${part()} + ${part()})`,
		() => `(${part()} - ${part()}${d.chance(0.3) ? ` + ${part()}` : ""})`,
		() => `${part()}*${part()}`,
		() => `-(${part()})`,
		() => quotient(d, manner, part),
		() => power(d, manner, part),
	];
	return d.chance(0.5) ? d.either(...ways) : called(d, manner, part);
}

function called(d: Draws, { wild }: Manner, part: () => string): string {
	const name = d.pick(functionNames);
	const { least, more } = arityOf(name)!;
	if (name === "if") return `if(${condition(d, part)}, ${part()}, ${part()})`;
	if (name === "piecewise") {
		const pieces = Array.from({ length: d.whole(1, 2) }, () => `${part()}, ${condition(d, part)}, `);
		return `piecewise(${pieces.join("")}${part()})`;
	}
	if (least === 1) return tamed[name] && !d.chance(wild) ? tamed[name](part()) : `${name}(${part()})`;
	const count = more && d.chance(0.2) ? 3 : least;
	return `${name}(${Array.from({ length: count }, part).join(", ")})`;
}

/** What is true or false: a comparison, mostly. */
export function condition(d: Draws, part: () => string): string {
	const compared = (): string => `${part()} ${d.pick(["<", "<=", ">", ">=", "==", "!="])} ${part()}`;
	if (d.chance(0.7)) return compared();
	return d.either(
		() => `${compared()} and ${compared()}`,
		() => `(${compared()} or ${compared()})`,
		() => `not (${compared()})`,
		() => `${compared()} ${d.pick(["and true", "or false"])}`,
	);
}

function quotient(d: Draws, { wild }: Manner, part: () => string): string {
	return d.chance(wild) ? `(${part()})/(${part()})` : `(${part()})/(1.2 + (${part()})^2)`;
}

function power(d: Draws, { wild }: Manner, part: () => string): string {
	const whole = (): string => `(${part()})^${d.whole(0, 4)}`;
	const safe = (exponent: string): string => `(0.3 + abs(${part()}))^${exponent}`;
	return d.either(
		whole,
		whole,
		() => (d.chance(wild) ? `(${part()})^(${d.pick(["-1", "-2", "0.5", "1/3", "-3/2"])})` : whole()),
		() => safe(d.pick(["1.5", "(-0.5)", "(1/3)", "2.2"])),
		() => safe(`(${part()})`),
		() => `${d.decimal(0.2, 3)}^(${part()})`,
	);
}

function number(d: Draws): string {
	return d.either(
		() => d.decimal(0.05, 3),
		() => d.pick(["1", "2", "0.5", "pi", "1e-3", "2.5e1", ".5", "3.", "1/3"]),
	);
}
