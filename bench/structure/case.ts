/** One system, sampled and made noisy in one way: the whole of an inversion with its tests, and SINDy beside it. */
import { recordsOf } from "../../papers/inversion/examples.ts";
import { inline } from "../../src/compute/inline.ts";
import { inversion } from "../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import { type FoundForm, formOf } from "./form.ts";
import { differences, libraryOf, nameOf, type Samples, type SparseFit, weak } from "./sindy.ts";
import { exampleOf, type System, systems } from "./systems.ts";
import { type Told, toldBy } from "./told.ts";

export type Sampling = "dense" | "sparse" | "long";

export interface CaseSpec {
	readonly sampling: Sampling;
	readonly system: string;
	readonly sd: number;
	readonly seed: number;
}

export interface CaseOutcome extends CaseSpec, FoundForm {
	readonly samples: number;
	readonly outcome: string;
	readonly grave: boolean;
	/** The doubts, by their codes. */
	readonly doubts: readonly string[];
	/** Whether the record tells the true terms from the answer's. */
	readonly told: Told;
	/** Of processor. */
	readonly seconds: number;
	/** Whether each form of SINDy is exact. */
	readonly beside: Readonly<Record<string, boolean>>;
}

const dense = 401;
const long = 1200;
/** The usual default of SINDy, and what is tried in hindsight. */
const usual = 0.1;
const thresholds = [0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

export async function structureCase(spec: CaseSpec): Promise<CaseOutcome> {
	const { sampling, sd, seed } = spec;
	const known = systems.find(({ name }) => name === spec.system)!;
	const system = sampling === "long" ? { ...known, until: known.long! } : known;
	const samples = { dense, long, sparse: system.sparse }[sampling];
	const example = exampleOf(system, samples);
	const train = await recordsOf(example, { sd, relative: true }, seed, inline);
	const problem = { model: example.model, train, test: [], start: {}, seed, compute: inline };
	const before = process.cpuUsage();
	const run = await inversion.prepare(problem, defaultOptions(inversion.options));
	while (!(await inversion.advance(run)).done);
	const result = await inversion.result(run);
	const { user, system: kernel } = process.cpuUsage(before);
	const form = formOf(run, result, example.truth);
	return {
		...spec,
		samples,
		outcome: result.outcome,
		...form,
		grave: !result.answered || result.doubts.some((doubt) => doubt.grave),
		doubts: result.doubts.map(({ code, grave }) => (grave ? `${code}!` : code)),
		told: await toldBy(run, example, seed, form.missing),
		seconds: (user + kernel) / 1e6,
		beside: besideIt(system, example.truth, train[0].outputs),
	};
}

/** Whether each form of SINDy finds the structure. */
function besideIt(
	{ degree, equations }: System,
	truth: Readonly<Record<string, number>>,
	outputs: ReadonlyMap<string, { times: Float64Array; values: Float64Array }>,
): Record<string, boolean> {
	const states = ["x", "y", "z"].slice(0, equations.length);
	const records = states.map((state) => outputs.get(`${state}m`)!);
	const samples: Samples = { t: records[0].times, x: records.map(({ values }) => values) };
	const library = libraryOf(states.length, degree);
	const names = library.map((powers) => nameOf(powers, states));
	const isExact = ({ weights }: SparseFit): boolean =>
		weights.every((own, k) => own.every((w, j) => (w !== 0) === `f${states[k]}[${names[j]}]` in truth));
	return Object.fromEntries(
		Object.entries({ STLSQ: differences, weak }).flatMap(([name, find]) => [
			[`${name} ${usual}`, isExact(find(samples, library, usual))],
			[`${name} best`, thresholds.some((threshold) => isExact(find(samples, library, threshold)))],
		]),
	);
}
