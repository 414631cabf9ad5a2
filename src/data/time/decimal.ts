/**
 * Decimal text to the nearest double, straight from bytes, with the bits that `Number(text)` gives.
 *
 * Up to 18 digits w and a power of ten give w * 10^e. When w and 10^|e| are doubles, one division or product is
 * correctly rounded [clinger1990]. Otherwise w and 10^|e| are unevaluated sums of two doubles, the quotient or
 * product is formed to about 100 bits [dekker1971], and rounding is monotonic: when both ends of the error
 * interval round to the same double, so does the truth. In the rare rest (near a midpoint of two doubles,
 * extreme exponents) the text goes to `Number`.
 */

const MAX_EXACT = 2 ** 53;
/** 10^45 is the largest power of ten whose odd part fits two doubles. */
const MAX_POWER = 45;
const POW_HI = new Float64Array(MAX_POWER + 1);
const POW_LO = new Float64Array(MAX_POWER + 1);
for (let k = 0, p = 1n; k <= MAX_POWER; k++, p *= 10n) {
	POW_HI[k] = Number(p);
	POW_LO[k] = Number(p - BigInt(POW_HI[k]));
}
/** Bound on the relative error of the two-double product and quotient below (theory: under 2^-102). */
const PAIR_ERROR = 2 ** -99;
const SPLITTER = 2 ** 27 + 1;

/** Where the number that `scanNumber` read last ends; its start when there was none. */
export let numberEnd = 0;

/**
 * The number that starts at `start`: `[+-] digits [point digits] [eEdD [+-] digits]`. NaN with
 * `numberEnd === start` when there is none. `point` is the byte of the decimal mark.
 */
export function scanNumber(bytes: Uint8Array, start: number, end: number, point: number): number {
	let i = start;
	let negative = false;
	if (i < end && (bytes[i] === 45 || bytes[i] === 43)) {
		negative = bytes[i] === 45;
		i++;
	}
	// The first nine significant digits go to a, the next nine to b, as small integers; further ones only shift.
	let a = 0;
	let b = 0;
	let nB = 0;
	let nDigits = 0;
	let nSignificant = 0;
	let exponent = 0;
	let dropped = false;
	let afterPoint = 0;
	for (; i < end; i++) {
		const digit = bytes[i] - 48;
		if (digit >= 0 && digit <= 9) {
			nDigits++;
			exponent -= afterPoint;
			if (nSignificant < 9) {
				a = a * 10 + digit;
				if (a !== 0) nSignificant++;
			} else if (nB < 9) {
				b = b * 10 + digit;
				nB++;
			} else {
				exponent++;
				if (digit !== 0) dropped = true;
			}
		} else if (digit === point - 48 && afterPoint === 0) {
			afterPoint = 1;
		} else {
			break;
		}
	}
	if (nDigits === 0) {
		numberEnd = start;
		return Number.NaN;
	}
	if (i < end && ((bytes[i] | 32) === 101 || (bytes[i] | 32) === 100)) {
		let j = i + 1;
		let sign = 1;
		if (j < end && (bytes[j] === 45 || bytes[j] === 43)) sign = bytes[j++] === 45 ? -1 : 1;
		const first = j;
		let e = 0;
		for (; j < end; j++) {
			const digit = bytes[j] - 48;
			if (!(digit >= 0 && digit <= 9)) break;
			e = e < 100_000 ? e * 10 + digit : 1e12;
		}
		if (j > first) {
			exponent += sign * e;
			i = j;
		}
	}
	numberEnd = i;
	const w = a * POW_HI[nB] + b;
	if (w === 0) return negative ? -0 : 0;
	if (w <= MAX_EXACT && !dropped && exponent >= -22 && exponent <= 22) {
		const value = exponent < 0 ? w / POW_HI[-exponent] : w * POW_HI[exponent];
		return negative ? -value : value;
	}
	if (exponent >= -MAX_POWER && exponent <= MAX_POWER) {
		const value = scaledPair(a, b, nB, exponent, dropped ? 1 : 0);
		if (!Number.isNaN(value)) return negative ? -value : value;
	}
	return numberFromText(bytes, start, i, point);
}

/** (a 10^nB + b + [0, slack]) 10^exponent rounded, or NaN when rounding is not settled by about 100 bits. */
function scaledPair(a: number, b: number, nB: number, exponent: number, slack: number): number {
	// a 10^nB + b as hi + lo, exactly: both factors are under 2^30, so the halves of a give exact products.
	const scale = POW_HI[nB];
	const aHigh = Math.floor(a / 32768) * 32768;
	const high = aHigh * scale;
	const low = (a - aHigh) * scale + b;
	const hi = high + low;
	const lo = low - (hi - high);
	const power = exponent < 0 ? -exponent : exponent;
	const pHi = POW_HI[power];
	const pLo = POW_LO[power];
	let main: number;
	let rest: number;
	let width: number;
	if (exponent < 0) {
		main = hi / pHi;
		const product = main * pHi;
		rest = (hi - product - productError(main, pHi, product) + lo - main * pLo) / pHi;
		width = slack / pHi;
	} else {
		main = hi * pHi;
		rest = productError(hi, pHi, main) + (hi * pLo + lo * pHi);
		width = slack * pHi;
	}
	const error = main * PAIR_ERROR;
	const below = main + (rest - error);
	return below === main + (rest + width + error) ? below : Number.NaN;
}

/** x y - product, exactly, where `product` is x y rounded [dekker1971]. */
function productError(x: number, y: number, product: number): number {
	const xs = x * SPLITTER;
	const xHigh = xs - (xs - x);
	const xLow = x - xHigh;
	const ys = y * SPLITTER;
	const yHigh = ys - (ys - y);
	const yLow = y - yHigh;
	return xHigh * yHigh - product + xHigh * yLow + xLow * yHigh + xLow * yLow;
}

function numberFromText(bytes: Uint8Array, start: number, end: number, point: number): number {
	let text = "";
	for (let i = start; i < end; i++) {
		const c = bytes[i];
		if (c === point) text += ".";
		else if ((c | 32) === 100) text += "e";
		else text += String.fromCharCode(c);
	}
	return Number(text);
}
