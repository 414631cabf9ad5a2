/** The rows of a likelihood against its own differences. */
import { expect } from "vitest";
import { costs, type LikelihoodProblem, misfits } from "../../../src/estimate/observe/likelihood.ts";

/** At z, a point of the search: the cost is that of the rows, and their product with the Jacobian is its gradient. */
export async function expectGradient(problem: LikelihoodProblem, z: Float64Array): Promise<void> {
	const n = z.length;
	const [{ residual, jacobian, cost }] = await misfits(problem, [z]);
	expect((await costs(problem, [z]))[0]).toBeCloseTo(cost, 9);
	for (let j = 0; j < n; j++) {
		const h = 1e-5;
		const [before, after] = await costs(
			problem,
			[-h, h].map((d) => z.map((value, i) => (i === j ? value + d : value))),
		);
		let gradient = 0;
		for (let i = 0; i < residual.length; i++) gradient += residual[i] * jacobian[i * n + j];
		const numeric = (after - before) / (2 * h);
		expect(Math.abs(gradient - numeric)).toBeLessThan(1e-5 * (1 + Math.abs(numeric) + Math.abs(cost)));
	}
}
