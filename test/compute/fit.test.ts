/** A whole fit, wherever its batches run: the same result, bit for bit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import { inline } from "../../src/compute/inline.ts";
import { native } from "../../src/compute/node/native.ts";
import { Threads } from "../../src/compute/node/threads.ts";
import { signalFrom } from "../../src/data/signal/signal.ts";
import { fit } from "../../src/methods/fit/fit.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import { build } from "../cli/odentify.ts";
import { hasCompiler } from "../lower/support/native.ts";
import { modelOf, regularTimes, simulateRecord } from "../methods/fit/records.ts";

const model = modelOf(`input u
param m ~ lognormal(0, 1), c ~ lognormal(-1, 1), k ~ lognormal(1, 1), k3 ~ lognormal(0, 1)
state x = 0, x' = 0
m*x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, 0.02)`);
const times = regularTimes(301, 0.05);
const force = Float64Array.from(times, (t) => 2 * Math.sin(1.1 * t) + Math.sin(2.9 * t + 1));
const record = simulateRecord({
	model,
	values: { m: 1, c: 0.2, k: 3, k3: 0.8 },
	x0: [0, 0],
	times,
	noise: { y: 0.02 },
	seed: 1,
	inputs: { u: signalFrom(times, force, "cubic") },
});

async function fitOn(compute: Compute): Promise<string> {
	const problem = { model, train: [record], test: [], start: {}, seed: 1, compute };
	const run = await fit.prepare(problem, defaultOptions(fit.options));
	while (!(await fit.advance(run)).done);
	const { parameters, summary, predictions, outcome } = await fit.result(run);
	return JSON.stringify({
		outcome,
		parameters,
		summary: { ...summary, timing: undefined },
		predictions: predictions.map(({ y }) => Array.from(y)),
	});
}

const cache = mkdtempSync(join(tmpdir(), "odentify-cache-"));
const before = process.env.XDG_CACHE_HOME;
beforeAll(async () => {
	process.env.XDG_CACHE_HOME = cache;
	await build();
}, 300_000);
afterAll(() => {
	if (before === undefined) delete process.env.XDG_CACHE_HOME;
	else process.env.XDG_CACHE_HOME = before;
	rmSync(cache, { recursive: true, force: true });
});

describe("a fit of the Duffing oscillator", () => {
	let expected: string;
	beforeAll(async () => {
		expected = await fitOn(inline);
		expect(JSON.parse(expected).outcome).toBe("converged");
	});

	test.each([1, 2, 4])("on %i threads", async (threads) => {
		const place = new Threads({ threads, smallest: 0 });
		try {
			expect((await fitOn(place)) === expected).toBe(true);
			if (threads > 1) expect(place.workers).toHaveLength(threads - 1);
		} finally {
			await place.close();
		}
	});

	test.runIf(hasCompiler)("as native code", async () => {
		const place = await native({ threads: 2, smallest: 0 });
		expect((await fitOn(place)) === expected).toBe(true);
	});
});
