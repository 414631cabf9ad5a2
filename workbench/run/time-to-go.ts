/** Seconds left if the rest goes as fast as what was done; `undefined` while that is guessing. */
export function secondsToGo(fraction: number, seconds: number): number | undefined {
	if (!(fraction > 0.02) || !(seconds > 0.5)) return undefined;
	return (seconds * (1 - fraction)) / fraction;
}
