// Which terms are there? A cubic library, fitted to the data and not to their derivatives.
import { model, record, simulate } from "odentify";
import { inversion } from "odentify/inversion";

const truth = model(`
	state x = 2, y = 0
	x' = y
	y' = (1 - x^2)*y - x
	measure xm ~ normal(x, 0.01)
	measure ym ~ normal(y, 0.01)
`);
const library = model(`
	unknown f(x, y) = polynomial(3)
	unknown g(x, y) = polynomial(3)
	state x, y
	x' = f(x, y)
	y' = g(x, y)
	measure xm ~ normal(x, 0.01)
	measure ym ~ normal(y, 0.01)
`);
const times = Array.from({ length: 401 }, (_, i) => i / 20);
const { columns } = simulate(truth, { times, noise: true });
const { summary } = await inversion(library, record({ t: columns.t, xm: columns.xm, ym: columns.ym }));
for (const { of, term, weight } of summary.terms) console.log(`${of}: ${weight.toFixed(2)} ${term}`);
