/** Morris–Lecar with a potassium conductance that drifts, as a formula of time, and records of it. */
import { model, record, simulate } from "../../../src/index.ts";
import { stream } from "../../../src/num/random.ts";
import { morrisLecar } from "./models.ts";
import { oscillators } from "./oscillators.ts";

const { truth, period } = oscillators.morrisLecar;
const noise = 0.1;

/** With gK declared as drifting; nothing is said of how. */
export const driftingModel = morrisLecar.replace(
	"param gCa, gK, gL, I, V1",
	"param gK, gK' in [-0.01, 0.01]\nparam gCa, gL, I, V1",
);
export const driftingStart: Record<string, number> = Object.fromEntries(
	Object.entries(truth).map(([name, value]) => [name, 1.1 * value]),
);
export const sharedTruth: Record<string, number> = Object.fromEntries(
	Object.entries(truth).filter(([name]) => name !== "gK"),
);

/** A random drift: up to 8 % either way, in up to 1.2 waves. */
export function driftingRecord(periods: number, perPeriod: number, seed: number) {
	const random = stream(seed, "random drift");
	const size = 0.02 + 0.06 * random.uniform(0);
	const rate = (2 * Math.PI * (0.2 + random.uniform(1))) / (periods * period);
	const phase = 2 * Math.PI * random.uniform(2);
	const text = morrisLecar
		.replace("param gCa, gK,", "param gCa,")
		.replace("let mInf", `let gK = -2*(1 + ${size}*sin(${rate}*t + ${phase}))\nlet mInf`)
		.replace("state v, q", "state v = 0, q = 0.0319")
		.replace("measure y = v", `measure y ~ normal(v, ${noise})`);
	const times = Array.from({ length: periods * perPeriod }, (_, i) => (i * period) / perPeriod);
	const { columns } = simulate(model(text), { times, values: sharedTruth, noise: true, seed });
	return {
		data: record({ t: times, y: columns.y }),
		course: (t: number): number => -2 * (1 + size * Math.sin(rate * t + phase)),
	};
}

export interface Course {
	readonly parameter: string;
	readonly pieces: number;
	readonly t: readonly number[];
	readonly value: readonly number[];
	readonly sd: readonly number[];
}
