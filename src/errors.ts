/**
 * The two ways to fail by exception (an `outcome` is the third, and no exception: it is part of a result).
 */

/** Something the user can fix. Says what it is about, what was found, what was expected, and what to do. */
export class InputError extends Error {
	override readonly name = "InputError";
	constructor(
		/** What the message is about: a file, a column, an option, a declaration. */
		readonly subject: string,
		/** What was found, as a sentence without the subject: `has 3 fields in line 7, the header has 4`. */
		readonly problem: string,
		/** What to do about it, as a sentence. */
		readonly remedy: string = "",
	) {
		super(`${subject}: ${problem}${remedy ? `\n  ${remedy}` : ""}`);
	}
}

/** A bug in Odentify, with the state that a report of it needs. */
export class InternalError extends Error {
	override readonly name = "InternalError";
	constructor(
		message: string,
		readonly state: unknown = undefined,
	) {
		super(message);
	}
}

/** A misspelt option must not be passed over: its default would answer another question. */
export function checkNames(kind: string, given: object, known: readonly string[]): void {
	for (const name of Object.keys(given)) {
		if (known.includes(name)) continue;
		const near = nearestName(name, known);
		throw new InputError(
			`${kind} ${name}`,
			"is not known",
			near ? `Did you mean ${near}?` : `Known are ${known.join(", ")}.`,
		);
	}
}

/** Most letters that may be wrong in a long name. */
const mostSlips = 8;

/**
 * The name of `candidates` nearest to `name`, when it is near enough to be a slip of the finger. Any letter is one slip
 * away from any other, so that a name of one letter says nothing: only the other case of it is meant.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
	const wanted = name.toLowerCase();
	let best: string | undefined;
	let bestDistance = Math.min(Math.max(1, Math.floor(name.length / 3)), mostSlips) + 1;
	for (const candidate of candidates) {
		const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
		const isOneLetter = name.length <= 1 || (candidate.length <= 1 && !name.includes(candidate));
		if (distance > 0 && isOneLetter) continue;
		if (distance < bestDistance) {
			best = candidate;
			bestDistance = distance;
		}
	}
	return best;
}

/**
 * Letters put in, left out, replaced, or two neighbours exchanged: each is one edit. Counted up to `limit`, so that a name
 * that is far away costs little: only places at most so far apart are compared.
 */
function editDistance(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) >= limit) return limit;
	let [before, previous, row] = [0, 1, 2].map(() => new Array<number>(b.length + 2).fill(limit));
	for (let j = 0; j <= Math.min(b.length, limit); j++) previous[j] = j;
	let leastBefore = 0;
	for (let i = 1; i <= a.length; i++) {
		const [lo, hi] = [Math.max(1, i - limit), Math.min(b.length, i + limit)];
		row[lo - 1] = lo === 1 ? Math.min(i, limit) : limit;
		let least = row[lo - 1];
		for (let j = lo; j <= hi; j++) {
			const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
			row[j] = Math.min(limit, previous[j] + 1, row[j - 1] + 1, substitution);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
				row[j] = Math.min(row[j], before[j - 2] + 1);
			least = Math.min(least, row[j]);
		}
		row[hi + 1] = limit;
		// Two rows, for an exchange of neighbours looks back over one.
		if (least >= limit && leastBefore >= limit) return limit;
		leastBefore = least;
		[before, previous, row] = [previous, row, before];
	}
	return previous[b.length];
}
