/** How large a model text may be. Beyond these it is refused with a clear error; nothing overflows or hangs. */
export const limits = {
	/** Characters of the text. */
	text: 1_000_000,
	/** Brackets, signs and powers inside one another. */
	nesting: 200,
	/** The same once functions of the text stand for what they mean. */
	written: 500,
	/** Names declared, and equations. */
	declarations: 10_000,
	/** Characters of a name. */
	name: 256,
	/** Derivatives of a state: x'''''''' has eight primes. */
	order: 8,
	/** Whole exponents such as the 3 of x^3. */
	exponent: 1000,
	/** Nodes and arguments touched while the graph of a model is built. */
	work: 5_000_000,
	/** Equations that must be solved together for their highest derivatives. */
	coupled: 40,
	/** Nodes of an initial value, bound or prior when it is written out. */
	constantSize: 10_000,
} as const;
