/**
 * Which terms are in the equations, of all monomials up to a degree: systems by samples by noise by seeds, the whole of an
 * inversion with its tests, and SINDy beside it.
 *
 *   npm run bench -- structure [--systems lorenz,rossler,partial] [--seeds 3] [--samples dense|sparse] [--noise 0,0.05]
 *
 * "Best" thresholds of SINDy are the best in hindsight for each case, which nobody knows beforehand.
 */
import { medianOf, shareText } from "../papers/inversion/cases.ts";
import { recordsOf } from "../papers/inversion/examples.ts";
import { inline } from "../src/compute/inline.ts";
import type { Result } from "../src/estimate/result.ts";
import { inversion } from "../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../src/methods/options.ts";
import type { BenchOptions } from "./main.ts";
import { partialRecords } from "./structure/partial.ts";
import { differences, libraryOf, nameOf, type Samples, type SparseFit, weak } from "./structure/sindy.ts";
import { exampleOf, type System, systems } from "./structure/systems.ts";

const dense = 401;
const noises = [0, 0.01, 0.05, 0.1];
/** The usual default, and what is tried in hindsight. */
const usual = 0.1;
const thresholds = [0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

interface Tally {
	cases: number;
	exact: number;
	missing: number;
	extra: number;
	/** Answers that are wrong, without a grave doubt, and do not name the truth as a rival. */
	sureButWrong: number;
	readonly seconds: number[];
	readonly rivals: Record<string, number>;
}

export async function bench({ seeds = 3, systems: wanted, samples, noise }: BenchOptions): Promise<void> {
	if (wanted?.includes("partial") ?? !samples) await partialRecords(wanted ? seeds : 10);
	const kinds = ["dense", "sparse"].filter((kind) => !samples || samples === kind);
	const all = systems.filter(({ name }) => !wanted || wanted.includes(name));
	const tallies = new Map<string, Tally>();
	for (const kind of kinds)
		for (const sd of noise ?? noises)
			for (const system of all)
				for (let seed = 1; seed <= (sd === 0 ? 1 : seeds); seed++) {
					const key = `${kind}, noise ${(100 * sd).toFixed(0)} %`;
					const tally = tallies.get(key) ?? emptyTally();
					tallies.set(key, tally);
					await one(system, kind === "dense" ? dense : system.sparse, sd, seed, tally);
				}
	for (const [key, tally] of tallies) print(key, tally);
	goals(tallies);
}

function emptyTally(): Tally {
	return { cases: 0, exact: 0, missing: 0, extra: 0, sureButWrong: 0, seconds: [], rivals: {} };
}

async function one(system: System, samples: number, sd: number, seed: number, tally: Tally): Promise<void> {
	const example = exampleOf(system, samples);
	const train = await recordsOf(example, { sd, relative: true }, seed, inline);
	const problem = { model: example.model, train, test: [], start: {}, seed, compute: inline };
	const before = process.cpuUsage();
	const run = await inversion.prepare(problem, defaultOptions(inversion.options));
	while (!(await inversion.advance(run)).done);
	const result = await inversion.result(run);
	const { user, system: kernel } = process.cpuUsage(before);
	const seconds = (user + kernel) / 1e6;
	const truth = Object.keys(example.truth);
	const found = termsOf(result);
	const missing = truth.filter((name) => !found.includes(name));
	const extra = found.filter((name) => !truth.includes(name));
	const exact = missing.length + extra.length === 0;
	const grave = !result.answered || result.doubts.some((doubt) => doubt.grave);
	const isRival = run.selection?.rivals(3).some(({ active }) =>
		sameSet(
			run.work.terms(active).map((u) => run.work.nameOf(u)),
			truth,
		),
	);
	tally.cases++;
	tally.exact += exact ? 1 : 0;
	tally.missing += missing.length;
	tally.extra += extra.length;
	tally.sureButWrong += !exact && !grave && !isRival ? 1 : 0;
	tally.seconds.push(seconds);
	for (const [name, right] of Object.entries(besideIt(system, example.truth, train[0].outputs)))
		tally.rivals[name] = (tally.rivals[name] ?? 0) + (right ? 1 : 0);
	const verdict = exact
		? "exact"
		: `missing ${missing.join(" ") || "-"}, extra ${extra.join(" ") || "-"}${grave ? ", doubted" : isRival ? ", truth a rival" : ", SURE"}`;
	console.log(
		`  ${system.name.padEnd(20)} ${samples} samples, ${(100 * sd).toFixed(0).padStart(2)} %, seed ${seed}: ${seconds.toFixed(2).padStart(6)} s  ${result.outcome}, ${verdict}`,
	);
}

function termsOf({ summary }: Result): string[] {
	return (summary.terms as { of: string; term: string }[]).map(({ of, term }) => `${of}[${term}]`);
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
	a.length === b.length && a.every((name) => b.includes(name));

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

function print(key: string, tally: Tally): void {
	const { cases, exact, missing, extra, sureButWrong, seconds, rivals } = tally;
	const beside = Object.entries(rivals).map(([name, count]) => `${name} ${(count / cases).toFixed(2)}`);
	console.log(
		`${key.padEnd(18)} exact ${shareText(exact, cases)} of ${cases}; missing ${missing}, extra ${extra}, sure but wrong ${sureButWrong}; processor ${medianOf(seconds).toFixed(2)} s, worst ${Math.max(...seconds).toFixed(1)} s; SINDy: ${beside.join(", ")}`,
	);
}

function goals(tallies: ReadonlyMap<string, Tally>): void {
	const sum = (isMeant: (key: string) => boolean): { exact: number; cases: number } => {
		const own = [...tallies].flatMap(([key, tally]) => (isMeant(key) ? [tally] : []));
		return {
			exact: own.reduce((total, { exact }) => total + exact, 0),
			cases: own.reduce((total, { cases }) => total + cases, 0),
		};
	};
	const say = (name: string, goal: number, { exact, cases }: { exact: number; cases: number }): void => {
		if (cases > 0)
			console.log(
				`${name}: ${(exact / cases).toFixed(3)} (goal ${goal}) ${exact >= goal * cases ? "ok" : "FAIL"}`,
			);
	};
	say(
		"dense",
		0.97,
		sum((key) => key.startsWith("dense")),
	);
	say(
		"sparse, noise up to 5 %",
		0.9,
		sum((key) => key.startsWith("sparse") && !key.endsWith(" 10 %")),
	);
	const seconds = [...tallies.values()].flatMap((tally) => tally.seconds);
	if (seconds.length === 0) return;
	const worst = Math.max(...seconds);
	const median = medianOf(seconds);
	console.log(
		`processor: median ${median.toFixed(2)} s (goal 1) ${median <= 1 ? "ok" : "FAIL"}, worst ${worst.toFixed(1)} s (goal 20) ${worst <= 20 ? "ok" : "FAIL"}`,
	);
}
