/** Which entries of the covariance can ever differ from zero, after a step or after data: what registers must hold. */
import type { Node } from "../../../model/graph.ts";
import { type MomentStep, marks, type Row, Symmetric } from "./covariance.ts";
import { equationRows } from "./equation-rows.ts";
import { type FilterSpec, isFlowing } from "./filter-spec.ts";
import { jumpingCoordinates } from "./jumps/jump-shift.ts";
import { coordinateOf, isDriven, stateNames } from "./layout.ts";
import { momentStep } from "./moment-step.ts";
import { noiseColumns } from "./noise/white-noise.ts";

/** `dRhs` and `dMeasure`: slopes of right-hand sides (EKF1, forces) and of measures by components and forces. */
export function covariancePattern(
	spec: FilterSpec,
	dRhs: readonly (readonly Node[])[],
	dMeasure: readonly (readonly Node[])[],
): Symmetric<true> {
	const { layout, model, diffusion, linearisation, update, form } = spec;
	let pattern = new Symmetric<true>(layout.nCoordinates);
	const flows = isFlowing(spec);
	if (diffusion === "off" && !isDriven(layout)) return pattern;
	const rowOf = (nodes: readonly Node[], own: readonly number[]): Row<true> => [
		...own.map((at) => ({ at, value: true as const })),
		...stateNames(model, layout).flatMap((name, i) =>
			nodes[i] === model.graph.zero ? [] : [{ at: coordinateOf(layout, name), value: true as const }],
		),
	];
	const slopes = dRhs.map((nodes) => rowOf(nodes, []));
	const jumps = jumpRows(spec);
	for (;;) {
		const P = pattern.copy();
		const g = diffusion === "off" ? undefined : layout.blocks.map(() => true as const);
		const step = momentStep(form, marks, layout, P, g);
		step.predict();
		if (flows) stepFlow(spec, step, slopes);
		else
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
		if (jumps.size > 0) {
			const jumped = union.copy();
			momentStep(form, marks, layout, jumped, undefined).transform(jumps);
			for (const [i, j] of jumped.pairs()) union.set(i, j, true);
		}
		if (union.pairs().length === pattern.pairs().length) return union;
		pattern = union;
	}
}

function stepFlow({ layout, model }: FilterSpec, step: MomentStep<true>, slopes: readonly Row<true>[]): void {
	step.addNoise();
	for (const { from, p } of layout.forces) {
		const places = Array.from({ length: p + 1 }, (_, i) => from + i);
		const row = places.map((at) => ({ at, value: true as const }));
		step.transform(new Map(places.map((i) => [i, row])));
		step.addBlock(
			from,
			places.map(() => places.map(() => true)),
		);
	}
	step.transform(equationRows(marks, layout, slopes, () => true));
	for (const noise of layout.noises) {
		const marked = (nodes: readonly Node[]): Map<number, true> =>
			new Map(
				model.components.flatMap((name, i) =>
					nodes[i] === model.graph.zero ? [] : [[coordinateOf(layout, name), true]],
				),
			);
		step.addColumns(
			noiseColumns(marks, layout, { start: marked(noise.slopes), drift: marked(noise.rates) }, slopes),
		);
	}
}

/** Coordinates whose dependence on others changes where inputs jump. */
function jumpRows(spec: FilterSpec): ReadonlyMap<number, Row<true>> {
	return new Map(
		jumpingCoordinates(spec)
			.filter(({ slopes }) => slopes.length > 0)
			.map(({ at, slopes }) => [
				at,
				[at, ...slopes.map((one) => one.at)].map((i) => ({ at: i, value: true })),
			]),
	);
}
