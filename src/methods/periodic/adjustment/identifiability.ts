/**
 * Directions of λ along which ŷ does not change at all, because θ, a closure or other parameters make up for them. One
 * parameter of each is held during the search; all that take part are named in the answer.
 */

import { nullSpace, openSteps } from "../../../estimate/least-squares/null-space.ts";
import { fromSearch, toSearch, type Unknown } from "../../../estimate/unknowns/unknowns.ts";
import type { Question } from "../question.ts";
import type { Objective } from "../search/search.ts";

/** Parameters that can change together without any effect, by how much each relative to itself. */
export interface OpenDirection {
	readonly parts: readonly { readonly name: string; readonly share: number }[];
}

/**
 * For each direction that is open wherever one looks, the parameter with the largest part in it. The start itself is no place
 * to look: equal starts of rates that can change places are on their line of symmetry.
 */
export function heldUnknowns(objective: Objective, unknowns: readonly Unknown[]): Set<number> {
	const p = unknowns.length;
	const start = Float64Array.from(unknowns, (unknown) =>
		fromSearch(unknown, toSearch(unknown, unknown.start)),
	);
	const places = [start, ...[0.013, 0.029].map((by) => start.map((value, i) => value * (1.07 + by * i)))];
	const found = places.flatMap((place) => {
		const relative = objective.relative(place);
		return relative ? [openSteps(nullSpace(relative.jacobian, p, { changes: () => 1 }))] : [];
	});
	const open = found.reduce((least, each) => (each.length < least.length ? each : least), found[0] ?? []);
	const held = new Set<number>();
	open.forEach((direction, d) => {
		let at = 0;
		for (let j = 1; j < p; j++) if (Math.abs(direction[j]) > Math.abs(direction[at])) at = j;
		held.add(at);
		for (const other of open.slice(d + 1)) {
			const share = other[at] / direction[at];
			for (let j = 0; j < p; j++) other[j] -= share * direction[j];
		}
	});
	return held;
}

export function openDirections(
	objective: Objective,
	{ form, unknowns }: Question,
	lambda: Float64Array,
	/** Directions that are seen by finite steps, though not to first order. */
	curved: readonly Float64Array[] = [],
): OpenDirection[] {
	const p = unknowns.length;
	const found = objective.relative(lambda);
	if (!found) return [];
	return openSteps(nullSpace(withRows(found.jacobian, curved), p, { changes: () => 1 })).map((direction) => {
		const parts = unknowns.map(({ name }, j) => ({ name, share: direction[j] }));
		// Parameters in closed form that make up for it, and hidden states that go along.
		const along = (matrix: Float64Array, row: number): number => {
			let share = 0;
			for (let j = 0; j < p; j++) share += matrix[row * p + j] * direction[j];
			return share;
		};
		form.terms.forEach(({ name }, i) => {
			if (form.recovered.has(name)) parts.push({ name, share: along(found.dR, form.chain.length + i) });
		});
		form.hidden.forEach(({ component, closure }, i) => {
			if (!closure) parts.push({ name: `${component}(0)`, share: along(found.dHidden, i) });
			else parts.push({ name: closure.param, share: along(found.dClosures[i]!, 0) });
		});
		const largest = Math.max(...parts.map(({ share }) => Math.abs(share)));
		return { parts: parts.filter(({ share }) => Math.abs(share) > 1e-6 * largest) };
	});
}

/** The Jacobian with further rows, of the size of its own columns. */
function withRows(jacobian: Float64Array, rows: readonly Float64Array[]): Float64Array {
	const size = Math.sqrt(jacobian.reduce((sum, value) => sum + value * value, 0));
	return Float64Array.of(...jacobian, ...rows.flatMap((row) => [...row].map((value) => size * value)));
}

export function openNames(open: readonly OpenDirection[]): string[] {
	return [...new Set(open.flatMap(({ parts }) => parts.map(({ name }) => name)))];
}
