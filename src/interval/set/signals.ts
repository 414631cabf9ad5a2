/**
 * What the constructors of IEEE 1788 have to say beside their result, as `domain` says it for functions. Each only ever goes to true here; who wants to
 * know sets it to false before.
 */
export const signals = {
	/** The text or the numbers were no interval; the result is empty, or NaI. */
	undefinedOperation: false,
	/** Two bounds that are no doubles could not be told apart; the result holds both. */
	possiblyUndefinedOperation: false,
	/** The interval part of NaI was asked for; it is empty. */
	intvlPartOfNaI: false,
};
