/**
 * Where an input jumps, so do the derivatives that the equations give, and those above them; the state itself does not.
 * A solver that is not told takes the old derivatives into the new interval and meets the jump half a step early. Here each
 * such coordinate is shifted by what the jump does to its own expression, x^(n+j) += f^(j)(u after) - f^(j)(u before), with f^(j) the
 * derivatives along the solution: what the filter knows of the smooth part stays as it is.
 */
import type { Buffer, Value } from "../../../../lower/builder.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import type { Node } from "../../../../model/graph.ts";
import { substitute } from "../../../../model/walk.ts";
import type { Row } from "../covariance.ts";
import type { FilterScope, Symbols } from "../filter-scope.ts";
import { type FilterSpec, isFlowing } from "../filter-spec.ts";
import type { FlowMatrix } from "../flow-matrix.ts";
import { derivativesAlong, inputDerivative } from "../initial-derivatives.ts";
import type { ForceStep } from "../noise/force-step.ts";
import { measuredInputs } from "../noise/latent-force.ts";
import { afterSymbol, jumpChange, riseSymbol } from "./jump-change.ts";

/** A coordinate that jumps with the inputs. */
export interface JumpingCoordinate {
	readonly at: number;
	readonly derivative: number;
	/** By how much, in natural units. */
	readonly change: Node;
	/** Slopes of that by the coordinates that are named, where second moments follow slopes. */
	readonly slopes: readonly { readonly at: number; readonly of: string; readonly slope: Node }[];
}

export function jumpingCoordinates(spec: FilterSpec): JumpingCoordinate[] {
	if (!spec.jumps) return [];
	const { model, layout } = spec;
	const { graph } = model;
	const inputs = measuredInputs(model);
	const hasSlopes = isFlowing(spec) || (spec.linearisation === "ekf1" && spec.diffusion !== "off");
	const d = new Differentiator(graph);
	const coordinates = [
		...[...layout.places].map(([of, { block, derivative }]) => ({
			of,
			at: layout.blocks[block].from + derivative,
		})),
		...layout.forces.flatMap(({ name, p, from }) =>
			Array.from({ length: p + 1 }, (_, i) => ({ of: inputDerivative(name, i), at: from + i })),
		),
	];
	return layout.blocks.flatMap(({ rhs, q, order, from }) => {
		const count = q - order + 1;
		// Inputs are held on both sides.
		const flat = new Map<string, Node>();
		for (const name of inputs) for (let i = 1; i < count; i++) flat.set(inputDerivative(name, i), graph.zero);
		const values = substitute(graph, derivativesAlong(model, rhs, count), flat);
		return values.flatMap((value, j): JumpingCoordinate[] => {
			const change = jumpChange(graph, value, inputs);
			if (change === graph.zero) return [];
			const slopes = hasSlopes
				? coordinates
						.map((one) => ({ ...one, slope: d.jacobian([change], [one.of])[0] }))
						.filter(({ slope }) => slope !== graph.zero)
				: [];
			return [{ at: from + order + j, derivative: order + j, change, slopes }];
		});
	});
}

export class JumpShift {
	readonly #coordinates: readonly JumpingCoordinate[];
	readonly #jumpOf: Buffer;
	readonly #jumps: Buffer;

	constructor(
		readonly scope: FilterScope,
		readonly forces: ForceStep | undefined,
		readonly flow?: FlowMatrix,
	) {
		this.#coordinates = jumpingCoordinates(scope.spec);
		this.#jumpOf = scope.b.buffer("jumpOf", "uniform");
		this.#jumps = scope.b.buffer("jumps", "uniform");
	}

	/** Where a jump stands at the beginning of `step`. */
	write(step: Value): void {
		const { b } = this.scope;
		const which = b.load(this.#jumpOf, step);
		b.if(b.lt(b.constant(0), which), () => this.#shift(b.intSub(b.toInt(which), b.int(1)), step));
	}

	#shift(jump: Value, step: Value): void {
		const { scope } = this;
		const { b, row, uniform, mean } = scope;
		// The state still has the scale of the step before.
		if (!scope.spec.uniformSteps) row.load(b, uniform.scale, b.intSub(step, b.int(1)));
		const lowering = scope.lowering(this.#symbols(jump));
		const scaled = (node: Node, of: string | undefined, derivative: number): Value => {
			const [value] = lowering.lower([node]);
			return row.scaled(b, of === undefined ? value : this.#natural(of, value), derivative);
		};
		const moved = this.#coordinates.map(({ at, derivative, change }) =>
			b.add(b.get(mean[at]), scaled(change, undefined, derivative)),
		);
		const rows = new Map<number, Row<Value>>();
		for (const { at, derivative, slopes } of this.#coordinates)
			if (slopes.length > 0)
				rows.set(at, [
					{ at, value: 1 },
					...slopes.map((one) => ({ at: one.at, value: scaled(one.slope, one.of, derivative) })),
				]);
		for (const [k, { at }] of this.#coordinates.entries()) b.set(mean[at], moved[k]);
		if (rows.size === 0) return;
		const P = scope.covariance();
		scope.momentStep(P).transform(rows);
		scope.keepCovariance(P);
		this.flow?.begin();
		this.flow?.transform(rows);
		this.flow?.end();
	}

	/** Time and inputs at the jump; components and forces in natural units. */
	#symbols(jump: Value): Symbols {
		const { b, spec, inputs, mean } = this.scope;
		const { blocks, places, forces } = spec.layout;
		const symbols: Symbols = new Map();
		const first = b.intMul(jump, b.int(1 + 2 * inputs.length));
		const load = (i: number): Value => b.load(this.#jumps, b.intAdd(first, b.int(i)));
		symbols.set("t", () => load(0));
		for (const [j, name] of inputs.entries()) {
			const [before, after] = [load(1 + j), load(1 + inputs.length + j)];
			symbols.set(name, () => before);
			symbols.set(afterSymbol(name), () => after);
			symbols.set(riseSymbol(name), () => b.sub(after, before));
		}
		for (const [name, { block, derivative }] of places)
			symbols.set(name, () => this.#natural(name, b.get(mean[blocks[block].from + derivative])));
		const deepest = Math.max(...blocks.map(({ q, order }) => q - order + 1));
		for (const { name, p, from } of forces)
			for (let i = 0; i < Math.max(deepest, p + 1); i++) {
				const own = inputDerivative(name, i);
				symbols.set(own, () => (i <= p ? this.#natural(own, b.get(mean[from + i])) : b.constant(0)));
			}
		return symbols;
	}

	/** x, which goes with the coordinate of `name`, in natural units of that. */
	#natural(name: string, x: Value): Value {
		const { b, row, spec } = this.scope;
		const place = spec.layout.places.get(name);
		if (place) return row.unscaled(b, x, place.derivative);
		for (const [f, force] of spec.layout.forces.entries())
			for (let i = 0; i <= force.p; i++)
				if (inputDerivative(force.name, i) === name) return b.mul(x, this.forces!.ratePower(f, i));
		return x;
	}
}
