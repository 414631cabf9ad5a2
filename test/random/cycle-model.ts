/** Oscillators of the class that `periodic` knows: one state is measured, others follow it with rates of their own. */
import type { Draws } from "../../src/num/statistics/draws.ts";
import { expression } from "./expressions.ts";
import { paramKnowledge } from "./knowledge.ts";
import { nothingDeclared } from "./models.ts";

/** Name of the frequency that a record repeats itself with. */
export const driveFrequency = "omega";

export function cycleModel(d: Draws): string {
	const declared = nothingDeclared();
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
	const drive = d.chance(0.3) ? driveOf(d, lines) : "";
	return [
		...lines,
		`state x, ${hidden.join(", ")}`,
		`x' = ${fast.join(" - ")} - ${hidden.join(" + ")}${drive}`,
		...equations,
		`measure y1 ${d.chance(0.5) ? "= x" : `~ normal(x, ${d.decimal(0.01, 0.1)})`}`,
	].join("\n");
}

/** What repeats itself: a column of the record, or a sine of the time with a known frequency. */
function driveOf(d: Draws, lines: string[]): string {
	const size = `${d.pick(["+", "-"])} ${d.decimal(0.2, 1)}`;
	if (d.chance(0.4)) {
		lines.push("input u");
		return ` ${size}*u`;
	}
	lines.push(`param ${driveFrequency} = ${d.decimal(0.5, 6)}`);
	const wave = `${d.pick(["sin", "cos"])}(${driveFrequency}*t${d.pick(["", " + 0.3"])})`;
	if (d.chance(0.5)) return ` ${size}*${wave}`;
	lines.push(`input v = ${wave}`);
	return ` ${size}*v`;
}
