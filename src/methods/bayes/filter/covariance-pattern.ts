/** Which entries of the covariance can ever differ from zero, after a step or after data: what registers must hold. */
import type { Node } from "../../../model/graph.ts";
import { marks, type Row, Symmetric } from "./covariance.ts";
import type { FilterSpec } from "./filter-spec.ts";
import { momentStep } from "./moment-step.ts";

/** `dRhs` and `dMeasure`: slopes of right-hand sides (EKF1) and of measures by the components. */
export function covariancePattern(
	{ layout, model, diffusion, linearisation, update, form }: FilterSpec,
	dRhs: readonly (readonly Node[])[],
	dMeasure: readonly (readonly Node[])[],
): Symmetric<true> {
	let pattern = new Symmetric<true>(layout.nCoordinates);
	if (diffusion === "off") return pattern;
	const place = (name: string): number => {
		const { block, derivative } = layout.places.get(name)!;
		return layout.blocks[block].from + derivative;
	};
	const rowOf = (nodes: readonly Node[], own: readonly number[]): Row<true> => [
		...own.map((at) => ({ at, value: true as const })),
		...model.components.flatMap((name, i) =>
			nodes[i] === model.graph.zero ? [] : [{ at: place(name), value: true as const }],
		),
	];
	for (;;) {
		const P = pattern.copy();
		const g = layout.blocks.map(() => true as const);
		const step = momentStep(form, marks, layout, P, g);
		step.predict();
		for (const [k, { from, order }] of layout.blocks.entries())
			if (linearisation === "ekf1") {
				step.addNoise();
				step.condition(rowOf(dRhs[k], [from + order]), undefined);
			} else step.conditionOnEquation(k);
		step.addNoise();
		const union = pattern.copy();
		for (const [i, j] of P.pairs()) union.set(i, j, true);
		if (update) {
			for (const nodes of dMeasure) step.condition(rowOf(nodes, []), true);
			for (const [i, j] of P.pairs()) union.set(i, j, true);
		}
		if (union.pairs().length === pattern.pairs().length) return union;
		pattern = union;
	}
}
