/** Moves columns of lanes between buffers that have room for different numbers of lanes. */

/** Where lanes stand: element e of lane b at e * stride + from + b. */
export interface LanePlace {
	readonly values: Float64Array;
	readonly stride: number;
	readonly from: number;
}

/** `count` lanes of `rows` elements each. */
export function copyLanes(target: LanePlace, source: LanePlace, rows: number, count: number): void {
	const [to, from] = [target.values, source.values];
	if (count === target.stride && count === source.stride) {
		to.set(from.length === to.length ? from : from.subarray(0, rows * count));
		return;
	}
	for (let row = 0; row < rows; row++) {
		let at = row * target.stride + target.from;
		let next = row * source.stride + source.from;
		if (count > 96) to.set(from.subarray(next, next + count), at);
		else for (const end = at + count; at < end; ) to[at++] = from[next++];
	}
}

/** Lanes beyond the last one repeat it: they cost no more than it does. */
export function repeatLastLane({ values, stride, from }: LanePlace, rows: number, count: number): void {
	if (count === stride) return;
	for (let row = 0; row < rows; row++) {
		const last = row * stride + from + count - 1;
		values.fill(values[last], last + 1, (row + 1) * stride);
	}
}
