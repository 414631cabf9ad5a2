/**
 * npm run bench [-- NAME… --data DIR --minutes N --seed N]: each bench prints a table of ratios measured in one run, with
 * spread. Some use the public records, where --data names their folder.
 */
import { parseArgs } from "node:util";

export interface BenchOptions {
	/** How long a bench that has no end of its own goes on. */
	readonly minutes?: number;
	/** First seed of what is drawn at random. */
	readonly seed?: number;
	/** How many are drawn. */
	readonly count?: number;
	/** File that a bench writes to and goes on with. */
	readonly ledger?: string;
	readonly threads?: number;
	/** Names of methods, with commas. */
	readonly methods?: string;
	/** Seconds that one method may take for one problem. */
	readonly patience?: number;
	/** Of `truth`: only problems with this fault, at the dose that an expert sees. */
	readonly fault?: string;
	/** A ledger that docs/truth.md is made of. */
	readonly page?: string;
	/** Folder of the public records. */
	readonly data?: string;
	/** Of `structure`, `records`, `steps` and `kriging-fields`: which systems; how many noises, which records and noises. */
	readonly systems?: readonly string[];
	readonly seeds?: number;
	readonly samples?: string;
	readonly noise?: readonly number[];
}

const benches: Record<string, () => Promise<{ bench: (records?: string) => Promise<void> }>> = {
	kernels: () => import("./kernels.ts"),
	solvers: () => import("./solvers.ts"),
	data: () => import("./data.ts"),
	interval: () => import("./interval.ts"),
	compute: () => import("./compute.ts"),
	cuda: () => import("./cuda.ts"),
	fit: () => import("./fit.ts"),
	published: () => import("./published.ts"),
	bayes: () => import("./bayes.ts"),
	evidence: () => import("./evidence.ts"),
	calibration: () => import("./calibration.ts"),
	"noise-calibration": () => import("./noise-calibration.ts"),
	periodic: () => import("./periodic.ts"),
	inversion: () => import("./inversion.ts"),
	kriging: () => import("./kriging.ts"),
	guaranteed: () => import("./guaranteed.ts"),
	"guaranteed-paving": () => import("./guaranteed-paving.ts"),
	judge: () => import("./judge.ts"),
	sbml: () => import("./sbml.ts"),
	"sbml-round-trip": () => import("./sbml-round-trip.ts"),
	petab: () => import("./petab.ts"),
	"petab-fit": () => import("./petab-fit.ts"),
	workbench: () => import("./workbench.ts"),
};
/** Those that look for faults, or take long: they run when they are named. */
const hunts: Record<string, () => Promise<{ bench: (options: BenchOptions) => Promise<void> }>> = {
	bits: () => import("./bits.ts"),
	repetitions: () => import("./repetitions.ts"),
	break: () => import("./break.ts"),
	"guaranteed-truth": () => import("./guaranteed-truth.ts"),
	"kriging-fields": () => import("./kriging-fields.ts"),
	population: () => import("./population.ts"),
	records: () => import("./records.ts"),
	size: () => import("./size.ts"),
	steps: () => import("./steps.ts"),
	truth: () => import("./truth.ts"),
	structure: () => import("./structure.ts"),
	swinging: () => import("./swinging.ts"),
};

const { values, positionals: asked } = parseArgs({
	allowPositionals: true,
	options: {
		data: { type: "string" },
		minutes: { type: "string" },
		seed: { type: "string" },
		count: { type: "string" },
		ledger: { type: "string" },
		methods: { type: "string" },
		threads: { type: "string" },
		patience: { type: "string" },
		fault: { type: "string" },
		page: { type: "string" },
		systems: { type: "string" },
		seeds: { type: "string" },
		samples: { type: "string" },
		noise: { type: "string" },
	},
});
const numberOf = (text: string | undefined): number | undefined =>
	text === undefined ? undefined : Number(text);
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
	if (!benches[name] && !hunts[name]) {
		const names = [...Object.keys(benches), ...Object.keys(hunts)];
		console.error(`There is no bench "${name}". There are: ${names.join(", ")}.`);
		process.exit(2);
	}
	console.log(`\n== ${name}`);
	if (benches[name]) await (await benches[name]()).bench(values.data);
	else
		await (await hunts[name]()).bench({
			data: values.data,
			minutes: numberOf(values.minutes),
			seed: numberOf(values.seed),
			count: numberOf(values.count),
			ledger: values.ledger,
			methods: values.methods,
			threads: numberOf(values.threads),
			patience: numberOf(values.patience),
			fault: values.fault,
			page: values.page,
			systems: values.systems?.split(","),
			seeds: numberOf(values.seeds),
			samples: values.samples,
			noise: values.noise?.split(",").map(Number),
		});
}
