/** One problem, asked of every method that applies, with its defaults. */
import { inline } from "../../src/compute/inline.ts";
import { readTable } from "../../src/data/read-table.ts";
import { InputError } from "../../src/errors.ts";
import type { Result } from "../../src/estimate/result.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { methods } from "../../src/methods/registry.ts";
import { Session } from "../../src/methods/session.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { type ProvedProblem, problemOf } from "../../src/prove/problem.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records.ts";
import { parseStudy } from "../../src/study/study-file.ts";
import type { Entry } from "./entry.ts";
import { leftBy } from "./left.ts";

/** Says each entry when it is there, and before it what is begun. */
export async function entriesOf(
	number: number,
	asked: readonly string[],
	begin: (entry: Entry) => void,
	say: (entry: Entry) => void,
): Promise<void> {
	const proved = problemOf(number);
	if (!proved) return;
	const model = parseModel(proved.files["model.ode"], "model.ode");
	for (const { method, applies } of applicability(model)) {
		if (!applies || !asked.includes(method)) continue;
		const base = baseOf(proved, method);
		begin({ ...base, outcome: "no end" });
		const start = performance.now();
		let entry: Entry;
		try {
			const result = await answerOf(proved, method);
			const left = leftBy(result.predictions, proved);
			entry = {
				...base,
				...judged(result, proved.truth),
				...(left === undefined ? {} : { left: Number(left.toPrecision(3)) }),
			};
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			entry = { ...base, outcome: error instanceof InputError ? "refused" : "bug", why: why.slice(0, 200) };
		}
		say({ ...entry, seconds: Number(((performance.now() - start) / 1000).toFixed(3)) });
	}
}

function baseOf(proved: ProvedProblem, method: string): Entry {
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

async function answerOf(proved: ProvedProblem, name: string): Promise<Result> {
	const study = parseStudy(proved.studyText(name), "study.yaml", methods);
	const model = parseModel(proved.files["model.ode"], "model.ode");
	const tables = await tablesOf(study, (file) =>
		readTable(new TextEncoder().encode(proved.files[file]), file),
	);
	const problem = problemFromStudy(study, model, tables, inline);
	const session = await Session.begin({ method: methods.get(name)!, problem, options: study.options[name] });
	for await (const { done } of session.steps(() => false)) if (done) break;
	return session.result();
}

function judged(
	{ outcome, answered, doubts, notes = [], parameters, intervalName }: Result,
	truth: Readonly<Record<string, number>>,
): Pick<Entry, "outcome" | "answered" | "grave" | "mild" | "notes" | "share" | "unknowns"> {
	const percent = /(\d+(?:\.\d+)?) %/.exec(intervalName);
	const codes = (grave: boolean): string[] =>
		doubts.filter((doubt) => doubt.grave === grave).map(({ code }) => code);
	return {
		outcome,
		answered,
		grave: codes(true),
		mild: codes(false),
		notes: notes.map(({ code }) => code),
		share: percent ? Number(percent[1]) / 100 : 1,
		unknowns: parameters.flatMap(({ name, estimate, lo, hi }) =>
			truth[name] === undefined || lo === undefined || hi === undefined
				? []
				: [[name, truth[name], estimate, lo, hi] as const],
		),
	};
}
