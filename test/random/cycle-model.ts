/** Oscillators of the class that `periodic` knows: one state is measured, others follow it with rates of their own. */
import type { Draws } from "../../src/num/draws.ts";
import { expression } from "./expressions.ts";
import { paramKnowledge } from "./knowledge.ts";
import type { Declared } from "./models.ts";

export function cycleModel(d: Draws): string {
	const declared: Declared = { lines: [], known: [], params: [], conditions: [], inputs: [], unknowns: [] };
	const { lines } = declared;
	const param = (name: string): string => {
		lines.push(`param ${name} ${paramKnowledge(d, "cycle", declared)}`.trimEnd());
		return name;
	};
	const regressor = (leaves: readonly string[]): string =>
		d.either(
			() => d.pick(["x", "x^2", "x^3", "1", "abs(x)", "tanh(x)", "sin(x)", "x/(1 + x^2)"]),
			() => expression(d, { leaves, wild: 0.1 }, d.whole(1, 2)),
		);
	const fast = ["a", "b"].slice(0, d.whole(1, 2)).map((name) => `${param(name)}*(${regressor(["x"])})`);
	const hidden = ["z", "w"].slice(0, d.whole(1, 2));
	const equations = hidden.map((name, i) => {
		const rate = d.either(
			() => d.decimal(0.3, 2),
			() => param(`l${i}`),
			() => `exp(${param(`l${i}`)})`,
		);
		const gain = d.chance(0.6)
			? `${param(`c${i}`)}*(${regressor(["x"])})`
			: regressor(["x", d.decimal(0.1, 2)]);
		return `${name}' = ${gain} - ${rate}*${name}`;
	});
	return [
		...lines,
		`state x, ${hidden.join(", ")}`,
		`x' = ${fast.join(" - ")} - ${hidden.join(" + ")}`,
		...equations,
		`measure y1 ${d.chance(0.5) ? "= x" : `~ normal(x, ${d.decimal(0.01, 0.1)})`}`,
	].join("\n");
}
