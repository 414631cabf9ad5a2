/** Dot products of two rows with four, along the same columns: each number that is read serves several sums. */

/** `out`: first row with the four, then second row with the four. Rows begin at p, q and r0 … r3 and are `length` long. */
export function dotsInto(
	out: Float64Array,
	left: Float64Array,
	p: number,
	q: number,
	right: Float64Array,
	r0: number,
	r1: number,
	r2: number,
	r3: number,
	length: number,
): void {
	let p0 = 0;
	let p1 = 0;
	let p2 = 0;
	let p3 = 0;
	let q0 = 0;
	let q1 = 0;
	let q2 = 0;
	let q3 = 0;
	for (let k = 0; k < length; k++) {
		const x = left[p + k];
		const y = left[q + k];
		const u = right[r0 + k];
		const v = right[r1 + k];
		const w = right[r2 + k];
		const z = right[r3 + k];
		p0 += x * u;
		p1 += x * v;
		p2 += x * w;
		p3 += x * z;
		q0 += y * u;
		q1 += y * v;
		q2 += y * w;
		q3 += y * z;
	}
	out[0] = p0;
	out[1] = p1;
	out[2] = p2;
	out[3] = p3;
	out[4] = q0;
	out[5] = q1;
	out[6] = q2;
	out[7] = q3;
}
