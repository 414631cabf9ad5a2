/**
 * Dates with times as loggers write them: `2024-05-01 12:30:00.250`, with T or a blank, seconds and zone optional
 * (ISO 8601). Without a zone they are taken as UTC, so that no clock is set back in the middle of a record.
 */
import { exactQuotient } from "./exact-quotient.ts";

const STAMP =
	/^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)([.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

export interface TimeStamp {
	/** Whole seconds since 1970. */
	readonly seconds: number;
	/** The digits behind the point: apart, so that microseconds of today are not lost. */
	readonly digits: string;
}

/** `undefined` for what is no date, or one that no calendar has. */
export function parseTimeStamp(text: string): TimeStamp | undefined {
	const match = STAMP.exec(text);
	if (match === null) return undefined;
	const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
	const midnight = Date.UTC(year, month - 1, day);
	const date = new Date(midnight);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	if (!(hour <= 24 && minute < 60 && second <= 60)) return undefined;
	const seconds = midnight / 1000 + 3600 * hour + 60 * minute + second - zoneSeconds(match[8]);
	return { seconds, digits: match[7]?.slice(1) ?? "" };
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
