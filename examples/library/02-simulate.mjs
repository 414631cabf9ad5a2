// Simulate a driven oscillator, with the noise that its measurement declares.
import { model, simulate } from "odentify";

const oscillator = model(`
	input u
	param m = 1, c = 0.2, k = 3
	state x = 0, x' = 0
	m*x'' + c*x' + k*x = u
	measure y ~ normal(x, 0.01)
`);
const times = Array.from({ length: 201 }, (_, i) => i / 10);
const { columns } = simulate(oscillator, {
	times,
	inputs: { u: times.map((t) => Math.sin(1.5 * t)) },
	noise: true,
});
const largest = Math.max(...columns.y.map(Math.abs));
console.log(`${columns.y.length} samples, largest deflection ${largest.toFixed(1)}`);
