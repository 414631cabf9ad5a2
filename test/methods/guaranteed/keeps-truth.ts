/** Random models, each with settings of its own, held against their truth: a few in the tests, many in  npm run bench -- guaranteed-truth. */
import { outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import type { GuaranteedOptions, GuaranteedRun } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import { type RandomModel, randomModel } from "./random-models.ts";
import { enclose, record, simulateTruth } from "./records.ts";

/** Throws where the truth is lost, or an inner box holds an inconsistent value. */
export async function keepsTruth(
	model: RandomModel,
	options: Partial<GuaranteedOptions>,
	problem: string,
): Promise<GuaranteedRun | undefined> {
	const { truth, values, x0, times, inputs, delta, draw, unknowns } = model;
	const { x, outputs } = simulateTruth({ text: truth, values, x0, times, inputs });
	if (!x.every((value) => Math.abs(value) < 1e3)) return undefined;
	// Where a course slides along a jump the simulation ends early: its truth is not known.
	if (x.length < times.length * x0.length) return undefined;
	// Errors are often at their bounds; 1e-7 of them is left for the simulation itself.
	for (const y of outputs.values())
		for (let i = 0; i < y.length; i++)
			y[i] += Math.min(Math.max(draw(-1.5, 1.5), -1), 1) * delta * (1 - 1e-7);
	const run = await enclose(model.text, [record(times, outputs, { inputs })], options);
	const lost = (what: string): Error =>
		new Error(`${what}: ${problem} ${JSON.stringify(options)}\n${model.text}`);
	const box = run.enclosure;
	if (!box) throw lost("The truth was refuted");
	const holds = (where: Float64Array): boolean =>
		run.unknowns.every(({ name }, k) => where[2 * k] <= unknowns[name] && unknowns[name] <= where[2 * k + 1]);
	if (!holds(box)) throw lost("The truth was lost");
	for (const { instants, tubes } of run.parts.filter((part) => holds(part.box))) {
		for (const { t, states } of instants)
			x0.forEach((_, i) => {
				const value = x[times.indexOf(t) * x0.length + i];
				const slack = 1e-8 * (1 + Math.abs(value));
				if (!(states[2 * i] <= value + slack && value - slack <= states[2 * i + 1]))
					throw lost(`State ${i} = ${value} is not in [${states[2 * i]}, ${states[2 * i + 1]}] at ${t}`);
			});
		for (const { from, to, states } of tubes) {
			const row = times.findIndex((t) => from <= t && t <= to);
			if (row < 0) continue;
			x0.forEach((_, i) => {
				const value = x[row * x0.length + i];
				const slack = 1e-8 * (1 + Math.abs(value));
				if (!(states[2 * i] <= value + slack && value - slack <= states[2 * i + 1]))
					throw lost(`State ${i} = ${value} is not in its tube from ${from} to ${to}`);
			});
		}
	}
	for (const { unknowns: known } of run.history)
		if (!holds(Float64Array.from(known))) throw lost("The history lost the truth");
	const inner = run.paving?.inner ?? [];
	if (inner.length > 0) {
		const some = inner[Math.floor(draw(0, inner.length))];
		const own = { ...values };
		const start = x0.slice();
		let text = truth;
		run.unknowns.forEach(({ name, component }, k) => {
			const value = some[2 * k] + draw() * (some[2 * k + 1] - some[2 * k]);
			if (component < 0) own[name] = value;
			else if (component < x0.length) start[component] = value;
			else text = model.drifted(value);
		});
		for (const [name, y] of simulateTruth({ text, values: own, x0: start, times, inputs }).outputs)
			for (let i = 0; i < y.length; i++)
				if (!(Math.abs(y[i] - outputs.get(name)![i]) <= delta * (1 + 1e-5) + 1e-8))
					throw lost(`An inner box holds an inconsistent value, ${JSON.stringify(own)}`);
	}
	return run;
}

function pick<T>(draw: RandomModel["draw"], list: readonly T[]): T {
	return list[Math.floor(draw(0, list.length))];
}

/** With Taylor models; whether it was proved. Throws where the truth is lost. */
export async function provedByTaylorModels(seed: number): Promise<boolean> {
	const model = randomModel(seed);
	const { draw } = model;
	const timeOrder = 2 + Math.floor(draw(0, 10));
	const run = await keepsTruth(
		model,
		{
			order: Math.floor(draw(0, 6)),
			timeOrder,
			tolerance: 10 ** -Math.min(9, timeOrder * draw(0.4, 1)),
			rounds: 1 + Math.floor(draw(0, 3)),
			models: 1 + Math.floor(draw(0, 4)),
			parts: 1 + Math.floor(draw(0, 2)),
			boxes: 60,
			correction: pick(draw, ["sivia", "once", "krawczyk", "box"]),
		},
		`seed ${seed}`,
	);
	return run !== undefined && outcomeOf(run) === "proved";
}

/** With brackets, likewise. */
export async function provedByBrackets(seed: number): Promise<boolean> {
	const model = randomModel(seed);
	const run = await keepsTruth(
		model,
		{
			prediction: "mueller",
			correction: pick(model.draw, ["sivia", "box"]),
			precision: 0.3,
			boxes: 4,
			timeOrder: 8,
			tolerance: 1e-6,
		},
		`seed ${seed}`,
	);
	return run !== undefined && outcomeOf(run) === "proved";
}
