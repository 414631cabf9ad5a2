/** PEtab problems in the folder that --data names, each in a folder of its own: likelihood and chi² at the nominal values, beside those of a solution file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { looksLikePetab } from "../src/formats/petab/looks-like.ts";
import { readPetab } from "../src/formats/petab/problem.ts";
import { petabLikelihood } from "../src/study/petab/likelihood.ts";

export async function bench(data?: string): Promise<void> {
	if (data === undefined || !existsSync(data)) {
		console.log("passed over: the problems are not at hand (npm run bench -- petab --data DIR)");
		return;
	}
	console.log("| problem | log-likelihood | chi2 | expected | seconds |\n|---|---|---|---|---|");
	for (const { name, isDirectory } of readdirSync(data, { withFileTypes: true }).map((entry) => ({
		name: entry.name,
		isDirectory: entry.isDirectory(),
	})))
		if (isDirectory) console.log(rowOf(join(data, name), name));
}

function rowOf(folder: string, name: string): string {
	const open = (file: string): string | undefined =>
		existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : undefined;
	const files = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
	const file = files.find((each) => looksLikePetab(open(each)!));
	if (file === undefined) return `| ${name} | no problem | | | |`;
	const solution = files.find((each) => each.endsWith("_solution.yaml"));
	const expected = solution ? Number(/^llh: *(.*)$/m.exec(open(solution)!)?.[1]) : undefined;
	const start = performance.now();
	try {
		const { logLikelihood, chi2 } = petabLikelihood(readPetab(open(file)!, file, open), open);
		const seconds = ((performance.now() - start) / 1000).toFixed(1);
		return `| ${name} | ${logLikelihood.toFixed(4)} | ${chi2.toFixed(4)} | ${expected?.toFixed(4) ?? ""} | ${seconds} |`;
	} catch (error) {
		const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
		return `| ${name} | refused: ${why.slice(0, 160)} | | ${expected?.toFixed(4) ?? ""} | |`;
	}
}
