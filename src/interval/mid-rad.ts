/**
 * Interval matrices as middle and radius, row-major: A holds every matrix with |X - mid| <= rad, entry by entry. A product
 * is then plain matrix products, with a bound of their rounding: n + 2 roundings for a sum of n products.
 */
const U = 2 ** -53;
const UP = 1 + 2 ** -40;
const LEAST = 1e-300;

export interface MidRad {
	readonly mid: Float64Array;
	readonly rad: Float64Array;
}

export function midRad(size: number): MidRad {
	return { mid: new Float64Array(size), rad: new Float64Array(size) };
}

/** From bounds, stride 2. */
export function midRadOf(bounds: Float64Array): MidRad {
	const out = midRad(bounds.length / 2);
	for (let i = 0; i < out.mid.length; i++) {
		const lo = bounds[2 * i];
		const hi = bounds[2 * i + 1];
		const middle = lo / 2 + hi / 2;
		out.mid[i] = middle;
		out.rad[i] = lo === hi && lo === middle ? 0 : Math.max(hi - middle, middle - lo) * UP + LEAST;
	}
	return out;
}

/** A·B, with A rows × inner and B inner × columns. */
export function midRadMultiply(a: MidRad, b: MidRad, rows: number, inner: number, columns: number): MidRad {
	const out = midRad(rows * columns);
	for (let r = 0; r < rows; r++)
		for (let c = 0; c < columns; c++) {
			let mid = 0;
			let rad = 0;
			let size = 0;
			for (let k = 0; k < inner; k++) {
				const i = r * inner + k;
				const j = k * columns + c;
				const product = a.mid[i] * b.mid[j];
				mid += product;
				size += Math.abs(product);
				rad += Math.abs(a.mid[i]) * b.rad[j] + a.rad[i] * (Math.abs(b.mid[j]) + b.rad[j]);
			}
			out.mid[r * columns + c] = mid;
			out.rad[r * columns + c] = size === 0 && rad === 0 ? 0 : (rad + (inner + 2) * U * size) * UP + LEAST;
		}
	return out;
}

/** A + factor·B for a number `factor` that is off by at most relatively 2^-50. */
export function midRadAddScaled(a: MidRad, b: MidRad, factor: number): MidRad {
	const out = midRad(a.mid.length);
	for (let i = 0; i < a.mid.length; i++) {
		const term = b.mid[i] * factor;
		out.mid[i] = a.mid[i] + term;
		const size = Math.abs(a.mid[i]) + Math.abs(term);
		const rad = a.rad[i] + b.rad[i] * Math.abs(factor) + 10 * U * size;
		out.rad[i] = rad === 0 ? 0 : rad * UP + LEAST;
	}
	return out;
}

/** Upper bounds of |A|, entry by entry. */
export function midRadMag({ mid, rad }: MidRad): Float64Array {
	return mid.map((value, i) => (Math.abs(value) + rad[i]) * UP);
}

/** Upper bound of |A|·v for non-negative A and v. */
export function magnify(a: Float64Array, v: Float64Array): Float64Array {
	const n = v.length;
	const out = new Float64Array(a.length / n);
	for (let r = 0; r < out.length; r++) {
		let sum = 0;
		for (let k = 0; k < n; k++) sum += a[r * n + k] * v[k];
		out[r] = sum === 0 ? 0 : sum * UP + LEAST;
	}
	return out;
}

/**
 * An orthogonal matrix whose first columns span those of `m` in the given order: Gram–Schmidt done twice, with unit
 * vectors where columns depend on one another.
 */
export function orthogonal(m: Float64Array, n: number, order: readonly number[]): Float64Array {
	const q = new Float64Array(n * n);
	const candidates = [
		...order.map((j) => Float64Array.from({ length: n }, (_, i) => m[i * n + j])),
		...order.map((j) => Float64Array.from({ length: n }, (_, i) => (i === j ? 1 : 0))),
	];
	let found = 0;
	for (const v of candidates) {
		if (found === n) break;
		const before = norm(v);
		if (!(before > 0 && before < Number.POSITIVE_INFINITY)) continue;
		for (let i = 0; i < n; i++) v[i] /= before;
		for (let pass = 0; pass < 2; pass++)
			for (let c = 0; c < found; c++) {
				let dot = 0;
				for (let i = 0; i < n; i++) dot += q[i * n + c] * v[i];
				for (let i = 0; i < n; i++) v[i] -= dot * q[i * n + c];
			}
		const left = norm(v);
		if (!(left > 1e-8)) continue;
		for (let i = 0; i < n; i++) q[i * n + found] = v[i] / left;
		found++;
	}
	return q;
}

function norm(v: Float64Array): number {
	return Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
}

/** The inverse of a nearly orthogonal matrix: Qᵀ(QQᵀ)^-1, with ‖I - QQᵀ‖ = e: every entry of (QQᵀ)^-1 - I is within e/(1 - e). */
export function nearInverse(q: Float64Array, n: number): MidRad | undefined {
	const own: MidRad = { mid: q, rad: new Float64Array(n * n) };
	const transposed = midRad(n * n);
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) transposed.mid[i * n + j] = q[j * n + i];
	const product = midRadMultiply(own, transposed, n, n, n);
	let e = 0;
	for (let i = 0; i < n; i++) {
		let row = 0;
		for (let j = 0; j < n; j++)
			row += Math.abs(product.mid[i * n + j] - (i === j ? 1 : 0)) + product.rad[i * n + j] + U;
		e = Math.max(e, row * UP);
	}
	if (!(e < 1e-9)) return undefined;
	const near = midRad(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) {
			near.mid[i * n + j] = i === j ? 1 : 0;
			near.rad[i * n + j] = (e / (1 - e)) * UP;
		}
	return midRadMultiply(transposed, near, n, n, n);
}
