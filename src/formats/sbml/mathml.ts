/** Content MathML, as far as SBML uses it, to formulas. */
import { rationalFromDecimal } from "../../model/rational.ts";
import { decimalNumber, wholeNumber } from "../numbers.ts";
import type { XmlElement } from "../xml.ts";
import { applied, apply, type Formula, numeral } from "./formula.ts";
import type { Problems } from "./problems.ts";

/** Moles to particles; what SBML fixes it to be. */
const avogadro = 6.02214179e23;

/** Operations, with the fewest and the most arguments that they take. */
const operations = new Map<string, readonly [number, number]>([
	...each("plus times and or xor eq gt lt geq leq", 0, Infinity),
	...each("min max", 1, Infinity),
	...each("minus", 1, 2),
	...each("divide power quotient rem neq implies", 2, 2),
	...each(
		`root exp ln log abs floor ceiling factorial not sin cos tan sec csc cot sinh cosh tanh sech csch coth arcsin arccos arctan
		arcsec arccsc arccot arcsinh arccosh arctanh arcsech arccsch arccoth`,
		1,
		1,
	),
]);
function each(names: string, fewest: number, most: number): [string, readonly [number, number]][] {
	return names.split(/\s+/).map((name) => [name, [fewest, most]]);
}

/** A formula, or `undefined` where there is none; what cannot be read is noted. */
export function formulaOf(math: XmlElement | undefined, problems: Problems): Formula | undefined {
	const [inner, second] = math?.children ?? [];
	if (second) problems.add(second.span, "a second formula in one <math>", "Take one out.");
	return inner && readMath(inner, problems);
}

export interface Lambda {
	readonly params: readonly string[];
	readonly body: Formula | undefined;
}

export function lambdaOf(math: XmlElement | undefined, problems: Problems): Lambda | undefined {
	let lambda = math?.children[0];
	while (lambda?.name === "semantics") lambda = lambda.children[0];
	if (lambda?.name !== "lambda") return undefined;
	const params = lambda.children
		.filter(({ name }) => name === "bvar")
		.map(({ children }) => children[0]?.text.trim() ?? "");
	const body = lambda.children.find(({ name }) => name !== "bvar");
	return { params, body: body && readMath(body, problems) };
}

function readMath(element: XmlElement, problems: Problems): Formula {
	const { name, children, span } = element;
	const read = (child: XmlElement): Formula => readMath(child, problems);
	const refuse = (what: string, remedy: string): Formula => {
		problems.add(span, what, remedy);
		return numeral(0);
	};
	switch (name) {
		case "cn":
			return (
				readNumber(element) ??
				refuse(
					`<cn>${element.text.trim()}</cn> is no number that can be read`,
					"Write it in decimal digits, as its type says.",
				)
			);
		case "ci":
			return { kind: "name", id: element.text.trim(), span };
		case "csymbol":
			return readSymbol(element, problems);
		case "true":
		case "false":
			return { kind: "truth", value: name === "true" };
		case "pi":
			return apply("pi");
		case "exponentiale":
			return apply("exp", numeral(1));
		case "infinity":
		case "notanumber":
			return { kind: "number", value: name === "infinity" ? Infinity : Number.NaN, text: "", span };
		case "semantics":
			return children.length > 0 ? read(children[0]) : refuse("empty <semantics>", "");
		case "piecewise": {
			const isWhole = children.every(
				({ name: kind, children: parts }) =>
					(kind === "piece" && parts.length === 2) || (kind === "otherwise" && parts.length === 1),
			);
			if (!isWhole)
				return refuse("a <piece> has a value and a condition, <otherwise> a value", "Give what is missing.");
			const pieces = children.filter((child) => child.name === "piece");
			const otherwise = children.filter((child) => child.name === "otherwise");
			return applied(
				"piecewise",
				[...pieces, ...otherwise].flatMap((child) => child.children.map(read)),
			);
		}
		case "apply":
			return readApply(element, problems);
		default:
			return refuse(`<${name}> is not known in a formula`, "Write it with the operations of SBML.");
	}
}

function readNumber({ attributes, children, text }: XmlElement): Formula | undefined {
	const type = attributes.type ?? "real";
	const parts = children.some(({ name }) => name === "sep") ? text.trim().split(/\s+/) : [text.trim()];
	const [first, second] = parts;
	// SBML knows no other base.
	if ((attributes.base ?? "10").trim() !== "10") return undefined;
	if (parts.length !== (type === "e-notation" || type === "rational" ? 2 : 1)) return undefined;
	switch (type) {
		case "real":
			return decimalNumber(first) === undefined ? undefined : written(first);
		case "integer":
			return wholeNumber(first) === undefined ? undefined : written(first);
		case "e-notation": {
			const exponent = wholeNumber(second);
			// The whole of it, too: what stands first may have an exponent of its own.
			const whole = `${first}e${exponent}`;
			return decimalNumber(whole) === undefined ? undefined : written(whole);
		}
		case "rational": {
			const [top, bottom] = [wholeNumber(first), wholeNumber(second)];
			if (top === undefined || bottom === undefined) return undefined;
			return apply("divide", numeral(top), numeral(bottom));
		}
		default:
			return undefined;
	}
}

/** A number with its digits, as far as they can be kept. */
function written(text: string): Formula {
	const decimal = text.replace(/^\+/, "");
	const value = Number(decimal);
	const plain = decimal.replace(/^-/, "");
	return { kind: "number", value, text: rationalFromDecimal(plain) ? decimal : String(value) };
}

function readSymbol({ attributes, span }: XmlElement, problems: Problems): Formula {
	const url = attributes.definitionURL ?? "";
	if (url.endsWith("/time")) return { kind: "time" };
	if (url.endsWith("/avogadro")) return numeral(avogadro);
	const what = url.split("/").at(-1) ?? "";
	problems.add(span, `the symbol "${what}" is not supported here`, "");
	return numeral(0);
}

function readApply({ children, span }: XmlElement, problems: Problems): Formula {
	const [head, ...rest] = children;
	if (!head) {
		problems.add(span, "<apply> has nothing in it", "Give an operation and what it is applied to.");
		return numeral(0);
	}
	const qualifier = (name: string): Formula | undefined => {
		const found = rest.find((child) => child.name === name)?.children[0];
		return found && readMath(found, problems);
	};
	const args = rest
		.filter(({ name }) => name !== "degree" && name !== "logbase")
		.map((child) => readMath(child, problems));
	if (head.name === "ci") return { kind: "call", id: head.text.trim(), args, span: head.span };
	if (head.name === "csymbol") {
		const url = head.attributes.definitionURL ?? "";
		if (url.endsWith("/rateOf") && args[0]?.kind === "name")
			return { kind: "rate", id: args[0].id, span: head.span };
		if (url.endsWith("/delay")) {
			if (args[1]?.kind === "number" && args[1].value === 0) return args[0];
			problems.add(
				head.span,
				"delay(…): equations with delays are not supported",
				"Only ordinary differential equations are.",
			);
		} else problems.add(head.span, `the function "${url.split("/").at(-1)}" is not supported`, "");
		return numeral(0);
	}
	const bounds = operations.get(head.name);
	if (!bounds) {
		problems.add(
			head.span,
			`<${head.name}> is not known in a formula`,
			"Write it with the operations of SBML.",
		);
		return numeral(0);
	}
	const [fewest, most] = bounds;
	if (args.length < fewest || args.length > most) {
		const expected =
			fewest === most ? fewest : most === Infinity ? `${fewest} or more` : `${fewest} or ${most}`;
		problems.add(head.span, `<${head.name}> has ${args.length} arguments, not ${expected}`, "");
		return numeral(0);
	}
	if (head.name === "root") return apply("root", args[0], qualifier("degree") ?? numeral(2));
	if (head.name === "log") return apply("log", args[0], qualifier("logbase") ?? numeral(10));
	return applied(head.name, args);
}
