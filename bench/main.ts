/**
 * npm run bench [-- NAME… --data DIR]: each bench prints a table of ratios measured in one run, with spread. Some use the public
 * records, where --data names their folder.
 */
import { parseArgs } from "node:util";

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
	calibration: () => import("./calibration.ts"),
	periodic: () => import("./periodic.ts"),
	inversion: () => import("./inversion.ts"),
	kriging: () => import("./kriging.ts"),
	guaranteed: () => import("./guaranteed.ts"),
	judge: () => import("./judge.ts"),
	workbench: () => import("./workbench.ts"),
};

const { values, positionals: asked } = parseArgs({
	allowPositionals: true,
	options: { data: { type: "string" } },
});
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
	const load = benches[name];
	if (!load) {
		console.error(`There is no bench "${name}". There are: ${Object.keys(benches).join(", ")}.`);
		process.exit(2);
	}
	console.log(`\n== ${name}`);
	await (await load()).bench(values.data);
}
