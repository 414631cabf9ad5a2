// Every method that applies, on one question: do they agree?
import { model, record, run, simulate } from "odentify";

const decay = model(`
	param k ~ lognormal(log(0.5), 0.5)
	state x = 1
	x' = -k*x
	measure y ~ normal(x, 0.01)
`);
const times = Array.from({ length: 31 }, (_, i) => i / 5);
const { columns } = simulate(decay, { times, values: { k: 0.4 }, noise: true });
const { comparison, message } = await run(decay, record({ t: columns.t, y: columns.y }), { method: "all" });
for (const { method, parameters } of comparison.answers)
	for (const { name, estimate } of parameters) console.log(`${method}: ${name} = ${estimate.toFixed(3)}`);
console.log(message);
