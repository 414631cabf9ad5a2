/**
 * Numbers that find faults: all exponents, subnormals, powers of two and their neighbours, whole numbers, the
 * ends of the range.
 */
const words = new Uint32Array(2);
const double = new Float64Array(words.buffer);
const special = [
	0, -0, 1, -1, 5e-324, -5e-324, 2.2250738585072014e-308, 4.450147717014403e-308, 1.7976931348623157e308,
];

export interface Samples {
	/** From 0 to 1. */
	uniform(): number;
	/** A whole number from 0 to n - 1. */
	below(n: number): number;
	/** Any finite double. */
	any(): number;
	/** From -size to size, with exponents that crowd towards `least`. */
	within(least: number, size: number): number;
}

export function samples(seed: number): Samples {
	let state = seed | 0;
	const word = (): number => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return (t ^ (t >>> 14)) >>> 0;
	};
	const uniform = (): number => (word() + word() / 2 ** 32) / 2 ** 32;
	const below = (n: number): number => Math.floor(uniform() * n);
	const anyBits = (): number => {
		do {
			words[0] = word();
			words[1] = word();
		} while (!Number.isFinite(double[0]));
		return double[0];
	};
	const any = (): number => {
		switch (below(12)) {
			case 0:
				return special[below(special.length)];
			case 1:
				return below(41) - 20;
			case 2:
				return anyBits() * 2 ** -1060;
			case 3:
				return (below(2) * 2 - 1) * 2 ** (below(2098) - 1074);
			case 4:
				return 1 + (below(9) - 4) * 2 ** -52;
			case 5:
				return (uniform() * 2 - 1) * 2 ** (below(64) - 1070);
			case 6:
				return Math.min(
					Math.max((uniform() * 4 - 2) * 2 ** 1023, -1.7976931348623157e308),
					1.7976931348623157e308,
				);
			case 7:
			case 8:
				return anyBits();
			default:
				return (uniform() * 2 - 1) * 2 ** (below(40) - 20);
		}
	};
	const within = (least: number, size: number): number => {
		const sign = below(2) * 2 - 1;
		if (below(3) === 0) return sign * uniform() * size;
		return sign * Math.min(size, size * (least / size) ** uniform());
	};
	return { uniform, below, any, within };
}
