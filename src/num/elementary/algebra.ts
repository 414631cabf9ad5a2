/**
 * The few operations from which all elementary functions are made. Each is exact or correctly rounded, so a function
 * written over an algebra gives the same bits wherever the algebra is implemented: as JavaScript numbers, as
 * WebAssembly, as C, as CUDA. There is no fused multiply-add, because not all of these have one.
 */
export interface Algebra<V, M> {
	constant(x: number): V;
	add(a: V, b: V): V;
	sub(a: V, b: V): V;
	mul(a: V, b: V): V;
	div(a: V, b: V): V;
	neg(a: V): V;
	abs(a: V): V;
	sqrt(a: V): V;
	/** a < b ? a : b, so b where one of them is NaN. */
	min(a: V, b: V): V;
	/** a > b ? a : b, so b where one of them is NaN. */
	max(a: V, b: V): V;
	/** The magnitude of a with the sign of b. */
	copysign(a: V, b: V): V;
	/** 2^k for a whole k from -1022 to 1023. */
	pow2(k: V): V;
	/** The e of a normal x = m·2^e with 1 <= |m| < 2. */
	exponent(x: V): V;
	/** |m| of a normal x = m·2^e with 1 <= |m| < 2. */
	mantissa(x: V): V;
	lt(a: V, b: V): M;
	le(a: V, b: V): M;
	eq(a: V, b: V): M;
	and(a: M, b: M): M;
	or(a: M, b: M): M;
	not(a: M): M;
	select(condition: M, yes: V, no: V): V;
	/** `select(condition, name(x), otherwise)`, where the function is slow and the condition hardly ever true. */
	rarely(condition: M, name: string, x: V, otherwise: V): V;
	/** Element of a constant table, at a whole index; only in functions used through `rarely`. */
	table(name: string, index: V): V;
}
