/** A small study for each method, and its whole answer as text: what must not depend on where it was computed. */
import { join } from "node:path";
import { vi } from "vitest";
import { questionOf } from "../../src/cli/question.ts";
import type { Compute } from "../../src/compute/compute.ts";
import { inline } from "../../src/compute/inline.ts";
import type { Result } from "../../src/estimate/result.ts";
import { withDefaults } from "../../src/methods/options.ts";
import { methods } from "../../src/methods/registry.ts";
import { Session } from "../../src/methods/session.ts";
import { stream } from "../../src/num/random.ts";
import { loadStudy } from "../../src/study/node/load-study.ts";
import { runStudy } from "../../src/study/run.ts";
import { Workplace } from "../cli/odentify.ts";
import { decayFiles, decayStudy } from "../cli/tiny-study.ts";

function csv(
	columns: string,
	nSamples: number,
	row: (t: number, i: number) => readonly number[],
	every: number,
): string {
	const rows = Array.from({ length: nSamples }, (_, i) => [i * every, ...row(i * every, i)].join());
	return `${columns}\n${rows.join("\n")}\n`;
}
const noise = stream(3, "small studies");
const data = (file: string): string => `data: { file: ${file}, time: t }\n`;

/** Files by the method that they are for. */
export const studies: Record<string, Record<string, string>> = {
	fit: { ...decayFiles, "study.yaml": `${decayStudy}fit: { starts: 3, candidates: 12 }\n` },
	bayes: { ...decayFiles, "study.yaml": `${decayStudy}method: bayes\nbayes: { particles: 120 }\n` },
	kriging: {
		"field.ode": `unknown f(x) ~ kriging(trend: 2)
state x
x' = f(x)
measure y ~ normal(x, 0.01)
`,
		"record.csv": decayFiles["decay.csv"],
		"study.yaml": `model: field.ode\n${data("record.csv")}method: kriging\ntrain: 0..30\ntest: 30..60\n`,
	},
	periodic: {
		"cycle.ode": `param a, b, c
state x, z
x' = a*x - b*x^3 - z
z' = (c*x - z)/2
measure y = x
`,
		"record.csv": csv("t,y", 160, (t) => [Math.sin(2 * t) + 0.1 * Math.sin(6 * t)], 0.05),
		"study.yaml": `model: cycle.ode\n${data("record.csv")}method: periodic\nset: { a: 1, b: 1, c: 4 }\n`,
	},
	inversion: {
		"terms.ode": `condition c
param p(1, c)
state x = 1
x' = -p*x
measure y ~ normal(x, 0.01)
`,
		...Object.fromEntries(
			[0, 1, 2].map((c) => [
				`record-${c}.csv`,
				csv("t,y", 25, (t, i) => [Math.exp(-(0.5 + 0.3 * c) * t) + 0.01 * noise.normal(100 * c + i)], 0.1),
			]),
		),
		"study.yaml": `model: terms.ode
data:
${[0, 1, 2].map((c) => `  - { file: record-${c}.csv, time: t, conditions: { c: ${c} } }\n`).join("")}method: inversion
`,
	},
	all: {
		...decayFiles,
		"study.yaml": `${decayStudy}method: all\nfit: { starts: 2, candidates: 8 }\nbayes: { particles: 60 }\n`,
	},
	guaranteed: {
		"decay.ode": `param k in [0.1, 2]
state x in [0.9, 1.1]
x' = -k*x
measure y in x +- 0.02
`,
		"record.csv": csv("t,y", 6, (t) => [Math.exp(-0.7 * t)], 0.3),
		"study.yaml": `model: decay.ode\n${data("record.csv")}method: guaranteed\n`,
	},
};

/** The question of a method's study, its launches counted. */
async function asked(compute: Compute, method: string) {
	const count = { launches: 0 };
	const counted: Compute = {
		name: compute.name,
		run(kernel, launch) {
			count.launches++;
			return compute.run(kernel, launch);
		},
		...(compute.allocate ? { allocate: (lengths: readonly number[]) => compute.allocate!(lengths) } : {}),
	};
	const place = new Workplace(studies[method]);
	try {
		const question = await questionOf(loadStudy(join(place.path, "study.yaml"), methods), counted);
		return { ...question, count, folder: place.path };
	} finally {
		place.clean();
	}
}

/** A result as text, without what a clock says and where the files were. */
function textOf(result: unknown, folder: string): string {
	return JSON.stringify(result, (key, value) => {
		if (/timing|seconds/i.test(key)) return undefined;
		if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
		return ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value;
	}).replaceAll(folder, "");
}

export async function resultOn(compute: Compute, method: string): Promise<Result> {
	const end = await runStudy(await asked(compute, method));
	if (end.kind !== "done") throw new Error("stopped");
	return end.result;
}

/** The whole result, and the launches it took. */
export async function answerOn(
	compute: Compute,
	method: string,
): Promise<{ text: string; launches: number }> {
	const { count, folder, ...question } = await asked(compute, method);
	const end = await runStudy(question);
	if (end.kind !== "done") throw new Error("stopped");
	return { text: textOf(end.result, folder), launches: count.launches };
}

/**
 * The same in two halves: `cut` steps on one place, then from what was saved on another, as another process would. Also tells
 * whether it had come to its end before.
 */
export async function answerInHalves(
	first: Compute,
	second: Compute,
	method: string,
	cut: number,
): Promise<{ text: string; ended: boolean }> {
	const one = await asked(first, method);
	const session = await Session.begin(one);
	let ended = false;
	for (let i = 0; i < cut && !ended; i++) ended = (await session.advance()).done;
	const two = await asked(second, method);
	const from = ended ? undefined : Uint8Array.from(session.save());
	// The model then stands in the run's own study.
	const model = { ...two.problem.model, fileName: "run/study.yaml" };
	const end = await runStudy({ ...two, problem: { ...two.problem, model }, from });
	if (end.kind !== "done") throw new Error("stopped");
	return { text: textOf(end.result, two.folder), ended };
}

/**
 * The answer of a run that is asked to stop at its breath number `at`, wherever that finds it, and then gone on with from what
 * was kept; with the breaths and steps that it took until then, and the breaths before it was ready. Every breath that can be taken is taken, whatever the clock says.
 */
export async function answerBrokenOff(
	method: string,
	at: number,
): Promise<{ text: string; ready: number; breaths: number; steps: number; kept: boolean }> {
	const one = await asked(inline, method);
	const clock = vi.spyOn(performance, "now");
	let now = 0;
	clock.mockImplementation(() => {
		now += 1000;
		return now;
	});
	let from: Uint8Array | undefined;
	let [ready, breaths, steps] = [0, 0, 0];
	try {
		const end = await runStudy(one, {
			onReady: () => {
				ready = breaths;
			},
			breathe: async () => void breaths++,
			isStopped: () => breaths >= at,
			onProgress: () => steps++,
			onCheckpoint: (bytes) => {
				from = Uint8Array.from(bytes);
			},
		});
		if (end.kind === "done")
			return { text: textOf(end.result, one.folder), ready, breaths, steps, kept: false };
	} finally {
		clock.mockRestore();
	}
	const two = await asked(inline, method);
	const end = await runStudy({ ...two, from });
	if (end.kind !== "done") throw new Error("stopped");
	return { text: textOf(end.result, two.folder), ready, breaths, steps, kept: from !== undefined };
}

/** The states that a method saves on its way, and the form that it says they have. */
export async function savedStates(method: string): Promise<{ form: number; states: Uint8Array[] }> {
	const { method: own, problem, options } = await asked(inline, method);
	const state = await own.prepare(problem, withDefaults(own.options, options));
	const states: Uint8Array[] = [];
	for (;;) {
		states.push(Uint8Array.from(own.save(state)));
		if ((await own.advance(state)).done) break;
	}
	return { form: own.stateForm ?? 1, states: [...states, Uint8Array.from(own.save(state))] };
}

/** A run of a method's study from these bytes. */
export async function goneOnFrom(method: string, from: Uint8Array): Promise<void> {
	await runStudy({ ...(await asked(inline, method)), from });
}
