/**
 * The range of a function over a box by best-first search: the piece that sets the lower bound, and the one that sets the upper, are halved in turn, until
 * that gains little.
 */

/** Bounds over a box (stride 2), and by which side to halve it; nothing where there are none. */
type Bounded = (
	box: Float64Array,
) => { readonly lo: number; readonly hi: number; readonly side: number } | undefined;

interface Piece {
	readonly box: Float64Array;
	readonly lo: number;
	readonly hi: number;
	readonly side: number;
}

/** A whole round of halvings that gains less than this share of the range is the last. */
const worthwhile = 1e-4;

/** The hull of bounds over pieces of a box, with at most so many evaluations; nothing where a piece has no bounds. */
export function searchRange(
	box: Float64Array,
	bounded: Bounded,
	most: number,
): { readonly lo: number; readonly hi: number; readonly tried: number } | undefined {
	const whole = bounded(box);
	if (!whole) return undefined;
	const pieces: Piece[] = [{ box, ...whole }];
	let tried = 1;
	let idle = 0;
	const hull = () => ({
		lo: pieces.reduce((least, piece) => Math.min(least, piece.lo), Number.POSITIVE_INFINITY),
		hi: pieces.reduce((top, piece) => Math.max(top, piece.hi), Number.NEGATIVE_INFINITY),
	});
	let now = hull();
	while (tried + 2 <= most && idle < 6) {
		const isLower = tried % 4 === 1;
		const at = pieces.findIndex(({ lo, hi }) => (isLower ? lo === now.lo : hi === now.hi));
		const piece = pieces[at];
		const halves = halved(piece);
		if (!halves) break;
		const made: Piece[] = [];
		for (const half of halves) {
			const bounds = bounded(half);
			tried++;
			if (!bounds) return { ...now, tried };
			// What holds for the whole holds for its halves.
			const lo = Math.max(bounds.lo, piece.lo);
			const hi = Math.min(bounds.hi, piece.hi);
			made.push({ box: half, lo, hi, side: bounds.side });
		}
		pieces.splice(at, 1, ...made);
		const next = hull();
		const gained = now.hi - now.lo - (next.hi - next.lo);
		idle = gained > worthwhile * (now.hi - now.lo) ? 0 : idle + 1;
		now = next;
	}
	return { ...now, tried };
}

function halved({ box, side }: Piece): [Float64Array, Float64Array] | undefined {
	const cut = box[2 * side] / 2 + box[2 * side + 1] / 2;
	if (!(box[2 * side] < cut && cut < box[2 * side + 1])) return undefined;
	const lower = box.slice();
	const upper = box.slice();
	lower[2 * side + 1] = cut;
	upper[2 * side] = cut;
	return [lower, upper];
}
