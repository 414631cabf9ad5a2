/** The computed coefficients of Radau IIA: against numbers to more digits, and by what they must fulfil. */
import { describe, expect, it } from "vitest";
import { gaussRule } from "../../src/num/gauss-legendre.ts";
import { radau9, radauTable } from "../../src/solve/stiff/radau-table.ts";

const root6 = Math.sqrt(6);
/** Nodes and eigenvalues to 20 digits, computed with 40; those of three stages are published in closed form. */
const known = {
	3: {
		c: [(4 - root6) / 10, (4 + root6) / 10, 1],
		real: 3.6378342527444957322,
		complex: [[2.6810828736277521339, 3.0504301992474105694]],
	},
	5: {
		c: [0.057104196114517682193, 0.27684301363812382768, 0.58359043236891682006, 0.86024013565621944785, 1],
		real: 6.2867047517292766452,
		complex: [
			[5.7009532986717894192, 3.2102656003085498884],
			[3.6556943254635722582, 6.543736899360077294],
		],
	},
} as const;
/** D for five stages: the inverse of A, computed with 40 digits. */
const D5 = [
	[
		8.75592397793836167, 2.8919426153801174, -0.875186396200265026, 0.399705207939965483,
		-0.133706163849215836,
	],
	[
		-7.16138072014538703, 1.80607772408364436, 2.36379717606860837, -0.865900780283134519,
		0.274338077775194202,
	],
	[
		4.12216524624337378, -4.49601712581339472, 0.856765245397177605, 2.51832094921106437,
		-0.657062757134360106,
	],
	[
		-3.87866321972401033, 3.39315191806495417, -5.18834090640718688, 0.581233052580816364,
		2.80998365527971233,
	],
	[8.41242422359428866, -6.97025611665666097, 8.77711420415047324, -18.2192823110881009, 13],
];

const near = (value: number, wanted: number, relative: number) =>
	expect(Math.abs(value - wanted)).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(wanted)));

describe.each([3, 5] as const)("Radau IIA with %i stages", (s) => {
	const table = s === 5 ? radau9 : radauTable("radau9", s);
	const { c, D, T, inverseT, startSlope } = table;

	it("has the known nodes and eigenvalues to 1e-15", () => {
		c.forEach((node, i) => {
			near(node, known[s].c[i], 2e-16);
		});
		near(table.real, known[s].real, 1e-15);
		expect(table.complex.length).toBe((s - 1) / 2);
		for (const [re, im] of known[s].complex) {
			const found = table.complex.find((pair) => Math.abs(pair[0] - re) < 1e-3)!;
			near(found[0], re, 1e-15);
			near(found[1], im, 1e-15);
		}
	});

	it("differentiates polynomials that are 0 at 0, at the nodes and at 0", () => {
		for (let power = 1; power <= s; power++) {
			const values = c.map((node) => node ** power);
			const slopes = D.map((row) => row.reduce((sum, d, j) => sum + d * values[j], 0));
			slopes.forEach((slope, i) => {
				near(slope, power * c[i] ** (power - 1), 5e-15);
			});
			near(
				startSlope.reduce((sum, d, j) => sum + d * values[j], 0),
				power === 1 ? 1 : 0,
				5e-15,
			);
		}
	});

	it("has weights of order 2s - 1 at its end", () => {
		// The weights b are the last row of A, so b D = (0, ..., 0, 1).
		const b = weights(c);
		for (let power = 0; power <= 2 * s - 2; power++)
			near(
				b.reduce((sum, weight, j) => sum + weight * c[j] ** power, 0),
				1 / (power + 1),
				5e-15,
			);
		D[0].forEach((_, j) => {
			near(
				b.reduce((sum, weight, i) => sum + weight * D[i][j], 0),
				j === s - 1 ? 1 : 0,
				1e-14,
			);
		});
	});

	it("has D = T L T^-1", () => {
		const L = T.map(() => T.map(() => 0));
		L[0][0] = table.real;
		table.complex.forEach(([re, im], k) => {
			const i = 1 + 2 * k;
			L[i][i] = re;
			L[i][i + 1] = -im;
			L[i + 1][i] = im;
			L[i + 1][i + 1] = re;
		});
		const back = product(product(T, L), inverseT);
		D.forEach((row, i) => {
			row.forEach((value, j) => {
				near(back[i][j], value, 2e-14);
			});
		});
	});
});

it("has D of five stages to 1e-15", () => {
	radau9.D.forEach((row, i) => {
		row.forEach((value, j) => {
			near(value, D5[i][j], 1e-15);
		});
	});
});

/** Integrals over [0, 1] of the Lagrange polynomials through the nodes. */
function weights(c: readonly number[]): number[] {
	const rule = gaussRule(3);
	return c.map((node, j) => {
		const at = (x: number) =>
			c.reduce((value, other, k) => (k === j ? value : (value * (x - other)) / (node - other)), 1);
		return rule.nodes.reduce((sum, x, k) => sum + rule.weights[k] * at(x), 0);
	});
}

function product(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] {
	return a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
}
