// A proof: every value of p that is consistent with bounded errors, and none that is not.
import { model, record } from "odentify";
import { guaranteed } from "odentify/guaranteed";

const tank = model(`
	param p in [0.1, 1]
	state h = 1
	h' = -p*sqrt(h)
	measure y in h +- 0.02
`);
const data = record({ t: [0, 0.5, 1, 1.5, 2], y: [1, 0.86, 0.72, 0.6, 0.49] });
const { outcome, summary } = await guaranteed(tank, data);
const { lo, hi } = summary.parameters.p;
console.log(`${outcome}: p lies between ${lo.toFixed(3)} and ${hi.toFixed(3)}`);
