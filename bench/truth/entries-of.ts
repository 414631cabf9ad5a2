/** One problem, asked of every method that applies, with its defaults. */
import { inline } from "../../src/compute/inline.ts";
import { readTable } from "../../src/data/read/read-table.ts";
import { InputError } from "../../src/errors.ts";
import type { Result } from "../../src/estimate/result.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { withDefaults } from "../../src/methods/options.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { type ProvedProblem, problemOf } from "../../src/prove/problem.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records/records.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import type { Entry } from "./entry.ts";
import { judged } from "./judged.ts";
import { leftBy } from "./left.ts";

/** Says each entry when it is there, and before it what is begun. */
export async function entriesOf(
	number: number,
	asked: readonly string[],
	begin: (entry: Entry) => void,
	say: (entry: Entry) => void,
	options: Readonly<Record<string, unknown>> = {},
): Promise<void> {
	const proved = problemOf(number);
	if (!proved) return;
	const model = parseModel(proved.files["model.ode"], "model.ode");
	// It is asked what is wrong, where something is: sound problems are those of its members.
	const all = { method: "all", applies: proved.fault !== undefined };
	for (const { method, applies } of [...applicability(model), all]) {
		if (!applies || !asked.includes(method) || (proved.asked ?? method) !== method) continue;
		const base = baseOf(proved, method);
		begin({ ...base, outcome: "no end" });
		const start = performance.now();
		let entry: Entry;
		try {
			const { result, state } = await answerOf(proved, method, options);
			const left = leftBy(result.predictions, proved);
			entry = {
				...base,
				...judged(result, state, proved),
				...(left === undefined ? {} : { left: Number(left.toPrecision(3)) }),
			};
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			entry = { ...base, outcome: error instanceof InputError ? "refused" : "bug", why: why.slice(0, 200) };
		}
		say({ ...entry, seconds: Number(((performance.now() - start) / 1000).toFixed(3)) });
	}
}

export function baseOf(proved: ProvedProblem, method: string): Entry {
	const { number, family, field, sampling, noise, level, fault } = proved;
	return {
		number,
		method,
		family,
		field,
		sampling,
		noise,
		level,
		...(fault ? { fault: fault.name, dose: fault.dose, strength: fault.strength } : {}),
		outcome: "",
		answered: false,
		grave: [],
		mild: [],
		share: 0,
		unknowns: [],
		seconds: 0,
	};
}

/** The answer, and the state of the method behind it. */
export async function answerOf(
	proved: ProvedProblem,
	name: string,
	/** In place of those of the study. */
	options: Readonly<Record<string, unknown>> = {},
): Promise<{ result: Result; state: unknown }> {
	const study = parseStudy(proved.studyText(name), "study.yaml", methods);
	const model = parseModel(proved.files["model.ode"], "model.ode");
	const tables = await tablesOf(study, (file) =>
		readTable(new TextEncoder().encode(proved.files[file]), file),
	);
	const problem = problemFromStudy(study, model, tables, inline);
	const method = methods.get(name)!;
	const state = await method.prepare(
		problem,
		withDefaults(method.options, { ...study.options[name], ...options }),
	);
	while (!(await method.advance(state)).done);
	return { result: await method.result(state), state };
}
