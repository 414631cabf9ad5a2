// Stop a run from outside, and see a clear error for a bad model.
import { Cancelled, ModelError, model, record, run } from "odentify";

try {
	model("state x = 1\nx' = -k*x");
} catch (error) {
	if (error instanceof ModelError) console.log(error.message);
}

const decay = model("param k\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.02)");
const data = record({ t: [0, 1, 2, 3], y: [1, 0.6, 0.4, 0.2] });
const stop = new AbortController();
const fitting = run(decay, data, { signal: stop.signal });
stop.abort();
try {
	await fitting;
} catch (error) {
	if (error instanceof Cancelled) console.log(error.message);
}
