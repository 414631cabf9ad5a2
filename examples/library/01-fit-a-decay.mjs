// Fit one number to a record that stands in the program.
import { model, record, run } from "odentify";

const decay = model(`
	param k
	state x = 1
	x' = -k*x
	measure y ~ normal(x, 0.02)
`);
const data = record({
	t: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4],
	y: [0.99, 0.63, 0.35, 0.24, 0.15, 0.07, 0.06, 0.02, 0.02],
});
const result = await run(decay, data);
const [{ name, estimate, sd }] = result.parameters;
console.log(`${name} = ${estimate.toFixed(2)} ± ${sd.toFixed(2)}`);
