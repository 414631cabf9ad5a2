/** Problems whose form is open, or whose record is a cycle, by number: a million for each method that is asked them. */

import { exp } from "../../num/elementary/number.ts";
import { Draws } from "../../num/statistics/draws.ts";
import { rounded } from "../design.ts";
import { deviation } from "../disturbed.ts";
import type { ProvedProblem } from "../problem.ts";
import { TrueSystem } from "../truth-model.ts";
import { cycles } from "./cycles.ts";
import type { Ground, OpenFamily } from "./family.ts";
import { functions } from "./functions.ts";
import { terms } from "./terms.ts";

export const million = 1_000_000;
/** In the order of their millions: the first is that of known equations. */
const grounds: readonly (Ground | undefined)[] = [undefined, terms, functions, cycles];

export function openProblemOf(number: number): ProvedProblem | undefined {
	const ground = grounds[Math.floor(number / million)];
	if (!ground) return undefined;
	const d = new Draws(number, "open problem");
	const family = ground.families[number % ground.families.length];
	const params = Object.fromEntries(
		Object.entries(family.params).map(([name, [centre, spread]]) => [
			name,
			rounded(centre * exp(spread * Math.max(-2.5, Math.min(2.5, d.normal())))),
		]),
	);
	const nLearned = ground.samples(d);
	const level = d.pick(ground.levels);
	const isOpen = d.chance(ground.openNoise);
	const records = Array.from({ length: d.pick(ground.records) }, (_, r) => ({
		name: `record-${r + 1}.csv`,
		...clean(d, ground, family, params, nLearned),
	}));
	if (records.some(({ outputs }) => outputs === undefined)) return undefined;
	const names = Object.keys(family.outputs);
	const sd = names.map((_, o) => rounded(level * deviation(records.map(({ outputs }) => outputs![o]))));
	if (!sd.every((each) => each > 0)) return undefined;
	const files = records.map(({ name, times, outputs }) => {
		const rows = Array.from(times, (t, i) =>
			[t, ...names.map((_, o) => Number((outputs![o][i] + sd[o] * d.normal()).toPrecision(9)))].join(),
		);
		return [name, `${["t", ...names].join()}\n${rows.join("\n")}\n`] as const;
	});
	const spreads = names.map((name) => `s_${name}`);
	const model = [
		...(isOpen ? [`param ${spreads.join(", ")}`] : []),
		...family.given,
		...names.map(
			(name, o) => `measure ${name} ~ normal(${family.outputs[name]}, ${isOpen ? spreads[o] : sd[o]})`,
		),
	];
	return {
		number,
		asked: ground.method,
		family: family.name,
		field: family.field,
		sampling: "dense",
		noise: isOpen ? "open" : "normal",
		level,
		nRecords: records.length,
		files: { "model.ode": `${model.join("\n")}\n`, ...Object.fromEntries(files) },
		studyText: (method) =>
			`model: model.ode\ndata:\n${records.map(({ name }) => `  - { file: ${name}, time: t }\n`).join("")}${
				ground.ahead > 0 ? `train: 0..${nLearned}\ntest: ${nLearned}..\n` : ""
			}method: ${method}\nseed: ${number}\n`,
		truth: family.truth(params),
		system: { equations: family.equations, params },
		clean: records.flatMap(({ name, outputs }) =>
			names.map((output, o) => ({ record: name, output, y: outputs![o] })),
		),
		sd: Object.fromEntries(names.map((name, o) => [name, sd[o]])),
	};
}

/** One record without noise: evenly sampled, its clock set to 0 when it begins. */
function clean(
	d: Draws,
	{ before, ahead }: Ground,
	family: OpenFamily,
	params: Readonly<Record<string, number>>,
	nLearned: number,
): { times: Float64Array; outputs: Float64Array[] | undefined } {
	const start = Object.fromEntries(
		Object.entries(family.states).map(([name, [lo, hi]]) => [name, rounded(d.between(lo, hi))]),
	);
	const step = Number(((family.duration * d.between(0.85, 1.15)) / (nLearned - 1)).toPrecision(4));
	const times = Float64Array.from({ length: nLearned + ahead }, (_, i) => rounded(i * step));
	const system = new TrueSystem(family, Object.keys(family.outputs));
	const wait = wholeDrives(before * family.duration);
	const outputs = system.simulate(params, 0, {
		times: wait > 0 ? Float64Array.from([0, ...times.map((t) => wait + t)]) : times,
		start,
	});
	return { times, outputs: wait > 0 ? outputs?.map((values) => values.slice(1)) : outputs };
}

/** A time that holds whole periods of what drives: of 1.3 a unit of time, and so of its multiples. */
function wholeDrives(time: number): number {
	const period = (2 * Math.PI) / 1.3;
	return Math.ceil(time / period) * period;
}
