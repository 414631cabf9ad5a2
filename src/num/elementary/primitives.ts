/** The bit-level operations of the algebra on JavaScript numbers. */

/** 2^-1074 … 2^1023. */
const powers = Float64Array.from({ length: 2098 }, (_, i) => powerOfTwo(i - 1074));
const bits = new Float64Array([-1]);
const words = new Int32Array(bits.buffer);
/** Which of the two words holds the sign and the exponent depends on the machine. */
const high = words[1] < 0 ? 1 : 0;

/** 2^k for a whole k from -1074 to 1023. */
export function pow2(k: number): number {
	return powers[(k + 1074) | 0];
}

/** The e of a normal x = m·2^e with 1 <= |m| < 2. */
export function exponent(x: number): number {
	bits[0] = x;
	return ((words[high] >>> 20) & 2047) - 1023;
}

/** |m| of a normal x = m·2^e with 1 <= |m| < 2. */
export function mantissa(x: number): number {
	bits[0] = x;
	return Math.abs(x) * powers[2097 - ((words[high] >>> 20) & 2047)];
}

/** The magnitude of a with the sign of b. */
export function copysign(a: number, b: number): number {
	const size = Math.abs(a);
	return b < 0 || (b === 0 && 1 / b < 0) ? -size : size;
}

function powerOfTwo(k: number): number {
	let x = 1;
	for (let i = 0; i < Math.abs(k); i++) x *= k < 0 ? 0.5 : 2;
	return x;
}
