/**
 * Parameters that all windows share, from what each found by itself: the mean that is most likely under the windows' own
 * covariances. The drifting parameter of a window is then its own value, moved along with the others by their correlation.
 */
import { choleskyInto, choleskySolveInto } from "../../../num/linear/cholesky.ts";
import type { Natural } from "../adjustment/natural.ts";

export interface Shared {
	readonly values: ReadonlyMap<string, number>;
	/** The drifting parameter, by window. */
	readonly drifting: readonly number[];
}

/** Share of a variance that is added to it: windows that leave a direction open still have an inverse. */
const ridge = 1e-9;

export function sharedOf(windows: readonly Natural[], name: string): Shared {
	const { params } = windows[0];
	const all = params.length;
	const own = params.findIndex((param) => param.name === name);
	const at = params.flatMap(({ from }, i) => (i === own || from === "held" ? [] : [i]));
	const n = at.length;
	const weight = new Float64Array(n * n);
	const weighted = new Float64Array(n);
	const solvers = windows.map(({ covariance, params: found }) => {
		const factor = Float64Array.from(
			at.flatMap((i, a) => at.map((j, b) => covariance[i * all + j] * (a === b ? 1 + ridge : 1))),
		);
		if (!choleskyInto(factor, n)) return undefined;
		const solve = (x: Float64Array): Float64Array => {
			choleskySolveInto(x, factor, n);
			return x;
		};
		for (let a = 0; a < n; a++) {
			const column = solve(Float64Array.from(at, (_, b) => (b === a ? 1 : 0)));
			for (let b = 0; b < n; b++) {
				weight[b * n + a] += column[b];
				weighted[b] += column[b] * found[at[a]].value;
			}
		}
		return solve;
	});
	const isDefinite = choleskyInto(weight, n);
	if (isDefinite) choleskySolveInto(weighted, weight, n);
	const mean = at.map((i, a) => (isDefinite ? weighted[a] : params[i].value));
	return {
		values: new Map(at.map((i, a) => [params[i].name, mean[a]])),
		drifting: windows.map(({ covariance, params: found }, k) => {
			const { value } = found[own];
			const solve = solvers[k];
			if (!solve || !isDefinite) return value;
			const moved = solve(Float64Array.from(at, (i, a) => mean[a] - found[i].value));
			return at.reduce((sum, i, a) => sum + covariance[own * all + i] * moved[a], value);
		}),
	};
}
