/** Errors of measurements, as declared or as a fault has them. */

import { exp } from "../num/elementary/number.ts";
import { Draws } from "../num/statistics/draws.ts";
import type { Design } from "./design.ts";
import type { Disturbed } from "./disturbed.ts";

/** Bounded errors have this largest size in units of their standard deviation. */
export const boundOver = Math.sqrt(3);

export function noisy({ outputs, sd }: Disturbed, design: Design): Float64Array[][] {
	const d = new Draws(design.number, "noise");
	const { fault, noise } = design;
	const dose = fault?.dose ?? 0;
	const is = (name: string): boolean => fault?.kind.name === name;
	return outputs.map((record) =>
		record.map((values, o) => {
			let last = d.normal();
			return values.map((value) => {
				if (noise.kind === "bounded" && !is("outliers") && !is("correlated noise") && !is("heavy tails"))
					return value + boundOver * sd[o] * d.between(-1, 1);
				let z = d.normal();
				if (is("correlated noise")) {
					last = dose * last + Math.sqrt(1 - dose * dose) * z;
					z = last;
				}
				if (is("heavy tails")) z = student(d, dose);
				if (is("outliers") && d.chance(dose)) z += d.chance(0.5) ? 8 : -8;
				// In proportion to the value, with the same relative size everywhere.
				return noise.kind === "lognormal" ? value * exp(noise.level * z) : value + sd[o] * z;
			});
		}),
	);
}

/** Student's t with few degrees of freedom. */
function student(d: Draws, degrees: number): number {
	let sum = 0;
	for (let i = 0; i < degrees; i++) {
		const z = d.normal();
		sum += z * z;
	}
	return d.normal() / Math.sqrt(sum / degrees);
}
