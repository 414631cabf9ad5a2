/** SBML: a file to a model of the language, or every reason why not. */

import { Lines } from "../../model/diagnostic.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import type { Model, ModelColumn } from "../../model/model.ts";
import { wholeNumber } from "../numbers.ts";
import { childOf, parseXml, type XmlElement } from "../xml.ts";
import type { SbmlModel } from "./document.ts";
import { flatten, type Library } from "./flatten.ts";
import { refuseLoops } from "./loops.ts";
import { type OdeText, odeText } from "./ode-model.ts";
import { Problems } from "./problems.ts";
import { flagOf, refuseUnknown } from "./schema.ts";

/** Packages that only add to a model what a simulation does not need. */
const harmless = new Set(["layout", "render", "groups", "l3v2extendedmath"]);

/** The text of a file that a model names, beside it; `undefined` where there is none. */
export type OpenFile = (file: string) => string | undefined;

/** Whether a text is meant as XML. */
export function looksLikeXml(text: string): boolean {
	return /^\uFEFF?\s*</.test(text.slice(0, 200));
}

/** What the file says, before it is written in the language. */
export function sbmlModel(
	source: string,
	fileName: string,
	open: OpenFile = () => undefined,
): { model: SbmlModel; problems: Problems } {
	const problems = new Problems(source, fileName);
	const model = readDocument(parseXml(source, fileName), problems, open);
	problems.throwIfAny();
	return { model: model!, problems };
}

/** The model in the language, as `odentify import` writes it. */
export function sbmlToOde(source: string, fileName: string, open: OpenFile = () => undefined): OdeText {
	const { model, problems } = sbmlModel(source, fileName, open);
	return odeText(model, problems);
}

export function readSbml(source: string, fileName: string, open?: OpenFile): Model {
	const { text, columns, fresh, eventSpans } = sbmlToOde(source, fileName, open);
	// What is shown is read as measurements, so that it is folded like everything else.
	const shownLines: string[] = [];
	const measured = (expression: string): string => {
		const name = fresh("shown");
		shownLines.push(`measure ${name} = ${expression}`);
		return name;
	};
	const named = columns.map(({ id, value, amount, concentration, fixed }) => ({
		id,
		fixed,
		value: measured(value),
		...(amount !== undefined && { amount: measured(amount) }),
		...(concentration !== undefined && { concentration: measured(concentration) }),
	}));
	const { measures, ...model } = parseModel(`${text}\n${shownLines.join("\n")}\n`, translated(fileName));
	const nodes = new Map(measures.map(({ name, value }) => [name, value]));
	const shown = named.map(
		({ id, value, amount, concentration, fixed }): ModelColumn => ({
			name: id,
			value: nodes.get(value)!,
			...(fixed !== undefined && { fixed }),
			...(amount !== undefined && { amount: nodes.get(amount)! }),
			...(concentration !== undefined && { concentration: nodes.get(concentration)! }),
		}),
	);
	const lines = new Lines(source);
	const events = model.events.map((event, i) => {
		const { line, column } = lines.position(eventSpans[i]?.start ?? 0);
		return eventSpans[i] ? { ...event, place: `${fileName}:${line}:${column}` } : event;
	});
	return { ...model, events, fileName, source: text, warnings: [], measures: [], columns: shown };
}

/** How the text that is made of a file is called where something is wrong in it: its lines are not those of the file. */
export function translated(fileName: string): string {
	return `${fileName}, as a model of the language`;
}

function readDocument(root: XmlElement, problems: Problems, open: OpenFile): SbmlModel | undefined {
	const { attributes } = root;
	if (root.name !== "sbml") {
		problems.add(
			root.span,
			`this is no SBML: its outermost element is <${root.name}>`,
			"A model file has <sbml> there.",
		);
		return undefined;
	}
	const level = wholeNumber(attributes.level ?? "");
	if (level !== 2 && level !== 3) {
		problems.add(
			root.span,
			`SBML of Level ${attributes.level ?? "?"}`,
			"Level 2 and 3 are read. Convert it, for example with COPASI.",
		);
		return undefined;
	}
	for (const name of Object.keys(attributes)) {
		const [prefix, local] = name.split(":");
		if (local !== "required" || harmless.has(prefix) || prefix === "comp") continue;
		// What is neither has been noted.
		if (!flagOf(root, name, problems)) continue;
		problems.add(
			root.span,
			`the model needs the package "${prefix}", which is not supported`,
			"Only the core of SBML is read, and comp.",
		);
	}
	const model = childOf(root, "model");
	if (!model) {
		problems.add(root.span, "there is no <model>", "Is the file whole?");
		return undefined;
	}
	const objectives = childOf(model, "listOfObjectives");
	if (objectives)
		problems.add(
			objectives.span,
			"flux balance (listOfObjectives of the package fbc) is not supported",
			"Only differential equations are.",
		);
	const read = new Map<string, Pick<Library, "root" | "problems"> | undefined>();
	const parsed = (file: string): Pick<Library, "root" | "problems"> | undefined => {
		if (!read.has(file)) {
			const text = open(file);
			const other = text === undefined ? undefined : problems.ofOther(text, file);
			read.set(file, other && { root: parseXml(text!, file), problems: other });
		}
		return read.get(file);
	};
	refuseUnknown(root, problems);
	const flat = flatten(model, { root, level, folder: "", open: parsed, problems });
	refuseLoops(flat, problems);
	return flat;
}
