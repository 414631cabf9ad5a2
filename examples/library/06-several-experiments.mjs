// Two experiments share their parameters; each has a start of its own.
import { model, record, run, simulate } from "odentify";

const cooling = model(`
	param h ~ lognormal(log(0.3), 1), room ~ normal(20, 5)
	state T
	T' = -h*(T - room)
	measure y ~ normal(T, 0.3)
`);
const times = Array.from({ length: 25 }, (_, i) => i / 2);
const cup = (start, seed) => {
	const values = { h: 0.25, room: 21, "T(0)": start };
	return record(simulate(cooling, { times, values, noise: true, seed }).columns, { name: `from ${start}` });
};
const { parameters } = await run(cooling, [cup(90, 1), cup(55, 2)]);
for (const { name, estimate } of parameters) console.log(`${name} = ${estimate.toFixed(2)}`);
