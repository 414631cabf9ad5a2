/** The posterior of an earlier run as what is known beforehand: a normal law of the mean and covariance of its particles. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readCsv } from "../../data/csv/csv.ts";
import { readPlainFile } from "../../data/node/plain-file.ts";
import { InputError } from "../../errors.ts";
import { knownParams } from "../../estimate/law/given-joint.ts";
import { factorOf, type JointPrior } from "../../estimate/law/joint.ts";
import { chartOf } from "../../estimate/law/supports.ts";
import { solveLowerInto } from "../../num/linear/cholesky.ts";
import { gammaMass, normalMass } from "../../num/statistics/tail-mass.ts";
import { sharedSamples } from "../records/overlap.ts";
import { problemAt, type Study, throwAny } from "../study.ts";
import type { LoadedStudy } from "./load-study.ts";
import { readText } from "./read-text.ts";

/** Largest difference between the masses of particles and of the normal law below any value that the law may stand for them with. */
const farthest = 0.1;
const fewest = 100;
/** Bytes of the file. */
const largest = 2 ** 30;

/** The study with numbers in the place of the run. `earlier` reads the study of a run's folder. */
export function withPriorOfRun(
	loaded: LoadedStudy,
	besideStudy: (file: string) => string,
	earlier: (path: string) => LoadedStudy,
): LoadedStudy {
	const { study } = loaded;
	const { prior } = study;
	if (!prior || !("from" in prior)) return loaded;
	const folder = besideStudy(prior.from);
	const refuse = (message: string, remedy: string, path = "prior.from"): never => {
		throwAny(study, [problemAt(study, path, "value", message, remedy)]);
		throw new RangeError(message);
	};
	const file = join(folder, "posterior.csv");
	if (!existsSync(file))
		refuse(
			`${prior.from} ${existsSync(folder) ? "holds no posterior" : "is no folder"}`,
			"Name the folder of a run of bayes that came to its end, from the folder of this study:  from: runs/a",
		);
	const grave = graveDoubt(folder);
	if (grave)
		refuse(
			`the answer of ${prior.from} is not to be trusted: ${grave}`,
			"Mend that first. Whoever knows better gives  mean  and  covariance  by hand.",
		);
	const before = earlier(join(folder, "study.yaml"));
	const twice = sharedSamples(located(before), located(loaded));
	if (twice)
		refuse(
			`${prior.from} has learned from samples of ${twice} that this study learns from, too: they would count twice`,
			"Take other rows, or leave  prior:  out.",
		);
	const { columns } = readCsv(readPlainFile(file, largest), file);
	const known = knownParams(loaded.model);
	const chosen = known.filter(
		({ name }) => columns.some((column) => column.name === name) && (prior.only?.includes(name) ?? true),
	);
	for (const name of prior.only ?? [])
		if (!chosen.some((each) => each.name === name))
			refuse(
				known.some((each) => each.name === name)
					? `${prior.from} says nothing of ${name}`
					: `the model has no parameter "${name}" with a law`,
				`Both know ${
					known
						.filter((each) => columns.some((column) => column.name === each.name))
						.map((each) => each.name)
						.join(", ") || "none"
				}.`,
				"prior.only",
			);
	if (chosen.length === 0)
		refuse(
			`${prior.from} and the model have no parameter in common`,
			`There are ${columns.map(({ name }) => name).join(", ")} there, and ${known.map(({ name }) => name).join(", ") || "none with a law"} here.`,
		);
	const z = chosen.map(({ name, ends }) => {
		const { values } = columns.find((column) => column.name === name)!;
		const beyond = values.find((value) => !(value > ends.lo && value < ends.hi));
		if (beyond !== undefined)
			refuse(
				`${prior.from} has the value ${beyond} of ${name}, which the model rules out`,
				`Let the law of ${name} reach as far, or choose others with  only:`,
			);
		return values.map(chartOf(ends).toSampled);
	});
	const law = normalOf(
		chosen.map(({ name }) => name),
		z,
	);
	const unlike = law && unlikeness(law, z);
	if (!law || z[0].length < fewest)
		refuse(`the particles of ${prior.from} are too few, or no cloud`, "Run it again with more of them.");
	if (unlike!.distance > farthest)
		refuse(
			`the posterior of ${prior.from} is far from a normal law of ${chosen.map(({ coordinate }) => coordinate).join(", ")} (${unlike!.what}: masses differ by ${unlike!.distance.toFixed(2)}, at most ${farthest} will do)`,
			"Learn from both records in one study, or choose other parameters with  only:",
		);
	const { mean, covariance } = law!;
	const numbers = {
		mean: Object.fromEntries(chosen.map(({ coordinate }, i) => [coordinate, mean[i]])),
		covariance,
	};
	return {
		...loaded,
		study: { ...study, prior: numbers, places: placedAs(study, Object.keys(numbers.mean)) },
	};
}

/** What speaks against an earlier answer, if something does. */
function graveDoubt(folder: string): string | undefined {
	const file = join(folder, "summary.json");
	const text = readText(file, "summary");
	try {
		const { doubts } = JSON.parse(text) as { doubts: readonly { title: string; grave: boolean }[] };
		return doubts.find(({ grave }) => grave)?.title;
	} catch {
		throw new InputError(file, "is no whole summary of a run", "Run its study again.");
	}
}

/** What is wrong with the numbers is wrong with the run that they are from. */
function placedAs({ places }: Study, keys: readonly string[]): Study["places"] {
	const from = places.get("prior.from")!;
	const made = ["prior.mean", "prior.covariance", ...keys.map((key) => `prior.mean.${key}`)];
	return new Map([...places, ...made.map((path) => [path, from] as const)]);
}

/** Records by where their files are. */
function located({ study, path }: LoadedStudy): Study {
	const at = (file: string): string => resolve(path, "..", file);
	return {
		...study,
		records: study.records.map((record) => ({ ...record, ...(record.file && { file: at(record.file) }) })),
	};
}

/** Of particles in sampled coordinates, a column each. */
function normalOf(names: readonly string[], z: readonly Float64Array[]): JointPrior | undefined {
	const n = z[0].length;
	const mean = z.map((values) => values.reduce((sum, value) => sum + value, 0) / n);
	const covariance = z.map((a, i) =>
		z.map((b, j) => a.reduce((sum, value, k) => sum + (value - mean[i]) * (b[k] - mean[j]), 0) / (n - 1)),
	);
	return factorOf(covariance) && { names, mean, covariance };
}

/** Where a normal law differs most from the particles: in one coordinate, or in how far they lie from the middle of all. */
function unlikeness(
	{ names, mean, covariance }: JointPrior,
	z: readonly Float64Array[],
): { what: string; distance: number } {
	const L = factorOf(covariance)!;
	const d = names.length;
	const far = z[0].map((_, b) => {
		const e = Float64Array.from(z, (values, i) => values[b] - mean[i]);
		solveLowerInto(e, L, d);
		return e.reduce((sum, value) => sum + value * value, 0);
	});
	return [
		...names.map((what, i) => ({
			what,
			distance: apart(z[i], (value) => normalMass((value - mean[i]) / Math.sqrt(covariance[i][i]))),
		})),
		{ what: "all together", distance: apart(far, (square) => gammaMass(d / 2, square / 2)) },
	].reduce((worst, one) => (one.distance > worst.distance ? one : worst));
}

/** Kolmogorov's distance. */
function apart(values: Float64Array, mass: (value: number) => number): number {
	const sorted = values.slice().sort();
	return sorted.reduce((most, value, k) => {
		const below = mass(value);
		return Math.max(most, Math.abs(below - k / sorted.length), Math.abs(below - (k + 1) / sorted.length));
	}, 0);
}
