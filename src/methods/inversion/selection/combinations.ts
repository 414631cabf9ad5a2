/**
 * Sets that differ from the best in several functions at once. What the data say of one function hardly depends on the terms of the
 * others, so that sets which are almost as well supported in one and in another are so together: behind by the sum.
 */

export interface Variant {
	readonly active: readonly number[];
	readonly point: readonly number[];
	/** How much less it is supported than the best. */
	readonly behind: number;
}

/** Combinations at most. */
const most = 32;

/** `functionOf`: of a term; nothing else is changed. Best first, with the variants themselves left out. */
export function combined(
	best: Omit<Variant, "behind">,
	variants: readonly Variant[],
	within: number,
	functionOf: (u: number) => string | undefined,
): Variant[] {
	const inBest = new Set(best.active);
	const each = variants.flatMap((variant) => {
		const inside = new Set(variant.active);
		const changed = [
			...best.active.filter((u) => !inside.has(u)),
			...variant.active.filter((u) => !inBest.has(u)),
		];
		const functions = new Set(changed.map(functionOf));
		return functions.has(undefined) ? [] : [{ ...variant, functions }];
	});
	const found: Variant[] = [];
	const grow = (
		here: Variant,
		functions: ReadonlySet<string | undefined>,
		from: number,
		parts: number,
	): void => {
		if (parts > 1) found.push(here);
		for (let k = from; k < each.length; k++) {
			const next = each[k];
			if (here.behind + next.behind > within || [...next.functions].some((f) => functions.has(f))) continue;
			const isOf = (u: number): boolean => next.functions.has(functionOf(u));
			const point = here.point.map((value, u) => (isOf(u) ? next.point[u] : value));
			const active = [...here.active.filter((u) => !isOf(u)), ...next.active.filter(isOf)].sort(
				(a, b) => a - b,
			);
			const together = { active, point, behind: here.behind + next.behind };
			grow(together, new Set([...functions, ...next.functions]), k + 1, parts + 1);
		}
	};
	grow({ ...best, behind: 0 }, new Set(), 0, 0);
	return found.sort((a, b) => a.behind - b.behind).slice(0, most);
}
