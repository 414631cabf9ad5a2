/** `odentify check FILE…`: what a model or a study says, as understood, and which methods can answer. */
import { sep } from "node:path";
import { InputError } from "../../errors.ts";
import { readModel } from "../../formats/read-model.ts";
import { applicability } from "../../methods/applicability.ts";
import { methods } from "../../methods/registry.ts";
import { describeModel } from "../../model/describe.ts";
import type { Model } from "../../model/model.ts";
import { beside, loadStudy } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { describeError, exitCodes, marked } from "../failure.ts";
import { isArchive, withUnpacked } from "../files/study-archive.ts";
import { type CheckedModel, modelLines } from "../terminal/model-lines.ts";
import { toErr } from "../terminal/screen.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

type Entry =
	| { file: string; kind: "model" | "study"; ok: true; model: CheckedModel; study?: unknown }
	/** The first error, and all of them where there are more. */
	| { file: string; kind: "model" | "study"; ok: false; error: unknown; errors?: unknown[] };

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

/** `shown` makes of a text what the user is to read: names of files as he gave them. */
type Shown = (text: string) => string;

async function checkFile(file: string, terminal: Terminal, shown: Shown = (text) => text): Promise<Entry> {
	if (isArchive(file)) return checkArchive(file, terminal);
	const kind = /\.ya?ml$/i.test(file) ? "study" : "model";
	try {
		if (kind === "model") {
			if (!/\.(ode|xml|sbml)$/i.test(file))
				throw new InputError(
					file,
					"is neither a model (.ode, .xml) nor a study (.yaml, .zip)",
					/\.(csv|tsv|txt|dat|xlsx|mat|parquet)$/i.test(file)
						? `It is a record. Make a study for it:  odentify init ${file}`
						: "Name one of these.",
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
			[terminal.colors.bold(shown(file)), ...study.lines, ...modelLines(model, terminal.colors)].join("\n"),
		);
		return { file, kind, ok: true, model, study: study.facts };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const all = kind === "study" ? await problemsOf(file, error) : [error];
		for (const each of all) toErr(`${marked(shown(each.message))}\n`);
		const described = (each: InputError): unknown =>
			JSON.parse(JSON.stringify(describeError(each)), (_, value) =>
				typeof value === "string" ? shown(value) : value,
			);
		const errors = all.length > 1 ? { errors: all.map(described) } : {};
		return { file, kind, ok: false, error: described(error), ...errors };
	}
}

async function problemsOf(file: string, first: InputError): Promise<InputError[]> {
	return (await import("../all-problems.ts")).allProblems(file, first);
}

/** A packed study is looked at as it would be unpacked. */
async function checkArchive(file: string, terminal: Terminal): Promise<Entry> {
	try {
		return await withUnpacked(file, async (study, folder) => {
			// A command takes the archive itself.
			const shown: Shown = (text) =>
				text
					.replaceAll(`odentify import ${study}`, `odentify import ${file}`)
					.replaceAll(`${folder}${sep}`, `${file}, `);
			return { ...(await checkFile(study, terminal, shown)), file };
		});
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		toErr(`${marked(error.message)}\n`);
		return { file, kind: "study", ok: false, error: describeError(error) };
	}
}

function describe(model: Model): CheckedModel {
	return { ...describeModel(model), methods: applicability(model) };
}
