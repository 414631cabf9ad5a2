/**
 * Gauss–Legendre nodes on [0, 1] with weights, and the integrals of the polynomial through the nodes up to each of them.
 * Integrals that end at a node are exact to degree s - 1, those over the whole interval to degree 2s - 1; in collocation
 * the errors of the former cancel in the latter.
 *
 * Reference: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.7.
 */

export interface GaussRule {
	readonly stages: number;
	/** In (0, 1), rising. */
	readonly nodes: Float64Array;
	readonly weights: Float64Array;
	/** Row-major s × s: element (i, j) is the integral of the j-th Lagrange polynomial from 0 to node i. */
	readonly upTo: Float64Array;
}

export function gaussRule(stages: number): GaussRule {
	const nodes = new Float64Array(stages);
	for (let i = 0; i < stages; i++) nodes[i] = (1 + legendreRoot(stages, i)) / 2;
	const powers = lagrangeCoefficients(nodes);
	const integral = (j: number, x: number): number => {
		let sum = 0;
		for (let p = stages - 1; p >= 0; p--) sum = (sum + powers[j * stages + p] / (p + 1)) * x;
		return sum;
	};
	const upTo = new Float64Array(stages * stages);
	for (let i = 0; i < stages; i++)
		for (let j = 0; j < stages; j++) upTo[i * stages + j] = integral(j, nodes[i]);
	return { stages, nodes, weights: nodes.map((_, j) => integral(j, 1)), upTo };
}

/** The i-th root of the Legendre polynomial of degree n in (-1, 1), rising: Newton from equally spaced interlacing points. */
function legendreRoot(n: number, i: number): number {
	// Bisection on the sign first (roots interlace those of degree n - 1), then Newton to the last bit.
	let lo = i === 0 ? -1 : legendreRoot(n - 1, i - 1);
	let hi = i === n - 1 ? 1 : legendreRoot(n - 1, i);
	const rising = legendre(n, hi).value > 0;
	for (let k = 0; k < 12; k++) {
		const middle = (lo + hi) / 2;
		if (legendre(n, middle).value > 0 === rising) hi = middle;
		else lo = middle;
	}
	let x = (lo + hi) / 2;
	for (let k = 0; k < 6; k++) {
		const { value, slope } = legendre(n, x);
		x -= value / slope;
	}
	return Math.abs(x) < 1e-16 ? 0 : x;
}

function legendre(n: number, x: number): { value: number; slope: number } {
	let before = 1;
	let value = n === 0 ? 1 : x;
	let slopeBefore = 0;
	let slope = n === 0 ? 0 : 1;
	for (let k = 1; k < n; k++) {
		const next = ((2 * k + 1) * x * value - k * before) / (k + 1);
		const slopeNext = ((2 * k + 1) * (value + x * slope) - k * slopeBefore) / (k + 1);
		before = value;
		value = next;
		slopeBefore = slope;
		slope = slopeNext;
	}
	return { value, slope };
}

/** Row j: the coefficients of the polynomial that is 1 at node j and 0 at the others, lowest power first. */
function lagrangeCoefficients(nodes: Float64Array): Float64Array {
	const s = nodes.length;
	const rows = new Float64Array(s * s);
	for (let j = 0; j < s; j++) {
		let polynomial = [1];
		for (let i = 0; i < s; i++) {
			if (i === j) continue;
			const scale = 1 / (nodes[j] - nodes[i]);
			const next = new Array<number>(polynomial.length + 1).fill(0);
			polynomial.forEach((coefficient, p) => {
				next[p] -= coefficient * nodes[i] * scale;
				next[p + 1] += coefficient * scale;
			});
			polynomial = next;
		}
		rows.set(polynomial, j * s);
	}
	return rows;
}
