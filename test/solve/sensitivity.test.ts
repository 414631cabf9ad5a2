import { describe, expect, it } from "vitest";
import type { MethodName } from "../../src/solve/ivp.ts";
import { type SensitiveIvp, solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";

const methods: (MethodName | "auto")[] = ["tsit5", "dop853", "rodas5p", "rodas6p", "radau9", "auto"];

/** x' = -p x + q: known in closed form. Columns: p, q, x(0). */
const decay = (p: number, q: number): SensitiveIvp => ({
	n: 1,
	nParams: 2,
	autonomous: true,
	rhs: (_t, x, out) => void (out[0] = -p * x[0] + q),
	jacobian: (_t, _x, out) => void (out[0] = -p),
	paramJacobian(_t, x, out) {
		out[0] = -x[0];
		out[1] = 1;
	},
});

/** Robertson's reaction with its three rates as parameters. */
function robertson(k: readonly number[]): SensitiveIvp {
	return {
		n: 3,
		nParams: 3,
		autonomous: true,
		names: ["A", "B", "C"],
		paramNames: ["k1", "k2", "k3"],
		rhs(_t, [a, b, c], out) {
			out[0] = -k[0] * a + k[1] * b * c;
			out[1] = k[0] * a - k[1] * b * c - k[2] * b * b;
			out[2] = k[2] * b * b;
		},
		jacobian(_t, [_a, b, c], out) {
			out.set([-k[0], k[1] * c, k[1] * b]);
			out.set([k[0], -k[1] * c - 2 * k[2] * b, -k[1] * b], 3);
			out.set([0, 2 * k[2] * b, 0], 6);
		},
		paramJacobian(_t, [a, b, c], out) {
			out.set([-a, b * c, 0]);
			out.set([a, -b * c, -b * b], 3);
			out.set([0, 0, b * b], 6);
		},
		secondDirectional(_t, [, b, c], S, [ka, kb, kc], out) {
			const m = S.length / 3;
			for (let j = 0; j < m; j++) {
				const [sb, sc] = [S[m + j], S[2 * m + j]];
				const mixed = k[1] * (kc * sb + kb * sc);
				const square = 2 * k[2] * kb * sb;
				const byParam = [
					[-ka, ka, 0],
					[kb * c + b * kc, -kb * c - b * kc, 0],
					[0, -2 * b * kb, 2 * b * kb],
				][j] ?? [0, 0, 0];
				out[j] = mixed + byParam[0];
				out[m + j] = -mixed - square + byParam[1];
				out[2 * m + j] = square + byParam[2];
			}
		},
	};
}

describe.each(methods)("%s", (method) => {
	it("has the sensitivities of a linear equation, by parameters and initial value", () => {
		const [p, q, x0, t] = [0.7, 2, 5, 3];
		const solution = solveWithSensitivities(
			decay(p, q),
			0,
			t,
			Float64Array.of(x0),
			Float64Array.of(0, 0, 1),
			{
				method,
				rtol: 1e-9,
				atol: 1e-9,
				saveAt: [t],
			},
		);
		const e = Math.exp(-p * t);
		expect(solution.outcome).toBe("converged");
		expect(solution.nColumns).toBe(3);
		expect(solution.x[0]).toBeCloseTo(q / p + (x0 - q / p) * e, 7);
		expect(solution.S[0]).toBeCloseTo(-q / p ** 2 + (q / p ** 2) * e - t * (x0 - q / p) * e, 7);
		expect(solution.S[1]).toBeCloseTo((1 - e) / p, 7);
		expect(solution.S[2]).toBeCloseTo(e, 7);
	});
});

describe("a stiff reaction", () => {
	const k = [0.04, 1e4, 3e7];
	const x0 = Float64Array.of(1, 0, 0);
	const t1 = 40;
	const saveAt = [0.4, 4, 40];
	const tight = { method: "rodas6p", rtol: 1e-11, atol: 1e-15, saveAt } as const;

	/** dx/dk by central differences of tight solutions. */
	const differences = k.map((value, j) => {
		const at = (factor: number) => solveIvp(robertson(k.with(j, value * factor)), 0, t1, x0, tight).x;
		const [ahead, behind] = [at(1 + 1e-4), at(1 - 1e-4)];
		return ahead.map((a, i) => (a - behind[i]) / (2e-4 * value));
	});

	it.each([
		["rodas5p", true],
		["rodas6p", true],
		["rodas6p", false],
		["radau9", true],
		["radau9", false],
		["auto", true],
	] as const)(
		"has the sensitivities that differences give: %s, second derivatives given: %s",
		(method, given) => {
			const ivp = { ...robertson(k), ...(given ? {} : { secondDirectional: undefined }) };
			const { outcome, S, stats } = solveWithSensitivities(ivp, 0, t1, x0, new Float64Array(9), {
				method,
				rtol: 1e-8,
				atol: 1e-12,
				columnScale: k,
				saveAt,
			});
			expect(outcome).toBe("converged");
			saveAt.forEach((_, row) => {
				for (let i = 0; i < 3; i++)
					for (let j = 0; j < 3; j++) {
						const expected = differences[j][row * 3 + i];
						const found = S[row * 9 + i * 3 + j];
						// Differences are good to some 1e-6 of the larger sensitivities of the column.
						const scale = Math.abs(expected) + 1e-3 * Math.abs(differences[j][row * 3]);
						expect(Math.abs(found - expected)).toBeLessThan(2e-5 * scale);
					}
			});
			// One factorisation a step, or three for collocation, whatever the number of columns.
			const most = method.startsWith("rodas") ? 1 : 3;
			expect(stats.factorizations).toBeLessThanOrEqual(most * (stats.steps + stats.rejected));
		},
	);

	it("conserves mass: the sensitivities of all species add up to none", () => {
		const { S, t } = solveWithSensitivities(robertson(k), 0, t1, x0, new Float64Array(9), {
			method: "rodas5p",
		});
		for (let row = 0; row < t.length; row++)
			for (let j = 0; j < 3; j++) {
				const [a, b, c] = [0, 1, 2].map((i) => S[row * 9 + i * 3 + j]);
				expect(Math.abs(a + b + c)).toBeLessThan(1e-9 * (1e-12 + Math.abs(a) + Math.abs(b) + Math.abs(c)));
			}
	});

	it("gives the same with and without error control of the sensitivities, at fewer steps without", () => {
		const options = { method: "rodas6p", rtol: 1e-7, atol: 1e-11, columnScale: k, saveAt: [t1] } as const;
		const both = solveWithSensitivities(robertson(k), 0, t1, x0, new Float64Array(9), options);
		const states = solveWithSensitivities(robertson(k), 0, t1, x0, new Float64Array(9), {
			...options,
			controlSensitivities: false,
		});
		expect(states.stats.steps).toBeLessThan(both.stats.steps);
		both.S.forEach((value, i) => {
			expect(Math.abs(states.S[i] - value)).toBeLessThan(1e-4 * Math.abs(value));
		});
	});
});

describe("dense output and failures", () => {
	it("interpolates the sensitivities", () => {
		const solution = solveWithSensitivities(decay(1, 0), 0, 2, Float64Array.of(1), Float64Array.of(0, 0, 1), {
			rtol: 1e-9,
			atol: 1e-9,
			dense: true,
		});
		const x = new Float64Array(1);
		const S = new Float64Array(3);
		solution.at!(1.234, x, S);
		expect(x[0]).toBeCloseTo(Math.exp(-1.234), 7);
		expect(S[0]).toBeCloseTo(-1.234 * Math.exp(-1.234), 7);
		expect(S[2]).toBeCloseTo(Math.exp(-1.234), 7);
	});

	it("names a sensitivity that is not finite", () => {
		const ivp: SensitiveIvp = {
			...decay(1, 1),
			names: ["x"],
			paramNames: ["p", "q", "x0"],
			paramJacobian: (_t, _x, out) => void out.fill(Number.NaN, 1, 2),
		};
		const { outcome, message } = solveWithSensitivities(
			ivp,
			0,
			1,
			Float64Array.of(1),
			Float64Array.of(0, 0, 1),
		);
		expect(outcome).toBe("notFinite");
		expect(message).toContain("the derivative of d(x)/d(q) is not a finite number");
	});

	it("refuses initial sensitivities of the wrong shape", () => {
		expect(() => solveWithSensitivities(decay(1, 1), 0, 1, Float64Array.of(1), Float64Array.of(0))).toThrow(
			/initial sensitivities: have 1 values, for 1 states and 2 parameters/,
		);
	});
});
