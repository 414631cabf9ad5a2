// Watch a run as it goes: a run is iterated over, and awaited for its result.
import { model, record, run, simulate } from "odentify";

const logistic = model(`
	param r ~ lognormal(0, 1), K ~ lognormal(log(10), 1)
	state n = 0.5
	n' = r*n*(1 - n/K)
	measure y ~ normal(n, 0.2)
`);
const times = Array.from({ length: 41 }, (_, i) => i / 4);
const { columns } = simulate(logistic, { times, values: { r: 0.9, K: 12 }, noise: true });
const fitting = run(logistic, record(columns));
let steps = 0;
for await (const { fraction, label } of fitting) {
	steps++;
	if (fraction === 1) console.log(`done after ${steps} steps: ${label}`);
}
const { message } = await fitting;
console.log(message);
