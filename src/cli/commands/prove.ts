/** `odentify prove N`: problem N of the proving ground as a study, with what is true of it. */
import { join } from "node:path";
import { InputError, nearestName } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { problemOf } from "../../prove/problem.ts";
import { exitCodes } from "../failure.ts";
import { writeNew } from "../files/new-files.ts";
import { labelled } from "../terminal/model-lines.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export interface ProveOptions extends CommonOptions {
	readonly method?: string;
}

export async function prove(text: string, options: ProveOptions): Promise<number> {
	const terminal = new Terminal(options);
	const number = numberOf(text);
	if (options.method !== undefined && !methods.has(options.method)) {
		const { method } = options;
		const near = nearestName(method, [...methods.keys()]);
		throw new InputError(
			`--method ${method}`,
			"is no method",
			near ? `Did you mean ${near}?` : `Methods are ${[...methods.keys()].join(", ")}.`,
		);
	}
	const made = problemOf(number);
	if (!made)
		throw new InputError(
			`prove ${number}`,
			"is no problem: the system that this number draws does not reach the end of its records",
			`Take another one:  odentify prove ${number + 1}`,
		);
	const method = options.method ?? made.asked ?? "fit";
	const folder = options.out ?? `problem-${number}`;
	const { family, field, sampling, noise, level, fault, truth, system } = made;
	const said = {
		number,
		family,
		field,
		sampling,
		noise,
		level,
		...(fault ? { fault } : {}),
		truth,
		...(system ? { system } : {}),
	};
	const files = [
		{ name: "study.yaml", content: made.studyText(method) },
		...Object.entries(made.files).map(([name, content]) => ({ name, content })),
		{ name: "truth.json", content: `${JSON.stringify(said, undefined, "\t")}\n` },
	];
	writeNew(folder, files);
	const paths = files.map(({ name }) => join(folder, name));
	const wrong = fault ? `wrong with it: ${fault.name}, dose ${fault.dose}` : "nothing is wrong with it";
	terminal.say(
		labelled("Problem", [`${number}, ${family}, noise ${noise} ${100 * level} %; ${wrong}`]).join("\n"),
	);
	terminal.say(labelled("Written", paths).join("\n"));
	terminal.say(
		labelled("Next", [`odentify run ${paths[0]}`, `compare with ${join(folder, "truth.json")}`]).join("\n"),
	);
	terminal.answer({ study: paths[0], files: paths, ...said });
	return exitCodes.answer;
}

function numberOf(text: string): number {
	const number = Number(text);
	if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
	throw new InputError(
		`prove ${text}`,
		"is no number of a problem",
		"Take a whole number from 0 on:  odentify prove 1234",
	);
}
