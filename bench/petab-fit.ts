/**
 * PEtab problems in the folder that --data names, estimated from starts of our own: the least negative log-likelihood, with priors where they count, beside the best that is
 * known, the share of starts that came within 0.1 of it, and processor time. ODENTIFY_PROBLEMS=Boehm,Crauste chooses some; ODENTIFY_STARTS is how many
 * starts are followed to their optimum, ODENTIFY_SHORT how many a few steps, out of ODENTIFY_CANDIDATES, ODENTIFY_HOPS the rounds of hops; ODENTIFY_SECONDS is the time after which a problem is
 * ended where it is. The last column names the best values of all starts.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inline } from "../src/compute/inline.ts";
import { readCsv } from "../src/data/csv/csv.ts";
import { goodnessOf } from "../src/estimate/observe/goodness.ts";
import { costKind, naturalPoint, weightsAt } from "../src/estimate/observe/likelihood.ts";
import { looksLikePetab } from "../src/formats/petab/looks-like.ts";
import { type PetabProblem, readPetab } from "../src/formats/petab/problem.ts";
import { FitRun } from "../src/methods/fit/fit-run.ts";
import { fitOptions } from "../src/methods/fit/options.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { methods } from "../src/methods/registry.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { petabStudy } from "../src/study/petab/as-study.ts";
import { logPriorOf } from "../src/study/petab/likelihood.ts";
import { problemFromStudy } from "../src/study/problem-from-study.ts";
import { parseStudy } from "../src/study/text/study-file.ts";

/** Best known negative log-likelihoods (of Bachmann and Schwen with their priors), and the share of starts that reach them in Hass et al., Bioinformatics 35, 2019. */
const published: Readonly<Record<string, { best: number; share?: string }>> = {
	Boehm: { best: 138.222, share: "24/1000" },
	Perelson: { best: 222.281 },
	Bertozzi: { best: 158.864 },
	Bruno: { best: -46.688, share: "691/1000" },
	Rahman: { best: 21.153 },
	Okuonghae: { best: 383.919 },
	Crauste: { best: 190.964, share: "0/187" },
	Sneyd: { best: -319.792 },
	Elowitz: { best: -63.24 },
	Borghans: { best: -120.49 },
	Fiedler: { best: -58.584, share: "45/960" },
	Brannmark: { best: 141.825, share: "15/679" },
	Zheng: { best: -293.7 },
	Schwen: { best: 952.422, share: "64/907" },
	Raia: { best: 345.31 },
	Bachmann: { best: -419.129, share: "151/968" },
};

export async function bench(data?: string): Promise<void> {
	if (data === undefined || !existsSync(data)) {
		console.log("passed over: the problems are not at hand (npm run bench -- petab-fit --data DIR)");
		return;
	}
	const wanted = process.env.ODENTIFY_PROBLEMS?.split(",");
	console.log(
		"| problem | unknowns | reached | best known | starts within 0.1 | published share | local solve, s | all, s | best starts |\n|---|---|---|---|---|---|---|---|---|",
	);
	for (const folder of readdirSync(data, { withFileTypes: true })) {
		const name = folder.name.split("_")[0];
		if (folder.isDirectory() && (!wanted || wanted.includes(name)))
			console.log(await rowOf(join(data, folder.name), name));
	}
}

async function rowOf(folder: string, name: string): Promise<string> {
	try {
		const { run, petab } = runOf(folder);
		const began = process.cpuUsage();
		const { ODENTIFY_SECONDS = Number.POSITIVE_INFINITY } = process.env;
		const late = performance.now() + 1000 * Number(ODENTIFY_SECONDS);
		while (!(await run.advance()).done && performance.now() < late);
		const { user, system } = process.cpuUsage(began);
		const seconds = (user + system) / 1e6;
		const likelihoods = await objectives(run, petab);
		const reached = Math.min(...likelihoods);
		const known = published[name]?.best;
		const within = likelihoods.filter((value) => value <= (known ?? reached) + 0.1).length;
		const cells = [
			name,
			run.estimation.unknowns.length,
			reached.toFixed(3),
			known ?? "",
			`${within}/${likelihoods.length}`,
			published[name]?.share ?? "",
			(seconds / likelihoods.length).toFixed(2),
			`${seconds.toFixed(1)}${run.phase === "done" ? "" : ` (ended in ${run.phase})`}`,
			[...likelihoods]
				.sort((a, b) => a - b)
				.slice(0, 10)
				.map((value) => value.toFixed(2))
				.join(" "),
		];
		return `| ${cells.join(" | ")} |`;
	} catch (error) {
		const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
		return `| ${name} | refused: ${why.slice(0, 160)} | | | | | | |`;
	}
}

function runOf(folder: string): { run: FitRun; petab: PetabProblem } {
	const open = (file: string): string | undefined =>
		existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : undefined;
	const file = readdirSync(folder).find((each) => /\.ya?ml$/.test(each) && looksLikePetab(open(each)!))!;
	const petab = readPetab(open(file)!, file, open);
	const { files } = petabStudy(petab, open);
	const study = parseStudy(files.get("study.yaml")!, "study.yaml", methods);
	const model = parseModel(files.get("model.ode")!, "model.ode");
	const tables = new Map(
		study.records.map(({ file: each }) => [
			each!,
			readCsv(new TextEncoder().encode(files.get(each!)!), each!),
		]),
	);
	const {
		ODENTIFY_STARTS,
		ODENTIFY_SHORT,
		ODENTIFY_CANDIDATES,
		ODENTIFY_HOPS,
		ODENTIFY_SEED = 1,
	} = process.env;
	const seed = Number(ODENTIFY_SEED);
	const problem = { ...problemFromStudy(study, model, tables, inline), seed };
	const asked = {
		...(ODENTIFY_STARTS && { starts: Number(ODENTIFY_STARTS) }),
		...(ODENTIFY_SHORT && {
			short: Number(ODENTIFY_SHORT),
			candidates: Math.ceil(1.5 * Number(ODENTIFY_SHORT)),
		}),
		...(ODENTIFY_HOPS && { hops: Number(ODENTIFY_HOPS) }),
		...(ODENTIFY_CANDIDATES && { candidates: Number(ODENTIFY_CANDIDATES) }),
	};
	const options = { ...defaultOptions(fitOptions), ...study.options.fit, profile: false, ...asked };
	return { run: new FitRun(problem, options as FitRun["options"]), petab };
}

/** Of the end of each start; where the time is over before, of the best of each so far. */
async function objectives(run: FitRun, petab: PetabProblem): Promise<number[]> {
	const { misfit, starts } = run;
	const { observations, unknowns } = run.estimation;
	const machines = (run.search ?? run.starting.short)?.machines ?? [];
	const hops = run.starting.hops ?? run.cutting.hops;
	const reached = hops
		? hops.members.map(({ z }) => z)
		: machines.filter(({ told }) => told).map(({ best }) => best);
	const followed = starts.length > 0 ? [...starts.map(({ z }) => Float64Array.from(z)), run.best] : [];
	const ends = starts.length > 0 && !run.cutting.hops ? followed : [...reached, ...followed];
	const values: number[] = [];
	for (const z of ends) {
		const natural = naturalPoint(unknowns, z);
		const [fitted] = await misfit.forward.evaluate([natural], false);
		let sd = weightsAt(misfit, fitted);
		if (costKind(misfit) === "scaledSquares") {
			const squares = sd.reduce(
				(sum, own, i) => sum + ((observations.values[i] - fitted.value[i]) / own) ** 2,
				0,
			);
			const factor = Math.sqrt(squares / sd.length);
			sd = sd.map((own) => own * factor);
		}
		const { logLikelihood } = goodnessOf(observations, fitted.value, sd, unknowns.length);
		const value = -logLikelihood - logPrior(run, petab, natural);
		values.push(Number.isNaN(value) ? Number.POSITIVE_INFINITY : value);
	}
	// The best start may have been followed further, with finer integration.
	if (starts.length > 0) {
		const last = values.pop()!;
		const best = values.indexOf(Math.min(...values));
		values[best] = Math.min(values[best], last);
	}
	return values;
}

/** Of what a fit counts as knowledge, on the scales that the problem declares. */
function logPrior({ options, estimation }: FitRun, petab: PetabProblem, natural: Float64Array): number {
	if (!options.priors) return 0;
	return estimation.unknowns.reduce((sum, { name }, i) => {
		const parameter = petab.parameters.get(name);
		return parameter?.prior ? sum + logPriorOf(parameter, natural[i]) : sum;
	}, 0);
}
