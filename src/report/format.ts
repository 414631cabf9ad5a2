/**
 * Numbers as people write them: the digits follow the uncertainty, so that no digit is shown that means nothing.
 * Table and text of the command line, the report and the workbench all go through here.
 */
import { counted as plainlyCounted } from "../estimate/judge/words.ts";
import { decimalExponent, tenTo } from "../num/whole-power.ts";

/** Digits of an uncertainty that are worth showing: two where the first digits are small (0.011), else one (0.004). */
function uncertaintyDigits(sd: number): number {
	const leading = over(sd, decimalExponent(sd));
	return leading < 3.55 ? 2 : 1;
}

/** Below and above these sizes a common power of ten is set apart. */
const smallest = 1e-3;
const largest = 1e6;

/** Decimals that an uncertainty allows. Rounding 0.0096 to one digit gives 0.01: they are counted after rounding. */
function placesOf(sd: number): number {
	const rounded = Number(sd.toPrecision(uncertaintyDigits(sd)));
	return uncertaintyDigits(rounded) - 1 - decimalExponent(rounded);
}

export interface Uncertain {
	/** Value and uncertainty with equal decimals; `sd` is empty where there is none. */
	readonly value: string;
	readonly sd: string;
	/** Power of ten that both are to be multiplied with; 0 for none. */
	readonly exponent: number;
}

/** Value and standard deviation as texts of equal decimals, over a common power of ten where that reads better. */
export function uncertainParts(value: number, sd: number | undefined): Uncertain {
	if (!Number.isFinite(value)) return { value: formatNumber(value), sd: "", exponent: 0 };
	if (sd === undefined || !(sd > 0) || !Number.isFinite(sd)) {
		const exponent = exponentFor(Math.abs(value));
		const sdText = sd === Infinity ? "∞" : sd === 0 ? "0" : "";
		return { value: significant(over(value, exponent), 4), sd: sdText, exponent };
	}
	const exponent = exponentBeside(Math.max(Math.abs(value), sd), sd);
	const scaled = over(sd, exponent);
	const decimals = Math.min(15, Math.max(0, placesOf(scaled)));
	return { value: fixed(over(value, exponent), decimals), sd: fixed(scaled, decimals), exponent };
}

/** `1.002 ± 0.004`, `(5.03 ± 0.12)e-6`. */
export function formatWithUncertainty(value: number, sd?: number): string {
	const parts = uncertainParts(value, sd);
	const both = parts.sd ? `${parts.value} ± ${parts.sd}` : parts.value;
	if (parts.exponent === 0) return both;
	return parts.sd ? `(${both})e${parts.exponent}` : `${both}e${parts.exponent}`;
}

/**
 * Both ends of an interval over a common power of ten. Its digits are those of the standard deviation beside it, or else two
 * digits of its width. A proved interval has one more, and is rounded outward: what is shown holds what was proved.
 */
export function intervalParts(
	lo: number,
	hi: number,
	sd?: number,
	outward = false,
): { lo: string; hi: string; exponent: number } {
	const width = hi - lo;
	const noWidth = !(width > 0) || !Number.isFinite(width);
	const known = sd !== undefined && sd > 0 && Number.isFinite(sd);
	if (noWidth && !known) return { lo: formatNumber(lo), hi: formatNumber(hi), exponent: 0 };
	const ends = [lo, hi].filter(Number.isFinite).map(Math.abs);
	// An interval that is far narrower than the deviation beside it has digits of its own.
	const bySd = known && (noWidth || width > sd / 10);
	const exponent = bySd ? exponentBeside(Math.max(...ends, sd), sd) : exponentFor(Math.max(...ends));
	const places = bySd ? placesOf(over(sd, exponent)) : 1 - decimalExponent(over(width, exponent));
	const decimals = Math.min(15, Math.max(0, outward ? places + 1 : places));
	const text = (end: number, side: -1 | 1): string => {
		if (!Number.isFinite(end)) return formatNumber(end);
		const near = fixed(over(end, exponent), decimals);
		const inward = outward && side * (Number(`${near}e${exponent}`) - end) < 0;
		return inward ? fixed(Number(near) + side * tenTo(-decimals), decimals) : near;
	};
	return { lo: text(lo, -1), hi: text(hi, 1), exponent };
}

/** `0.996 … 1.008`, `(5.00 … 5.06)e-6` */
export function formatInterval(lo: number, hi: number, sd?: number): string {
	const ends = intervalParts(lo, hi, sd);
	const both = `${ends.lo} … ${ends.hi}`;
	return ends.exponent === 0 ? both : `(${both})e${ends.exponent}`;
}

/** A number on its own: `digits` significant ones, trailing zeros dropped, `∞` for infinite. */
export function formatNumber(value: number, digits = 4): string {
	if (Number.isNaN(value)) return "not a number";
	if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
	const exponent = exponentFor(Math.abs(value));
	const body = significant(over(value, exponent), digits);
	return exponent === 0 ? body : `${body}e${exponent}`;
}

/** Three significant digits, zeros kept, as for a root mean square: `0.0207`, `1.50e-7`. */
export function formatRms(value: number): string {
	if (!Number.isFinite(value) || value === 0) return formatNumber(value);
	const exponent = exponentFor(Math.abs(value));
	const scaled = over(value, exponent);
	const decimals = Math.max(0, 2 - decimalExponent(Number(scaled.toPrecision(3))));
	return fixed(scaled, decimals) + (exponent === 0 ? "" : `e${exponent}`);
}

/** `131,072` */
export function formatCount(n: number): string {
	return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `2,000 samples`, `1 sample`, `no samples`. */
export function counted(n: number, one: string, many = `${one}s`): string {
	return n === 0 ? `no ${many}` : plainlyCounted(n, one, many, formatCount(n));
}

/** A duration for people: `0.1 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
	if (!(seconds >= 0)) return "?";
	if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
	if (seconds < 99.5) return `${Math.round(seconds)} s`;
	const whole = Math.round(seconds);
	if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
	const minutes = Math.round(seconds / 60);
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** x over a power of ten, also where that is less than the least double. */
function over(x: number, exponent: number): number {
	return exponent < -300 ? (x * 1e300) / tenTo(exponent + 300) : x / tenTo(exponent);
}

function exponentFor(size: number): number {
	if (size === 0 || (size >= smallest && size < largest)) return 0;
	return decimalExponent(size);
}

/** Also where the uncertainty leaves several digits before the point without meaning. */
function exponentBeside(size: number, sd: number): number {
	return placesOf(sd) < -1 ? decimalExponent(size) : exponentFor(size);
}

/** `digits` significant digits without trailing zeros and without a power of ten. */
function significant(value: number, digits: number): string {
	if (value === 0) return "0";
	const decimals = Math.min(15, Math.max(0, digits - 1 - decimalExponent(value)));
	const text = fixed(value, decimals);
	return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** `toFixed` with a true minus sign dropped from zero: no `-0.00`. */
function fixed(value: number, decimals: number): string {
	const out = value.toFixed(decimals);
	return /^-0\.?0*$/.test(out) ? out.slice(1) : out;
}
