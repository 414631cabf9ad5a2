/** Silverbox [longbottom2024] section 4.2: trained on one multisine, tested by simulating the arrow. */
import type { Table } from "../../src/data/table/table.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { ReproductionContext, ReproductionRow } from "../../src/report/reproduction.ts";
import {
	columnOf,
	experimentOf,
	posteriorOf,
	type RecordPart,
	type TestError,
	testError,
} from "./posterior-run.ts";

const rate = 610.3515625;

const duffing = `input u
param m  ~ lognormal(log(5e-6), 1)
param c  ~ lognormal(log(2e-4), 1)
param k  ~ lognormal(log(1), 1)
param k3 ~ lognormal(log(4), 1)
param s  ~ lognormal(log(1e-3), 1)
state x = 0, x' = 0
m*x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, s)`;

const extended = `input u
param m  ~ lognormal(log(5e-6), 1)
param c  ~ lognormal(log(2e-4), 1)
param k  ~ lognormal(log(1), 1)
param k2 ~ normal(0, 1)
param k3 ~ lognormal(log(4), 1)
param f0 ~ normal(0, 1e-3)
param s  ~ lognormal(log(1e-3), 1)
state x = 0, x' = 0
m*x'' + c*x' + k*x + k2*x^2 + k3*x^3 = u + f0
measure y ~ normal(x, s)`;

export const duffingModel = parseModel(duffing, "silverbox-0.ode");

/** Rows of the record, without its means. */
export function silverboxPart(table: Table, name: string, from: number, to: number): RecordPart {
	const times = Float64Array.from({ length: table.nRows }, (_, i) => i / rate);
	const u = withoutMean(columnOf(table, "V1"));
	const y = withoutMean(columnOf(table, "V2"));
	return { name, times, inputs: { u }, outputs: { y }, interpolation: "sinc", from, to };
}

export async function silverbox(
	context: ReproductionContext,
	progress: (fraction: number) => void,
): Promise<ReproductionRow[]> {
	const table = await context.record("silverbox/SNLS80mV.csv");
	const what = ["Silverbox arrow, Duffing", "Silverbox arrow, with quadratic stiffness and offset"];
	const paper = ["1.06 / 1.82 / 2.95 mV", "–"];
	const goals = [0.46e-3, 0.4e-3];
	if (!table)
		return what.map((text, i) => ({
			what: text,
			paper: paper[i],
			ours: "–",
			goal: `mean ≤ ${milli(goals[i])} mV`,
			verdict: "needs data",
			why: "silverbox/SNLS80mV.csv",
		}));
	const part = (name: string, from: number, to: number) => experimentOf(silverboxPart(table, name, from, to));
	const rows: ReproductionRow[] = [];
	for (const [i, model] of [duffingModel, parseModel(extended, "silverbox-1.ode")].entries()) {
		const share = (from: number, to: number) => (fraction: number) =>
			progress((i + from + (to - from) * fraction) / 2);
		const run = await posteriorOf(
			context,
			model,
			part("train", 49278, 52350),
			{ particles: context.quick ? 200 : 1000 },
			share(0, 0.8),
		);
		const error = await testError(
			context,
			run,
			model,
			part("arrow", 1000, 40000),
			{ substeps: run.settings.substeps, particles: context.quick ? 50 : 1000 },
			share(0.8, 1),
		);
		rows.push(rowOf(what[i], paper[i], error, goals[i], context.quick));
	}
	return rows;
}

function rowOf(what: string, paper: string, error: TestError, goal: number, quick: boolean): ReproductionRow {
	return {
		what: quick ? `${what} (200 particles)` : what,
		paper,
		ours: `${milli(error.min)} / ${milli(error.mean)} / ${milli(error.max)} mV`,
		goal: `mean ≤ ${milli(goal)} mV`,
		verdict: error.mean <= goal ? (paper === "–" ? "reached" : "better") : "not reached",
	};
}

/** The record's offsets (6.2 mV and 0.8 mV) are the amplifier's, not the oscillator's. */
function withoutMean(values: Float64Array): Float64Array {
	const mean = values.reduce((a, b) => a + b, 0) / values.length;
	return values.map((value) => value - mean);
}

function milli(value: number): string {
	return (1e3 * value).toFixed(3);
}
