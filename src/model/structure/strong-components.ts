/**
 * Strongly connected components of a directed graph, those that others lead to first (R. Tarjan, "Depth-first search
 * and linear graph algorithms", SIAM J. Comput. 1, 1972), with a stack of its own.
 */
export function strongComponents(
	count: number,
	successors: (vertex: number) => readonly number[],
): number[][] {
	const index = new Int32Array(count).fill(-1);
	const low = new Int32Array(count);
	const onStack = new Uint8Array(count);
	const stack: number[] = [];
	const components: number[][] = [];
	let next = 0;
	for (let root = 0; root < count; root++) {
		if (index[root] >= 0) continue;
		const path = [open(root)];
		while (path.length > 0) {
			const top = path[path.length - 1];
			if (top.at < top.edges.length) {
				const to = top.edges[top.at++];
				if (index[to] < 0) path.push(open(to));
				else if (onStack[to]) low[top.vertex] = Math.min(low[top.vertex], index[to]);
				continue;
			}
			path.pop();
			if (path.length > 0) {
				const above = path[path.length - 1].vertex;
				low[above] = Math.min(low[above], low[top.vertex]);
			}
			if (low[top.vertex] === index[top.vertex]) components.push(close(top.vertex));
		}
	}
	return components;

	function open(vertex: number): { vertex: number; edges: readonly number[]; at: number } {
		index[vertex] = low[vertex] = next++;
		stack.push(vertex);
		onStack[vertex] = 1;
		return { vertex, edges: successors(vertex), at: 0 };
	}

	function close(vertex: number): number[] {
		const component: number[] = [];
		let member: number;
		do {
			member = stack.pop()!;
			onStack[member] = 0;
			component.push(member);
		} while (member !== vertex);
		return component.sort((a, b) => a - b);
	}
}
