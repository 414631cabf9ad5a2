/**
 * The engine advises in words of the study file, which stand between double blanks:  detrend: linear. Who sits before the
 * page has fields for them: it points to those.
 */
const clock = "under “Columns and clock”";

const rules: readonly (readonly [RegExp, string | ((...parts: string[]) => string)])[] = [
	[
		/say(?: so:)? {2}(?:data: \{ )?missing: \[([^\]]*)\](?: \}| {2}in the data section of the study)/g,
		(_, values) => `write ${values.replaceAll(".inf", "inf")} at “no value” ${clock}`,
	],
	[/Name the column of the (\S+ \S+): {2}columns: \{[^}]*\} ?/g, `Choose the column of the $1 ${clock}.`],
	[/Map one under {2}columns: \{ (.*?): … \}/g, `Choose one for $1 ${clock}`],
	[/say when under data: {2}start: (\S+?)(?=\.?$|\.? )/g, `write $1 at “start” ${clock}`],
	[/detrend: (\w+) {2}would/g, "a line would"],
	[/under {2}columns: {2}/g, `${clock}: `],
	[/under {2}columns:/g, clock],
	[/Add {2}time: (.+)$/g, `Choose $1 as time ${clock}.`],
	[
		/Add {2}rate: 100 {2}\(samples a second\), or {2}time: {2}with the column of times\./g,
		`Choose the column of times, or write the rate, ${clock}.`,
	],
	[
		/(?:Add|Write|Give it with the record:) {2}conditions: \{ (.*?): \S+ \}\.?/g,
		`Write its value at “$1” ${clock}.`,
	],
	[/under {2}conditions: {2}of the record/g, clock],
	[/Write {2}detrend: (\w+)(?: {2}in the data section)?/g, `Choose $1 at “detrend” ${clock}`],
	[
		/Write {2}input: (\w+), {2}input: (\w+) {2}or {2}input: (\w+) {2}in the study/g,
		`Choose $1, $2 or $3 at “input between samples” ${clock}`,
	],
	[/under {2}set: {2}/g, "at “set” in the options "],
	[/under {2}set:/g, "at “set” in the options"],
	[/Name a file under {2}data:/g, "Open a record"],
	[/Name one file under {2}data:/g, "Open one record only"],
	[/ {2}method: (\w+)(?: {2})?/g, (whole, name) => ` ${name}${whole.endsWith("  ") ? " " : ""}`],
	[
		/ {2}(\w+): \{ (\w+)(?:: ([^}]+?))? \}( {2})?/g,
		(_, method, name, value, more) =>
			` “${name}”${value === undefined ? "" : ` ${value}`} in the options of ${method}${more ? " " : ""}`,
	],
];

export function pageWords(text: string): string {
	return rules.reduce((said, [pattern, words]) => said.replace(pattern, words as string), text);
}
