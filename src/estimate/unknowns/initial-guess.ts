/** First guess of an initial value: from the samples, where a component or the state below it is measured directly. */

import type { Model } from "../../model/model.ts";
import { squared } from "../../num/whole-power.ts";
import { measuredValue } from "../observe/compared.ts";
import type { Observations, OutputGroup } from "../observe/observations.ts";

export function initialGuess(
	model: Model,
	observations: Observations,
	component: number,
	experiment: number,
): number | undefined {
	const measured = (name: string): OutputGroup | undefined =>
		observations.groups.find((group) => {
			const node = measuredValue(group.measure);
			return group.experiment === experiment && node.op === "sym" && node.name === name;
		});
	const direct = measured(model.components[component]);
	if (direct) return natural(direct, 0);
	// The slope of the first samples of x is a guess of x'.
	const below = /^(.*)'$/.exec(model.components[component])?.[1];
	const position = below === undefined ? undefined : measured(below);
	return position && slope(position);
}

function natural({ law, observed }: OutputGroup, i: number): number {
	return law.scale.fromCompared(observed[i]);
}

function slope(group: OutputGroup): number | undefined {
	const n = Math.min(5, group.t.length);
	if (n < 2) return undefined;
	const t = Array.from({ length: n }, (_, i) => group.t[i] - group.t[0]);
	const y = t.map((_, i) => natural(group, i));
	const meanT = t.reduce((a, b) => a + b) / n;
	const meanY = y.reduce((a, b) => a + b) / n;
	const covariance = t.reduce((sum, ti, i) => sum + (ti - meanT) * (y[i] - meanY), 0);
	return covariance / t.reduce((sum, ti) => sum + squared(ti - meanT), 0);
}
