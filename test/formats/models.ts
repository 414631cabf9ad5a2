/** Small SBML models of our own. */
const namespaces: Readonly<Record<string, string>> = {
	"3.1": "http://www.sbml.org/sbml/level3/version1/core",
	"3.2": "http://www.sbml.org/sbml/level3/version2/core",
	"2.4": "http://www.sbml.org/sbml/level2/version4",
};

export function sbml(inside: string, { version = "3.2", more = "", after = "" } = {}): string {
	const [level, minor] = version.split(".");
	return `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="${namespaces[version]}" level="${level}" version="${minor}" ${more}>
<model id="m">
${inside}
</model>
${after}
</sbml>`;
}

/** A formula in brackets, `(plus a 1 (times k x))`, as MathML: names, numbers, `t`, and `f:g` for a function of the model. */
export function math(text: string): string {
	const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
	let at = 0;
	const read = (): string => {
		const token = tokens[at++];
		if (token !== "(") return atom(token);
		const op = tokens[at++];
		const parts: string[] = [];
		while (tokens[at] !== ")") parts.push(read());
		at++;
		if (op === "piecewise") {
			const pieces: string[] = [];
			for (let i = 0; i + 1 < parts.length; i += 2) pieces.push(`<piece>${parts[i]}${parts[i + 1]}</piece>`);
			return `<piecewise>${pieces.join("")}<otherwise>${parts[parts.length - 1]}</otherwise></piecewise>`;
		}
		return `<apply>${op.startsWith("f:") ? `<ci>${op.slice(2)}</ci>` : head(op)}${parts.join("")}</apply>`;
	};
	return `<math xmlns="http://www.w3.org/1998/Math/MathML">${read()}</math>`;
}

function head(op: string): string {
	return op === "rateOf" || op === "delay"
		? `<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/${op}"> ${op} </csymbol>`
		: `<${op}/>`;
}

function atom(token: string): string {
	if (token === "t")
		return '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time"> time </csymbol>';
	if (token === "true" || token === "false") return `<${token}/>`;
	return /^[-\d.]/.test(token) ? `<cn>${token}</cn>` : `<ci>${token}</ci>`;
}

export const list = (name: string, ...items: readonly string[]): string => {
	const tag = `listOf${name}`;
	return `<${tag}>${items.join("\n")}</${tag}>`;
};
export const compartment = (id: string, size: number, constant = true): string =>
	`<compartment id="${id}" spatialDimensions="3" size="${size}" constant="${constant}"/>`;
export const species = (id: string, home: string, start: string, more = ""): string => {
	const usual = { hasOnlySubstanceUnits: "false", boundaryCondition: "false", constant: "false" };
	const flags = Object.entries(usual).flatMap(([name, value]) =>
		more.includes(name) ? [] : [`${name}="${value}"`],
	);
	return `<species id="${id}" compartment="${home}" ${start} ${flags.join(" ")} ${more}/>`;
};
export const parameter = (id: string, value: number | undefined, constant = true): string =>
	`<parameter id="${id}" ${value === undefined ? "" : `value="${value}"`} constant="${constant}"/>`;
export const reaction = (id: string, from: string, to: string, law: string, locals = ""): string => {
	const side = (name: string, text: string): string =>
		text === ""
			? ""
			: list(
					name,
					...text.split(" ").map((each) => {
						const [which, count = "1", own] = each.split(":");
						return `<speciesReference ${own ? `id="${own}"` : ""} species="${which}" stoichiometry="${count}" constant="false"/>`;
					}),
				);
	return `<reaction id="${id}" reversible="false">${side("Reactants", from)}${side("Products", to)}<kineticLaw>${math(law)}${locals}</kineticLaw></reaction>`;
};
export const rule = (kind: string, variable: string, text: string): string =>
	`<${kind}Rule ${variable ? `variable="${variable}"` : ""}>${math(text)}</${kind}Rule>`;
export const event = (
	trigger: string,
	set: Readonly<Record<string, string>>,
	more = "",
	flags = "",
): string =>
	`<event id="e" useValuesFromTriggerTime="true"><trigger initialValue="true" persistent="true" ${flags}>${math(trigger)}</trigger>${more}${list(
		"EventAssignments",
		...Object.entries(set).map(
			([id, text]) => `<eventAssignment variable="${id}">${math(text)}</eventAssignment>`,
		),
	)}</event>`;
