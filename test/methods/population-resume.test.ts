/** A population that is resumed ends where one that went through ends, to the bit: parameters, counts, files and doubts. */
import { expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { record } from "../../src/data/data-record.ts";
import { bayes } from "../../src/methods/bayes/bayes.ts";
import { fit } from "../../src/methods/fit/fit.ts";
import type { Method } from "../../src/methods/method.ts";
import type { OptionTable } from "../../src/methods/options.ts";
import { runOf } from "../../src/methods/run.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { stream } from "../../src/num/random.ts";

const decay = `param m ~ normal(0, 1)
param w ~ halfnormal(1)
param s ~ halfnormal(0.5)
param k[record] ~ lognormal(m, w)
state x = 2
x' = -k*x*(1 + 3*sin(8*t))
measure y ~ normal(x, s)
`;
const random = stream(8, "decays");
const t = [0.2, 0.5, 0.9, 1.4, 2];
const records = Array.from({ length: 4 }, (_, u) => {
	const k = Math.exp(0.4 * random.normal(100 + u));
	const y = t.map((time, i) => 2 * Math.exp(-k * time) + 0.05 * random.normal(10 * u + i));
	return record({ t, y }, { name: `unit ${u}` });
});

/** The same method, of which nothing but its checkpoint is left after each step. */
function forgetful<State, Options extends OptionTable, Summary>(method: Method<State, Options, Summary>) {
	let again: (bytes: Uint8Array) => Promise<State>;
	return {
		...method,
		async prepare(...[problem, options]: Parameters<typeof method.prepare>) {
			again = (bytes) => method.load(problem, options, bytes);
			return { state: await method.prepare(problem, options) };
		},
		async advance(run: { state: State }) {
			const progress = await method.advance(run.state);
			run.state = await again(method.save(run.state));
			return progress;
		},
		result: (run: { state: State }) => method.result(run.state),
	};
}

it.each([
	["fit", fit, { starts: 2 }],
	["bayes", bayes, { particles: 150 }],
] as const)("%s", async (_name, method, options) => {
	const answers = [];
	for (const each of [method, forgetful(method as never)]) {
		const answer = await runOf(each as never, parseModel(decay, "m.ode"), records, options, {
			compute: inline,
		});
		const text = JSON.stringify(answer, (key, value) => (/seconds|timing/i.test(key) ? 0 : value));
		answers.push(JSON.parse(text) as Record<string, unknown>);
	}
	expect(answers[0].outcome).toBe("converged");
	expect(answers[1]).toEqual(answers[0]);
});
