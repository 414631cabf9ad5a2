/** `odentify check FILE…`: what a model or a study says, as understood, and which methods can answer. */
import { InputError } from "../../errors.ts";
import { readModel } from "../../formats/read-model.ts";
import { applicability } from "../../methods/applicability.ts";
import { methods } from "../../methods/registry.ts";
import { describeModel } from "../../model/describe.ts";
import type { Model } from "../../model/model.ts";
import { beside, loadStudy } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { describeError, exitCodes, marked } from "../failure.ts";
import { type CheckedModel, modelLines } from "../model-lines.ts";
import { toErr } from "../screen.ts";
import { type CommonOptions, Terminal } from "../terminal.ts";

type Entry =
	| { file: string; kind: "model" | "study"; ok: true; model: CheckedModel; study?: unknown }
	| { file: string; kind: "model" | "study"; ok: false; error: unknown };

export async function check(files: readonly string[], options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const entries: Entry[] = [];
	for (const [i, file] of files.entries()) {
		if (i > 0) terminal.say();
		entries.push(await checkFile(file, terminal));
	}
	terminal.answer(entries);
	return entries.every(({ ok }) => ok) ? exitCodes.answer : exitCodes.badInput;
}

async function checkFile(file: string, terminal: Terminal): Promise<Entry> {
	const kind = /\.ya?ml$/i.test(file) ? "study" : "model";
	try {
		if (kind === "model") {
			if (!/\.(ode|xml|sbml)$/i.test(file))
				throw new InputError(
					file,
					"is neither a model (.ode, .xml) nor a study (.yaml)",
					"Name one of these.",
				);
			const model = describe(readModel(readText(file, "model"), file, beside(file)));
			terminal.say([terminal.colors.bold(file), ...modelLines(model, terminal.colors)].join("\n"));
			return { file, kind, ok: true, model };
		}
		const { checkStudy } = await import("../check-study.ts");
		const loaded = loadStudy(file, methods);
		const model = describe(loaded.model);
		const study = await checkStudy(loaded);
		terminal.say(
			[terminal.colors.bold(file), ...study.lines, ...modelLines(model, terminal.colors)].join("\n"),
		);
		return { file, kind, ok: true, model, study: study.facts };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		toErr(`${marked(error.message)}\n`);
		return { file, kind, ok: false, error: describeError(error) };
	}
}

function describe(model: Model): CheckedModel {
	return { ...describeModel(model), methods: applicability(model) };
}
