/** The part of `odentify check` that needs the data of a study. */
import { readTableFile } from "../data/node/read-file.ts";
import { Session } from "../methods/session.ts";
import { formatCount } from "../report/format.ts";
import { besideStudy, type LoadedStudy } from "../study/node/load-study.ts";
import { priorWords } from "../study/prior.ts";
import { tablesOf } from "../study/records/records.ts";
import { simulationTask } from "../study/simulate/simulate-study.ts";
import { assertWithinReach, questionOf } from "./question.ts";
import { labelled } from "./terminal/model-lines.ts";

export async function checkStudy(loaded: LoadedStudy): Promise<{ lines: string[]; facts: unknown }> {
	const { study, model, path } = loaded;
	// Without a file there is nothing to estimate from: the study is for simulate.
	if (study.records.every(({ file }) => file === undefined)) {
		const tables = await tablesOf(study, (file, choices) => readTableFile(besideStudy(path, file), choices));
		const task = simulationTask(study, model, tables);
		const records = task.records.map(
			({ name, times }) => `${name}: ${formatCount(times.length)} times to simulate`,
		);
		return {
			lines: [...labelled("Records", records), ...labelled("For", ["odentify simulate"])],
			facts: { for: "simulate", records },
		};
	}
	const question = await questionOf(loaded);
	const { records, options, readings } = question;
	// What a run refuses is refused by the method itself, once it sees the data.
	assertWithinReach(question);
	await Session.begin(question);
	return {
		lines: [
			...labelled("Records", records),
			...labelled("Read as", readings),
			...labelled("Prior", priorWords(study)),
			...labelled("For", [`odentify run, method ${study.method}`]),
		],
		facts: { for: "run", method: study.method, options, seed: study.seed, records, readings },
	};
}
