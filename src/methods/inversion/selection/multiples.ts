/**
 * Laws in which one equation is multiplied by a state. A state that is fast beside the samples is seen only by where it settles, and its equation times any
 * factor that keeps its sign settles there as well: 1 - xy and x - x²y do. What tells them apart is a short beginning, if anything is, and no change of one or
 * two terms leads from one to the other, since the other equations change with it: those get the multiplied terms beside their own.
 */
import type { EffectScales } from "../candidates/effect-scales.ts";
import { mostSteps, stepsHolding } from "../forward/rates-along.ts";
import type { SmoothStates } from "../forward/smooth-states.ts";
import type { Workspace } from "../workspace.ts";
import type { Judged } from "./judged.ts";

export type Multiple = Pick<Judged, "active" | "point">;

/** Each function times each state, and over it, where all of these are candidates; none where no state is fast. */
export function multiplesOf(work: Workspace, scales: EffectScales, chosen: Multiple): Multiple[] {
	const { smooth, setting } = work;
	if (!smooth || stepsHolding(work, Float64Array.from(chosen.point)) < mostSteps) return [];
	const { weights, model } = setting.candidates;
	const functions = new Set(chosen.active.flatMap((u) => (weights[u]?.powers ? [weights[u].of] : [])));
	return [...functions].flatMap((of) =>
		model.components.flatMap((state, c) => {
			const sign = signOf(smooth, c, model.components.length);
			return sign === 0 ? [] : [1, -1].flatMap((by) => multiple(of, state, by, sign) ?? []);
		}),
	);

	/** The candidate of a function that is another times a power of a state. */
	function times(of: string, u: number, state: string, by: number): number {
		const wanted = { ...weights[u].powers, [state]: (weights[u].powers![state] ?? Number.NaN) + by };
		return work.selectable.find((v) => weights[v].of === of && isSame(weights[v].powers, wanted)) ?? -1;
	}

	function multiple(of: string, state: string, by: number, sign: number): Multiple | undefined {
		const own = chosen.active.filter((u) => weights[u]?.of === of);
		const products = own.map((u) => times(of, u, state, by));
		if (products.includes(-1) || !work.sets.areSingle) return undefined;
		const point = [...chosen.point];
		for (const u of own) point[u] = 0;
		// As strong as before, along the states.
		own.forEach((u, k) => {
			point[products[k]] = (sign * chosen.point[u] * scales.effect[u]) / scales.effect[products[k]];
		});
		const beside = [...functions].flatMap((other) =>
			other === of ? [] : own.map((u) => times(other, u, state, by)).filter((u) => u >= 0),
		);
		const active = new Set([...chosen.active.filter((u) => !own.includes(u)), ...products, ...beside]);
		return { active: [...active].sort((a, b) => a - b), point };
	}
}

function isSame(
	a: Readonly<Record<string, number>> | undefined,
	b: Readonly<Record<string, number>>,
): boolean {
	return a !== undefined && Object.keys(b).every((name) => a[name] === b[name]);
}

/** Of a state along all records; 0 where it changes. */
function signOf(smooth: readonly SmoothStates[], component: number, n: number): number {
	const signs = new Set(
		smooth.flatMap(({ nodes, x }) => Array.from(nodes, (_, k) => Math.sign(x[k * n + component]))),
	);
	return signs.size === 1 ? [...signs][0] : 0;
}
