/** Round numbers along an axis, and how they are written. */
export interface Ticks {
	readonly at: readonly number[];
	text(value: number): string;
}

export function ticksOf(from: number, to: number, most: number): Ticks {
	const rough = (to - from) / Math.max(1, most);
	if (!(rough > 0) || !Number.isFinite(rough)) return { at: [], text: String };
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = power * ([1, 2, 5, 10].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10);
	const at: number[] = [];
	for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) at.push(i * step);
	const largest = Math.max(Math.abs(from), Math.abs(to));
	const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
	const isOdd = largest >= 1e6 || digits > 4;
	const significant = Math.max(1, Math.ceil(Math.log10(largest / step) + 1e-9));
	return {
		at,
		text: (value) => {
			if (Math.abs(value) < step / 1e6) return "0";
			return (isOdd ? value.toExponential(Math.min(significant - 1, 4)) : value.toFixed(digits)).replace(
				"-",
				"−",
			);
		},
	};
}

/** Pixels between two numbers along an upright axis: as a rule, and at least. */
const apart = { usual: 34, least: 14 };

/** Along an upright axis of so many pixels: two numbers at least, or there would be no scale. */
export function ticksAlong(from: number, to: number, pixels: number): Ticks {
	const [few, many] = [apart.usual, apart.least].map((each) => Math.max(1, Math.floor(pixels / each)));
	for (let most = few; most <= many; most++) {
		const ticks = ticksOf(from, to, most);
		if (ticks.at.length > 1) return ticks;
	}
	// Too low for an even step: the outermost round numbers.
	for (let most = many; most <= 32; most *= 2) {
		const ticks = ticksOf(from, to, most);
		if (ticks.at.length > 1) return { ...ticks, at: [ticks.at[0], ticks.at.at(-1)!] };
	}
	return ticksOf(from, to, few);
}
