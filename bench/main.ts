/** npm run bench [-- NAME…]: each bench prints a table of ratios measured in one run, with spread. */
const benches: Record<string, () => Promise<{ bench: () => Promise<void> }>> = {
	kernels: () => import("./kernels.ts"),
	solvers: () => import("./solvers.ts"),
	data: () => import("./data.ts"),
	interval: () => import("./interval.ts"),
	compute: () => import("./compute.ts"),
	cuda: () => import("./cuda.ts"),
	fit: () => import("./fit.ts"),
	bayes: () => import("./bayes.ts"),
	calibration: () => import("./calibration.ts"),
	periodic: () => import("./periodic.ts"),
	inversion: () => import("./inversion.ts"),
	kriging: () => import("./kriging.ts"),
	guaranteed: () => import("./guaranteed.ts"),
	judge: () => import("./judge.ts"),
	workbench: () => import("./workbench.ts"),
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
	const load = benches[name];
	if (!load) {
		console.error(`There is no bench "${name}". There are: ${Object.keys(benches).join(", ")}.`);
		process.exit(2);
	}
	console.log(`\n== ${name}`);
	await (await load()).bench();
}
