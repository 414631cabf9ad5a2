/** result.json of a run: the whole result, and what the report says besides. Others may have changed or damaged it. */
import { InputError } from "../errors.ts";
import type { Result } from "../estimate/result.ts";
import { unpackJson } from "./packed-json.ts";
import {
	anyObject,
	both,
	byKind,
	column,
	fields,
	flag,
	listOf,
	namedOf,
	number,
	numbers,
	oneOf,
	type Shape,
	sameLength,
	text,
} from "./text/shape.ts";

export interface RunFacts {
	readonly title: string;
	readonly records: readonly string[];
	/** Declared spread of the noise by output, where it is a number. */
	readonly noise: Readonly<Record<string, number>>;
	readonly seed: number;
	readonly seconds: number;
	readonly finished: string;
	readonly version: string;
	readonly nSamples: number;
	readonly detrended?: unknown;
}

const parameters = listOf(
	fields(
		{ name: text, estimate: number },
		{ sd: number, lo: number, hi: number, proved: flag, verdict: text },
	),
);

const prediction = both(
	fields(
		{ experiment: text, output: text, part: oneOf("train", "test"), t: column, y: column },
		{
			lo: column,
			hi: column,
			data: both(fields({ t: column, y: column }), sameLength("t", "y")),
			units: fields({}, { t: text, y: text }),
		},
	),
	sameLength("t", "y", "lo", "hi"),
);

const points = both(fields({ x: numbers, y: numbers }), sameLength("x", "y"));
const mark = both(
	fields({ role: oneOf("data", "model", "band", "truth", "guide", "accent", "muted") }, { label: text }),
	byKind("type", {
		line: points,
		points,
		bars: points,
		words: both(points, fields({ words: listOf(text) }), sameLength("x", "words")),
		band: both(fields({ x: numbers, lo: numbers, hi: numbers }), sameLength("x", "lo", "hi")),
		rule: fields({ at: number, axis: oneOf("x", "y") }),
		boxes: both(
			fields({ x0: numbers, x1: numbers, y0: numbers, y1: numbers }),
			sameLength("x0", "x1", "y0", "y1"),
		),
	}),
);
const names = listOf(fields({ at: number, name: text }, { span: fields({ lo: number, hi: number }) }));
const figure = fields(
	{
		name: text,
		title: text,
		caption: text,
		xLabel: text,
		yLabel: text,
		marks: listOf(mark),
		section: oneOf("sure", "fit", "doubt"),
	},
	{ xNames: names, yNames: names, zoom: flag, small: flag },
);

const answerOf = {
	method: text,
	outcome: text,
	message: text,
	answered: flag,
	parameters,
	intervalName: text,
};
const comparison = fields({
	answers: listOf(fields(answerOf)),
	refusals: listOf(fields({ method: text, why: text })),
	agreement: listOf(
		fields({
			parameter: text,
			verdict: oneOf("agree", "contradict", "single"),
			why: text,
			methods: listOf(text),
		}),
	),
});

const lawEquations = listOf(fields({ plain: text, tex: text, mathml: text }));
const law = fields(
	{
		equations: lawEquations,
		intervals: listOf(text),
		rivals: listOf(fields({ words: text, equations: lawEquations })),
	},
	{ leftOut: listOf(text) },
);

const result: Shape = fields(
	{
		...answerOf,
		predictions: listOf(prediction),
		summary: anyObject,
		doubts: listOf(fields({ title: text, text, grave: flag }, { code: text })),
		assumptions: listOf(text),
		figures: listOf(figure),
		files: listOf(fields({ name: text, content: text })),
		references: listOf(text),
	},
	{ comparison, law, notes: listOf(fields({ code: text, title: text, text })) },
);

const facts: Shape = fields({
	title: text,
	records: listOf(text),
	noise: namedOf(number),
	seed: number,
	seconds: number,
	finished: text,
	version: text,
	nSamples: number,
});

/** Throws InputError where the text is not that of a whole result. */
export function keptResult(source: string, fileName: string): { result: Result; facts: RunFacts } {
	const value = unpackJson(source, fileName);
	const problem = fields({ result, facts })(value, "");
	if (problem !== undefined)
		throw new InputError(
			fileName,
			`is not a whole result: ${problem.replace(/^ /, "what it holds ")}`,
			"The file is damaged or of another version; do the study again.",
		);
	return value as { result: Result; facts: RunFacts };
}
