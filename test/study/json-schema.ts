/** As much of JSON schema as docs/summary.schema.json uses; a keyword that is not known here is an error, not passed over. */

import { readFileSync } from "node:fs";

type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown, rule: never, at: string, root: Schema, schema: Schema) => string[];

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
	if (value === null) return "null";
	return Array.isArray(value) ? "array" : typeof value;
}

function hasType(value: unknown, type: string): boolean {
	return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}

const said = (at: string, right: boolean, what: string): string[] => (right ? [] : [`${at || "/"}: ${what}`]);
/** Words for people, what references point to, and what `if` looks at itself. */
const ignored = new Set(["$schema", "$defs", "title", "description", "then", "else"]);

const checks: Readonly<Record<string, Check>> = {
	$ref: (value, rule: string, at, root) => errorsOf(value, refersTo(rule, root), at, root),
	type: (value, rule: string | string[], at) =>
		said(
			at,
			[rule].flat().some((type) => hasType(value, type)),
			`is ${typeOf(value)}, not ${rule}`,
		),
	enum: (value, rule: unknown[], at) => said(at, rule.includes(value), `is ${value}, none of ${rule}`),
	const: (value, rule: unknown, at) => said(at, value === rule, `is not ${rule}`),
	minimum: (value, rule: number, at) =>
		said(at, typeof value !== "number" || value >= rule, `is below ${rule}`),
	maximum: (value, rule: number, at) =>
		said(at, typeof value !== "number" || value <= rule, `is above ${rule}`),
	exclusiveMinimum: (value, rule: number, at) =>
		said(at, typeof value !== "number" || value > rule, `is not above ${rule}`),
	required: (value, rule: string[], at) =>
		isObject(value) ? rule.flatMap((name) => said(at, name in value, `lacks ${name}`)) : [],
	dependentRequired: (value, rule: Record<string, string[]>, at) =>
		Object.entries(rule).flatMap(([name, others]) =>
			isObject(value) && name in value
				? others.flatMap((other) => said(at, other in value, `has ${name}, but lacks ${other}`))
				: [],
		),
	properties: (value, rule: Record<string, Schema>, at, root) =>
		Object.entries(rule).flatMap(([name, schema]) =>
			isObject(value) && name in value ? errorsOf(value[name], schema, `${at}/${name}`, root) : [],
		),
	additionalProperties: (value, rule: Schema, at, root, { properties = {} }) =>
		isObject(value)
			? Object.entries(value).flatMap(([name, each]) =>
					name in (properties as object) ? [] : errorsOf(each, rule, `${at}/${name}`, root),
				)
			: [],
	items: (value, rule: Schema, at, root) =>
		Array.isArray(value) ? value.flatMap((each, i) => errorsOf(each, rule, `${at}/${i}`, root)) : [],
	allOf: (value, rule: Schema[], at, root) => rule.flatMap((schema) => errorsOf(value, schema, at, root)),
	if: (value, rule: Schema, at, root, schema) => {
		const next = schema[errorsOf(value, rule, at, root).length === 0 ? "then" : "else"] as Schema | undefined;
		return next ? errorsOf(value, next, at, root) : [];
	},
};

function refersTo(reference: string, root: Schema): Schema {
	const found = reference
		.replace(/^#\//, "")
		.split("/")
		.reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], root);
	if (!isObject(found)) throw new Error(`the schema has no ${reference}`);
	return found;
}

/** What is wrong with a value, with its place; nothing where it is as the schema says. */
export function errorsOf(value: unknown, schema: Schema, at = "", root: Schema = schema): string[] {
	return Object.entries(schema).flatMap(([keyword, rule]) => {
		if (ignored.has(keyword)) return [];
		const check = checks[keyword];
		if (!check) throw new Error(`the keyword ${keyword} at ${at || "/"} is not known`);
		return check(value, rule as never, at, root, schema);
	});
}

const ofSummary = JSON.parse(
	readFileSync(new URL("../../docs/summary.schema.json", import.meta.url), "utf8"),
);

/** Where a summary.json is not as docs/summary.schema.json says. */
export function summaryErrors(summary: unknown): string[] {
	return errorsOf(summary, ofSummary);
}
