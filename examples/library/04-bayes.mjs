// A posterior: what is known of a growth rate after forty samples.
import { model, record, simulate } from "odentify";
import { bayes } from "odentify/bayes";

const logistic = model(`
	param r ~ lognormal(0, 1), K ~ lognormal(log(10), 1)
	state n = 0.5
	n' = r*n*(1 - n/K)
	measure y ~ normal(n, 0.2)
`);
const times = Array.from({ length: 41 }, (_, i) => i / 4);
const { columns } = simulate(logistic, { times, values: { r: 0.9, K: 12 }, noise: true });
const { summary } = await bayes(logistic, record(columns), { particles: 400 }, { seed: 3 });
const { mean, q05, q95 } = summary.parameters.r;
console.log(`r is ${mean.toFixed(2)}, with 90 % of its probability in ${q05.toFixed(2)} … ${q95.toFixed(2)}`);
