/** Times of rows at a rate: start + i/rate for the decimals that were written, rounded once. */
import { decimalOf, exactQuotient } from "./exact-quotient.ts";

export function uniformTimes(start: number, rate: number, nRows: number): Float64Array {
	const from = decimalOf(start);
	const every = decimalOf(rate);
	// start + i·den/num over one denominator, in lowest terms: then all are whole numbers below 2^53 but for odd rates.
	const first = from.num * every.num;
	const step = every.den * from.den;
	const below = from.den * every.num;
	const common = gcd(gcd(first < 0n ? -first : first, step), below);
	const [a, b, d] = [first / common, step / common, below / common];
	const times = new Float64Array(nRows);
	const last = a + b * BigInt(Math.max(nRows - 1, 0));
	const least = a < 0n ? -a : a;
	const most = last < 0n ? -last : last;
	if (d <= safe && least <= safe && most <= safe) {
		const [n0, dn, den] = [Number(a), Number(b), Number(d)];
		for (let i = 0; i < nRows; i++) times[i] = (n0 + i * dn) / den;
	} else for (let i = 0; i < nRows; i++) times[i] = exactQuotient(a + b * BigInt(i), d);
	return times;
}

const safe = BigInt(Number.MAX_SAFE_INTEGER);

function gcd(a: bigint, b: bigint): bigint {
	return b === 0n ? a : gcd(b, a % b);
}
