/** XML as a tree. Nothing is fetched and no entity of one's own is put in: a document type is refused. */
import { SaxesParser, type SaxesTagNS } from "saxes";
import { ModelError } from "../model/diagnostic.ts";
import type { Span } from "../model/model.ts";

export interface XmlElement {
	/** Without its prefix. */
	readonly name: string;
	readonly uri: string;
	/** By local name; those of a package have its prefix before a colon. */
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: readonly XmlElement[];
	/** What stands between the tags, without that of elements inside. */
	readonly text: string;
	/** The opening tag. */
	readonly span: Span;
}

const mostCharacters = 50_000_000;
const mostDepth = 500;

interface Open {
	name: string;
	uri: string;
	attributes: Record<string, string>;
	children: XmlElement[];
	text: string;
	span: Span;
}

/** Throws `ModelError` with the place of the first thing that is no XML. */
export function parseXml(source: string, fileName: string): XmlElement {
	const fail = (at: number, message: string, remedy: string): never => {
		const start = Math.max(0, Math.min(at, source.length - 1));
		throw new ModelError(fileName, source, [{ span: { start, end: start + 1 }, message, remedy }]);
	};
	if (source.length > mostCharacters)
		fail(0, `the file has more than ${mostCharacters} characters`, "Is this a model?");
	const parser = new SaxesParser({ xmlns: true, position: true });
	const stack: Open[] = [];
	let root: XmlElement | undefined;
	parser.on("error", (error) => {
		const why = error.message.replace(/^[^:]*:?\d+:\d+: /, "").replace(/\.$/, "");
		fail(
			parser.position - 1,
			`this is no well-formed XML: ${why}`,
			"Write the file again with the tool that made it.",
		);
	});
	parser.on("doctype", () =>
		fail(
			parser.position - 1,
			"a document type declaration",
			"Take the line <!DOCTYPE …> out: models have none.",
		),
	);
	parser.on("opentag", (tag: SaxesTagNS) => {
		const start = source.lastIndexOf("<", parser.position - 1);
		if (stack.length >= mostDepth) fail(start, `more than ${mostDepth} elements inside one another`, "");
		const attributes: Record<string, string> = {};
		for (const { prefix, local, value } of Object.values(tag.attributes))
			if (prefix !== "xmlns" && local !== "xmlns") attributes[prefix ? `${prefix}:${local}` : local] = value;
		// Numbers in two parts stay apart: 1.5<sep/>3.
		if (tag.local === "sep" && stack.length > 0) stack[stack.length - 1].text += " ";
		const span = { start, end: Math.max(start + 1, parser.position) };
		stack.push({ name: tag.local, uri: tag.uri, attributes, children: [], text: "", span });
	});
	const take = (text: string): void => {
		const top = stack.at(-1);
		if (top) top.text += text;
	};
	parser.on("text", take);
	parser.on("cdata", take);
	parser.on("closetag", () => {
		const done = stack.pop()!;
		const parent = stack.at(-1);
		if (parent) parent.children.push(done);
		else root = done;
	});
	parser.write(source).close();
	return root ?? fail(0, "there is no element", "Is this an XML file?");
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
	return element?.children.find((child) => child.name === name);
}

/** The elements of a list such as `listOfSpecies`. */
export function listOf(element: XmlElement | undefined, list: string, name?: string): XmlElement[] {
	const all = (element?.children ?? [])
		.filter((child) => child.name === list)
		.flatMap(({ children }) => children);
	return all.filter((child) =>
		name === undefined ? child.name !== "notes" && child.name !== "annotation" : child.name === name,
	);
}
