/** Electro-mechanical positioning system [longbottom2024] section 4.3, in open loop. */
import { parseModel } from "../../../model/language/parse-model.ts";
import type { ReproductionContext, ReproductionRow } from "../../reproduction.ts";
import { columnOf, experimentOf, posteriorOf, testError } from "./posterior-run.ts";

const modelText = `input vir
param gtau   = 35.15065188
param M      ~ lognormal(log(90),  0.3)
param Fv     ~ lognormal(log(200), 0.5)
param Fc     ~ lognormal(log(20),  0.5)
param offset ~ normal(0, 5)
param s      ~ lognormal(log(1e-3), 2)
state q = 0, q' = 0
M*q'' + Fv*q' + Fc*sign(q') + offset = gtau*vir
measure qm ~ normal(q, s)`;

const why =
	"In open loop this is a double integrator: 1.8 mm is the best that any parameters reach when they are fitted to the test record itself, so 0.30–0.90 mm cannot be a simulation of its full length. In closed loop (vir = kv (kp (qg - q) - q')) 0.09 mm comes out for almost any parameters.";

export async function emps(
	context: ReproductionContext,
	progress: (fraction: number) => void,
): Promise<ReproductionRow[]> {
	const [train, test] = await Promise.all([
		context.record("emps/DATA_EMPS.csv"),
		context.record("emps/DATA_EMPS_PULSES.csv"),
	]);
	const row = { what: "EMPS, open loop", paper: "0.295 / 0.520 / 0.899 mm", goal: "mean ≤ 4.9 mm" };
	if (!train || !test) return [{ ...row, ours: "–", verdict: "needs data", why: "emps/DATA_EMPS.csv" }];
	const model = parseModel(modelText, "emps.ode");
	const part = (name: string, table: typeof train) =>
		experimentOf({
			name,
			times: columnOf(table, "t"),
			inputs: { vir: columnOf(table, "vir") },
			outputs: { qm: columnOf(table, "qm") },
			interpolation: "linear",
		});
	const run = await posteriorOf(
		context,
		model,
		part("train", train),
		{ integrationError: "none", q: 3, particles: context.quick ? 200 : 1000 },
		(fraction) => progress(0.9 * fraction),
	);
	const error = await testError(
		context,
		run,
		model,
		part("pulses", test),
		{ substeps: run.settings.substeps, particles: context.quick ? 50 : 1000 },
		(fraction) => progress(0.9 + 0.1 * fraction),
	);
	const mm = (value: number): string => (1e3 * value).toFixed(2);
	return [
		{
			...row,
			what: context.quick ? `${row.what} (200 particles)` : row.what,
			ours: `${mm(error.min)} / ${mm(error.mean)} / ${mm(error.max)} mm`,
			verdict: error.mean <= 4.9e-3 ? "reached" : "not reached",
			why: `${error.mean <= 4.9e-3 ? "The goal is ours; the paper's figure is not reproducible. " : ""}${why}`,
		},
	];
}
