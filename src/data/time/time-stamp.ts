/**
 * Dates with times as loggers and spreadsheets write them: `2024-05-01 12:30:00.250` (ISO 8601), `01.05.2024 12:30`,
 * `05/01/2024 3:00 PM`, `1 May 2024`. Without a zone they are taken as UTC, so that no clock is set back in the middle of
 * a record. Where day and month come before the year, their order is not in the date itself: both readings are given.
 */
import { exactQuotient } from "./exact-quotient.ts";

const CLOCK = String.raw`(?:(?:T|,?\s+)(\d{1,2}):(\d\d)(?::(\d\d)([.,]\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${CLOCK}$`, "i");
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)${CLOCK}$`, "i");
const DAY_MONTH = new RegExp(String.raw`^(\d{1,2})\.?[-\s]([a-z]{3,9})\.?[-\s](\d{4})${CLOCK}$`, "i");
const MONTH_DAY = new RegExp(String.raw`^([a-z]{3,9})\.?\s(\d{1,2}),?\s(\d{4})${CLOCK}$`, "i");
const MONTHS = "january february march april may june july august september october november december".split(
	" ",
);
const LONGEST = 48;

export interface TimeStamp {
	/** Whole seconds since 1970. */
	readonly seconds: number;
	/** The digits behind the point: apart, so that microseconds of today are not lost. */
	readonly digits: string;
}

/** A date in both orders; the same twice where it says its order. */
export interface DateReadings {
	readonly dayFirst?: TimeStamp;
	readonly monthFirst?: TimeStamp;
	/** Points between day, month and year: the day comes first wherever dates are written so. */
	readonly isDotted?: boolean;
}

/** `undefined` for what is no date, or one that no calendar has. */
export function dateReadings(text: string): DateReadings | undefined {
	if (text.length > LONGEST || !/\d/.test(text)) return undefined;
	const last = YEAR_LAST.exec(text);
	if (last !== null) return yearLast(last);
	const sure = sureDate(text);
	return sure && { dayFirst: sure, monthFirst: sure };
}

/** The time of a date that says its order: year first, or the month by its name. */
export function parseTimeStamp(text: string): TimeStamp | undefined {
	return text.length > LONGEST ? undefined : sureDate(text);
}

function sureDate(text: string): TimeStamp | undefined {
	const iso = YEAR_FIRST.exec(text);
	if (iso !== null) return stampOf(Number(iso[1]), Number(iso[3]), Number(iso[4]), iso.slice(5));
	const named = DAY_MONTH.exec(text);
	if (named !== null) return stampOf(Number(named[3]), monthOf(named[2]), Number(named[1]), named.slice(4));
	const english = MONTH_DAY.exec(text);
	if (english === null) return undefined;
	return stampOf(Number(english[3]), monthOf(english[1]), Number(english[2]), english.slice(4));
}

function yearLast(match: RegExpExecArray): DateReadings | undefined {
	const [, first, sign, second, year] = match;
	// 24/05/01 may begin with its year: with a slash or a dash a year has four digits.
	if (year.length === 2 && sign !== ".") return undefined;
	const clock = match.slice(5);
	const whole = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900);
	const dayFirst = stampOf(whole, Number(second), Number(first), clock);
	const monthFirst = stampOf(whole, Number(first), Number(second), clock);
	if (!dayFirst && !monthFirst) return undefined;
	return {
		...(dayFirst ? { dayFirst } : {}),
		...(monthFirst ? { monthFirst } : {}),
		...(sign === "." ? { isDotted: true } : {}),
	};
}

/** 0 where no month is called so. */
function monthOf(word: string): number {
	const name = word.toLowerCase();
	const short = name === "sept" ? "sep" : name;
	return MONTHS.findIndex((month) => month === short || month.slice(0, 3) === short) + 1;
}

type Clock = readonly (string | undefined)[];

function stampOf(year: number, month: number, day: number, clock: Clock): TimeStamp | undefined {
	const [hourText, minute, second, fraction, half, zone] = clock;
	const midnight = Date.UTC(year, month - 1, day);
	const date = new Date(midnight);
	const isInCalendar =
		date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
	const hour = hourOf(Number(hourText ?? 0), half);
	const [m, s] = [Number(minute ?? 0), Number(second ?? 0)];
	if (!isInCalendar || !(hour <= 24 && m < 60 && s <= 60)) return undefined;
	return {
		seconds: midnight / 1000 + 3600 * hour + 60 * m + s - zoneSeconds(zone),
		digits: fraction?.slice(1) ?? "",
	};
}

/** Of a clock of twelve hours: 12 AM is midnight, 12 PM noon; NaN for one that no such clock shows. */
function hourOf(hour: number, half: string | undefined): number {
	if (half === undefined) return hour;
	if (!(hour >= 1 && hour <= 12)) return Number.NaN;
	return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

/** As 2024-05-01 15:00, with seconds where there are any. */
export function isoText({ seconds, digits }: TimeStamp): string {
	const [date, time] = new Date(1000 * seconds).toISOString().split("T");
	const clock = time.slice(0, 8).replace(/^00:00:00$/, "");
	const shown = digits === "" ? clock.replace(/:00$/, "") : `${clock || "00:00:00"}.${digits}`;
	return shown === "" ? date : `${date} ${shown}`;
}

/** Seconds from one date to another: their difference as decimals, rounded once. */
export function secondsBetween(from: TimeStamp, to: TimeStamp): number {
	const places = Math.max(from.digits.length, to.digits.length);
	const seconds = to.seconds - from.seconds;
	const part = ({ digits }: TimeStamp): string => digits.padEnd(places, "0") || "0";
	// Whole numbers that doubles hold exactly, whose quotient is the nearest double.
	if (places <= 6 && Math.abs(seconds) < 1e9) {
		const scale = Number(`1e${places}`);
		return (seconds * scale + (Number(part(to)) - Number(part(from)))) / scale;
	}
	const scale = 10n ** BigInt(places);
	return exactQuotient(BigInt(seconds) * scale + BigInt(part(to)) - BigInt(part(from)), scale);
}

function zoneSeconds(zone: string | undefined): number {
	if (zone === undefined || /^z$/i.test(zone)) return 0;
	const digits = zone.slice(1).replace(":", "");
	const size = 3600 * Number(digits.slice(0, 2)) + 60 * Number(digits.slice(2, 4) || 0);
	return zone[0] === "-" ? -size : size;
}
