/** One figure a frame: a dozen that come near the screen together would hold the page up. */
const waiting: (() => void)[] = [];

function next(): void {
	waiting.shift()?.();
	if (waiting.length > 0) requestAnimationFrame(next);
}

/** Calls `draw` when its turn has come; what is given back takes it out of the queue. */
export function inTurn(draw: () => void): () => void {
	waiting.push(draw);
	if (waiting.length === 1) requestAnimationFrame(next);
	return () => {
		const place = waiting.indexOf(draw);
		if (place >= 0) waiting.splice(place, 1);
	};
}
