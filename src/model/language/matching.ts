/** Which equation determines which state: a matching of equations with the highest derivatives that stand in them. */

/**
 * For each equation the state that it is matched with, or -1, with as many matched as can be. Augmenting paths by
 * breadth first. `candidates[e]`: the states whose highest derivative stands in equation e, the likeliest first.
 */
export function matchEquations(candidates: readonly (readonly number[])[], nStates: number): Int32Array {
	const stateOf = new Int32Array(candidates.length).fill(-1);
	const equationOf = new Int32Array(nStates).fill(-1);
	const assign = (equation: number, state: number): void => {
		stateOf[equation] = state;
		equationOf[state] = equation;
	};
	// What needs no search first: an equation for one state, which nobody else has taken.
	for (const sure of [true, false])
		candidates.forEach((states, equation) => {
			if (stateOf[equation] >= 0 || (sure && states.length !== 1)) return;
			const free = states.find((state) => equationOf[state] < 0);
			if (free !== undefined) assign(equation, free);
		});
	candidates.forEach((_, equation) => {
		if (stateOf[equation] < 0) augment(equation);
	});
	return stateOf;

	function augment(start: number): void {
		const cameFrom = new Map<number, number>();
		const queue = [start];
		for (const equation of queue)
			for (const state of candidates[equation]) {
				if (cameFrom.has(state)) continue;
				cameFrom.set(state, equation);
				if (equationOf[state] >= 0) queue.push(equationOf[state]);
				else {
					follow(state, cameFrom, start);
					return;
				}
			}
	}

	/** Turns the path that leads from `start` to the free state: each equation takes the state it was reached for. */
	function follow(free: number, cameFrom: ReadonlyMap<number, number>, start: number): void {
		let state = free;
		for (;;) {
			const equation = cameFrom.get(state)!;
			const before = stateOf[equation];
			assign(equation, state);
			if (equation === start) return;
			state = before;
		}
	}
}
