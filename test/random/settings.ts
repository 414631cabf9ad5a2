/** Random options of a method: each choice of its table now and then, and sizes that keep a run short. */
import { methods } from "../../src/methods/registry.ts";
import { Draws } from "../../src/num/statistics/draws.ts";

/** Sizes that decide how long a run takes. */
const small: Record<string, (d: Draws) => Record<string, number>> = {
	fit: (d) => ({
		starts: d.whole(1, 2),
		candidates: d.whole(1, 6),
		maxEvaluations: d.whole(5, 30),
		effort: 4,
	}),
	bayes: (d) => ({ particles: d.whole(20, 48), maxStages: d.whole(3, 12), predictive: 10 }),
	kriging: (d) => ({ samples: d.whole(10, 12), points: d.whole(20, 40) }),
	periodic: (d) => ({ starts: d.whole(1, 3), maxEvaluations: d.whole(5, 30) }),
	inversion: (d) => ({ starts: d.whole(0, 1), stability: d.whole(0, 4), maxIterations: d.whole(2, 12) }),
	guaranteed: (d) => ({
		order: d.whole(0, 3),
		timeOrder: d.whole(5, 12),
		models: d.whole(1, 3),
		rounds: 1,
		boxes: d.whole(0, 60),
		tolerance: 1e-4,
		effort: 2,
	}),
	all: (d) => ({ effort: d.whole(0, 3) }),
};

/** As little as a method takes. */
const least: Record<string, Record<string, number>> = {
	fit: { starts: 1, candidates: 1, substeps: 1 },
	bayes: { particles: 20, runs: 1, substeps: 1, predictive: 10 },
	kriging: { samples: 10, points: 20 },
	periodic: { starts: 1, intervals: 20, nodes: 2, harmonics: 3 },
	inversion: { starts: 0, stability: 0, maxIterations: 1, substeps: 1 },
	guaranteed: { order: 0, timeOrder: 6, models: 1, rounds: 1, boxes: 2, tolerance: 0.01 },
	all: { effort: 0.1 },
};

/** The options of a method; of all methods, where they are all asked. */
export function optionsText(seed: number, method: string, isShort: boolean): string {
	if (method === "all")
		return Object.keys(small)
			.map((each) => ownOptions(seed, each, isShort))
			.join("");
	return ownOptions(seed, method, isShort);
}

function ownOptions(seed: number, method: string, isShort: boolean): string {
	const d = new Draws(seed, `options ${method}`);
	const values: Record<string, unknown> = isShort ? { ...least[method] } : small[method](d);
	for (const [name, spec] of Object.entries(methods.get(method)!.options)) {
		if (name in values || !d.chance(0.25)) continue;
		if (spec.type === "choice") values[name] = d.pick(spec.choices);
		else if (spec.type === "boolean") values[name] = d.chance(0.5);
	}
	if (method === "bayes" && d.chance(0.4)) values.q = d.whole(1, isShort ? 3 : 6);
	if (method === "bayes" && !isShort && d.chance(0.2)) values.runs = d.whole(1, 3);
	if (!isShort && ["fit", "bayes", "inversion"].includes(method) && d.chance(0.7))
		values.substeps = d.whole(1, 3);
	if (method === "kriging" && d.chance(0.3)) values.mean = d.whole(0, 2);
	const text = Object.entries(values).map(([name, value]) => `${name}: ${value}`);
	return `${method}: { ${text.join(", ")} }\n`;
}
