/** Records that are driven with their own period: by formulas of time, by inputs that jump, at a multiple of the drive's period. */
import { describe, expect, test } from "vitest";
import { model, record, run, simulate } from "../../../src/index.ts";
import { deviations } from "./answers.ts";

const duffing = (unknown: string): string => `${unknown}
input u = 0.8*cos(1.2*t)
state x = 0.1, v = 0
x' = v
v' = -d*v - k*x - k3*x^3 + u
measure y ~ normal(x, 0.01)`;
const duffingTruth = { d: 0.3, k: 1, k3: 0.5 };

const nagumo = (unknown: string): string => `${unknown}
input I
state v = -1, w = -0.6
v' = v - v^3/3 - w + I
w' = e*(v + a - b*w)
measure y ~ normal(v, 0.01)`;
const nagumoTruth = { e: 0.08, a: 0.7, b: 0.8 };

/** The samples from `from` on: transients have died out by then. */
function settled(columns: Record<string, ArrayLike<number>>, from: number): Record<string, number[]> {
	return Object.fromEntries(
		Object.entries(columns).map(([name, values]) => [name, Array.from(values).slice(from)]),
	);
}

function duffingRecord(seed: number) {
	const times = Array.from({ length: 1400 }, (_, i) => i / 10);
	const text = duffing("param d, k, k3");
	const { columns } = simulate(model(text), { times, values: duffingTruth, noise: true, seed });
	return record(settled({ t: times, y: columns.y }, 1000));
}

function nagumoRecord(seed: number) {
	const times = Array.from({ length: 2700 }, (_, i) => i / 5);
	const I = times.map((_, i) => (i % 225 < 30 ? 0.9 : 0.05));
	const { columns } = simulate(model(nagumo("param e, a, b")), {
		times,
		values: nagumoTruth,
		inputs: { I },
		input: "zoh",
		noise: true,
		seed,
	});
	return record(settled({ t: times, y: columns.y, I }, 1800), { input: "zoh" });
}

describe("by the integrals", () => {
	test("a Duffing oscillator driven by a formula of time, within its errors", async () => {
		const text = duffing("param d in [0, 2], k in [0, 5], k3 in [0, 5]");
		let square = 0;
		const seeds = 6;
		for (let seed = 1; seed <= seeds; seed++) {
			const result = await run(model(text), duffingRecord(seed), { method: "periodic" });
			expect(result.outcome).toBe("converged");
			expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
			const own = deviations(result, duffingTruth);
			// 18 of them: beyond 4 once in a thousand sets of seeds.
			for (const z of own) expect(Math.abs(z)).toBeLessThan(4);
			square += own[0] * own[0];
			const period = result.parameters.find(({ name }) => name === "period")!;
			expect(period.estimate).toBeCloseTo((2 * Math.PI) / 1.2, 9);
			expect(period.verdict).toBe("that of the drive");
			expect(result.message).toContain("answer to the drive with its period");
			expect(result.assumptions.join(" ")).toContain("What drives is known, and repeats itself");
		}
		// χ² with as many degrees: between its quantiles of 1e-4.
		expect(square).toBeGreaterThan(0.16);
		expect(square).toBeLessThan(27.9);
	});

	test("FitzHugh–Nagumo driven by pulses that are held between samples", async () => {
		const text = nagumo("param e in [0, 1], a in [-3, 3], b in [0, 3]");
		const result = await run(model(text), nagumoRecord(3), { method: "periodic" });
		expect(result.outcome).toBe("converged");
		for (const z of deviations(result, nagumoTruth)) expect(Math.abs(z)).toBeLessThan(4);
		expect(result.parameters.find(({ name }) => name === "period")!.estimate).toBeCloseTo(45, 9);
		const { simulation } = result.summary as unknown as { simulation: { rms: number } };
		expect(simulation.rms).toBeLessThan(0.011);
	});
});

describe("refused", () => {
	const text = "param a in [0, 5]\ninput u\nstate x = 0\nx' = -a*x + u\nmeasure y ~ normal(x, 0.01)";
	const times = Array.from({ length: 400 }, (_, i) => i / 20);

	test("an input that does not repeat itself", async () => {
		const u = times.map((t) => Math.sin(t) * Math.exp(t / 8));
		const data = record({ t: times, u, y: u });
		await expect(run(model(text), data, { method: "periodic" })).rejects.toThrow(/input u/);
	});
	test("frequencies without a common period", async () => {
		const two = text.replace("input u\n", "input u = sin(t) + cos(sqrt(2)*t)\n");
		const y = times.map((t) => Math.sin(t));
		await expect(run(model(two), record({ t: times, y }), { method: "periodic" })).rejects.toThrow(
			/periods that have no common multiple/,
		);
	});
});
