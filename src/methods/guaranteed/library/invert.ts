/** Static set inversion: the boxes of unknowns for which inequalities hold, by the contractors of the method, without any equation. */
import type { Compute } from "../../../compute/compute.ts";
import { inline } from "../../../compute/inline.ts";
import { InputError } from "../../../errors.ts";
import type { Interval } from "../../../interval/interval.ts";
import { parseModel } from "../../../model/language/parse-model.ts";
import { defaultOptions, type OptionValues } from "../../options.ts";
import { guaranteed } from "../guaranteed.ts";
import { guaranteedOptions } from "../options.ts";

export interface InvertOptions {
	/** How it is done: `precision`, `boxes`, `effort`, … of the method. */
	readonly options?: Partial<OptionValues<typeof guaranteedOptions>>;
	readonly compute?: Compute;
}

export interface Inverted {
	/** The least box that is known to hold all solutions, by name; undefined where it is proved that there is none. */
	readonly hull: Readonly<Record<string, Interval>> | undefined;
	/** Boxes that hold nothing but solutions: lo and hi of each unknown in turn. */
	readonly inner: readonly Float64Array[];
	/** Boxes that may hold some. All solutions are in these and in the inner ones. */
	readonly edge: readonly Float64Array[];
	/** How much of all boxes the inner ones are, by volume, at least. */
	readonly share: number;
}

/** `invert({ a: [0, 2], b: [0, 2] }, ["a^2 + b^2 <= 2", "a*b >= 0.5"])`. Bounds may be texts, to be read as exact decimals. */
export async function invert(
	sets: Readonly<Record<string, readonly [number | string, number | string]>>,
	constraints: readonly string[],
	{ options = {}, compute = inline }: InvertOptions = {},
): Promise<Inverted> {
	const names = Object.keys(sets);
	if (names.length === 0 || constraints.length === 0)
		throw new InputError(
			"invert",
			"has no unknown, or nothing that is to hold",
			'Write  invert({ a: [0, 1] }, ["a^2 <= 0.5"]).',
		);
	const line = constraints.find((each) => /[\n#]/.test(each));
	if (line !== undefined)
		throw new InputError(
			`constraint ${JSON.stringify(line)}`,
			"is more than one line",
			"Give each on its own.",
		);
	// The language asks for an equation: one that does nothing.
	const idle = ["idle", ...names.map((_, i) => `idle${i}`)].find((name) => !names.includes(name))!;
	const text = [
		`param ${names.map((name) => `${name} in [${sets[name].join(", ")}]`).join(", ")}`,
		`state ${idle} = 0`,
		`${idle}' = 0`,
		...constraints.map((each) => `assume ${each}`),
	].join("\n");
	const model = parseModel(text, "invert");
	const experiment = {
		name: "invert",
		times: Float64Array.of(0),
		rows: { from: 0, to: 1 },
		inputs: new Map(),
		outputs: new Map(),
		conditions: {},
		removed: {},
	};
	const problem = { model, train: [experiment], test: [], start: {}, seed: 1, compute };
	const run = await guaranteed.prepare(problem, { ...defaultOptions(guaranteedOptions), ...options });
	while (!(await run.advance()).done);
	const box = run.enclosure;
	const failed = run.parts.filter(({ failure }) => failure).map((part) => part.box);
	const { inner, edge } = run.innerBoxes;
	return {
		hull: box && Object.fromEntries(names.map((name, k) => [name, { lo: box[2 * k], hi: box[2 * k + 1] }])),
		inner,
		edge: [
			...(run.paving?.outer ?? run.parts.map((part) => part.box)),
			...edge,
			...(run.paving ? failed : []),
		],
		share: run.innerShare ?? 0,
	};
}
