/** Polynomials of several arguments: monomials by rising degree, as lists of exponents. */

/** All exponents of total degree up to `degree`: 1, x1, x2, x1², x1 x2, x2², … */
export function monomials(nArgs: number, degree: number): number[][] {
	const all: number[][] = [];
	for (let total = 0; total <= degree; total++) extend([], total);
	return all;

	function extend(head: number[], left: number): void {
		if (head.length === nArgs - 1) all.push([...head, left]);
		else if (nArgs > 0) for (let e = left; e >= 0; e--) extend([...head, e], left - e);
	}
}

export function monomialsAt(basis: readonly (readonly number[])[], x: ArrayLike<number>): Float64Array {
	return Float64Array.from(basis, (exponents) => monomialAt(exponents, x));
}

/** Derivative by argument j. */
export function monomialSlope(exponents: readonly number[], x: ArrayLike<number>, j: number): number {
	if (exponents[j] === 0) return 0;
	return exponents[j] * monomialAt(exponents.with(j, exponents[j] - 1), x);
}

export function monomialAt(exponents: readonly number[], x: ArrayLike<number>): number {
	let value = 1;
	for (let i = 0; i < exponents.length; i++) for (let k = 0; k < exponents[i]; k++) value *= x[i];
	return value;
}

/** `x1^2*x2`, or `1`. */
export function monomialText(exponents: readonly number[], names: readonly string[]): string {
	const factors = exponents.flatMap((e, i) => (e === 0 ? [] : [e === 1 ? names[i] : `${names[i]}^${e}`]));
	return factors.length === 0 ? "1" : factors.join("*");
}
