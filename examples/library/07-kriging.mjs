// No equations: learn the field of a pendulum from its angle, and look at it.
import { model, record, simulate } from "odentify";
import { kriging } from "odentify/kriging";

const pendulum = model(`
	state a = 1.5, a' = 0
	a'' = -sin(a) - 0.1*a'
	measure y ~ normal(a, 0.01)
`);
const blackBox = model(`
	unknown f(a, w) ~ kriging(trend: 1)
	state a, a'
	a'' = f(a, a')
	measure y ~ normal(a, 0.01)
`);
const times = Array.from({ length: 121 }, (_, i) => i / 6);
const { columns } = simulate(pendulum, { times, noise: true });
const { message, files } = await kriging(blackBox, record({ t: columns.t, y: columns.y }));
console.log(message);
console.log(files.map(({ name }) => name).join(", "));
