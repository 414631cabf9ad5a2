/** Units in headers: `u [N]`, `y (mm)`, `t/s`, or in a row of their own. They are kept and shown; nothing is converted. */

const PREFIX = "(?:da|[yzafpnuµμmcdhkMGTPEZY])?";
const PREFIXED =
	"m|g|s|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|Ω|Ohm|ohm|S|T|H|lm|lx|Bq|Gy|Sv|L|l|eV|bar|M|U|cal|Wh|VA|rad|B|Da|osm";
const WHOLE =
	"min|mins|h|hr|hrs|d|wk|mo|yr|a|sec|secs|msec|°|°C|°F|degC|degF|deg|rpm|%|‰|ppm|ppb|psi|mmHg|atm|in|ft|lb|lbs|mph|kt|IU|a\\.u|u|AU|cells?|counts?|CFU|OD|px|1|seconds?|minutes?|hours?|days?|weeks?|months?|years?|volts?|amps?|amperes?|metres?|meters?|kelvin|celsius|newtons?|pascals?|radians?|degrees?|percent|individuals?|persons?|animals?";
const TOKEN = new RegExp(`^(?:${PREFIX}(?:${PREFIXED})|${WHOLE})(?:\\^?[-+−]?\\d{1,2}|[⁻⁺¹²³⁴]+)?$`);
const LONGEST = 32;

/** Whether a text reads as a unit: `mm`, `m/s^2`, `1/min`, `mol L-1`. */
export function looksLikeUnit(text: string): boolean {
	if (text.length === 0 || text.length > LONGEST) return false;
	const tokens = text
		.replace(/[()]/g, " ")
		.trim()
		.split(/\s*[*·×/]\s*|\s+/);
	return tokens.every((token) => TOKEN.test(token));
}

/** A field of a header: `x [m]`, `x (m)` and `x/m` are a name and a unit. */
export function nameAndUnit(header: string): { name: string; unit?: string } {
	const bracketed = inBrackets(header);
	if (bracketed) return bracketed;
	const slash = header.indexOf("/");
	if (slash > 0 && !isRate(header)) {
		const unit = header
			.slice(slash + 1)
			.trim()
			.replace(/^\(([^()]*)\)$/, "$1");
		const name = header.slice(0, slash).trim();
		if (name !== "" && unit !== "1" && looksLikeUnit(unit)) return { name, unit };
	}
	const unit = UNIT_NAMES.exec(header)?.[1].toLowerCase();
	return unit === undefined ? { name: header } : { name: header, unit };
}

/** The headers of all columns; `x [m]` and `x [mm]` side by side keep theirs whole. */
export function namesAndUnits(headers: readonly string[]): { name: string; unit?: string }[] {
	const all = headers.map(nameAndUnit);
	const times = new Map<string, number>();
	for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
	return all.map((each, c) =>
		times.get(each.name)! > 1 && headers[c] ? { ...each, name: headers[c] } : each,
	);
}

/** `m/s` and `mol/L` are units and no quantities over one; `h/m` and `T/K` are, for letters alone name quantities. */
function isRate(header: string): boolean {
	if (!looksLikeUnit(header)) return false;
	return !/^[A-Za-z]\s*\//.test(header) || /\/\s*(?:m?s|min|h|d)$/.test(header);
}

/** A column that is called by a unit of time counts in it. */
const UNIT_NAMES = /^(year|month|week|day|hour|minute|second)s?$/i;

function inBrackets(header: string): { name: string; unit?: string } | undefined {
	const [open, close] = header.endsWith("]") ? "[]" : "()";
	const at = header.lastIndexOf(open);
	if (at < 0 || !header.endsWith(close)) return undefined;
	const [front, inside] = [header.slice(0, at), header.slice(at + 1, -1)];
	// v/(m/s)
	const isQuotient = front.trimEnd().endsWith("/");
	const name = isQuotient ? front.trimEnd().slice(0, -1).trimEnd() : front.trimEnd();
	const unit = inside.trim();
	// f(x) and y(1) are names; y(mm) is not.
	const isApart =
		open === "[" ||
		isQuotient ||
		name.length < front.length ||
		(unit !== "1" && looksLikeUnit(unit) && !/^\d/.test(unit));
	if (unit.includes(close) || name === "" || !isApart) return { name: header };
	return unit === "" || unit === "-" ? { name } : { name, unit };
}

/** The unit in a field of a row of units: `[m/s]`, `(V)`, `s`. */
export function unitOf(field: string): string | undefined {
	const bare = /^[[(](.*)[\])]$/.exec(field);
	const unit = (bare === null ? field : bare[1]).trim();
	return unit === "" || unit === "-" ? undefined : unit;
}

/** Whether a line of words below the names is one of units: at least half of what it says reads so. */
export function isUnitRow(fields: readonly string[]): boolean {
	const said = fields.filter((field) => field !== "" && field !== "-");
	const good = said.filter((field) => /^[[(].*[\])]$/.test(field) || looksLikeUnit(field));
	return said.length > 0 && 2 * good.length >= said.length;
}
