/** The parts of a workbook are XML: gone through once, in pieces. Nothing is expanded and nothing fetched. */
import { SaxesParser } from "saxes";
import { InputError } from "../../errors.ts";

const STEP = 1024 * 1024;

export interface XmlWatch {
	/** Names are without their prefix. */
	open?(name: string, attribute: (name: string) => string | undefined): void;
	text?(text: string): void;
	close?(name: string): void;
}

export function parseXml(xml: Uint8Array, source: string, watch: XmlWatch): void {
	const parser = new SaxesParser({ xmlns: false, position: false });
	parser.on("error", (error) => {
		throw new InputError(
			source,
			`holds XML that is not well-formed (${error.message})`,
			"The file is damaged: save it again.",
		);
	});
	const { open, text, close } = watch;
	if (open)
		parser.on("opentag", ({ name, attributes }) => {
			const all = attributes as Record<string, string>;
			open(local(name), (wanted) => {
				if (Object.hasOwn(all, wanted)) return all[wanted];
				const key = Object.keys(all).find((each) => local(each) === wanted);
				return key === undefined ? undefined : all[key];
			});
		});
	if (text) {
		parser.on("text", (part) => text(part));
		parser.on("cdata", (part) => text(part));
	}
	if (close) parser.on("closetag", ({ name }) => close(local(name)));
	const decoder = new TextDecoder();
	for (let start = 0; start < xml.length; ) {
		let end = Math.min(start + STEP, xml.length);
		// Not in the middle of a letter.
		while (end > start + 4 && end < xml.length && (xml[end] & 0xc0) === 0x80) end--;
		parser.write(decoder.decode(xml.subarray(start, end)));
		start = end;
	}
	parser.close();
}

/** Every element, as it begins. */
export function eachElement(xml: Uint8Array, source: string, open: NonNullable<XmlWatch["open"]>): void {
	parseXml(xml, source, { open });
}

/** The words of every element of this name: its `t` elements one after another, those for reading aloud left out. */
export function eachText(
	xml: Uint8Array,
	source: string,
	wanted: string,
	give: (text: string) => void,
): void {
	let words = "";
	let inWords = false;
	let aloud = false;
	parseXml(xml, source, {
		open(name) {
			if (name === wanted) words = "";
			else if (name === "rPh") aloud = true;
			else if (name === "t") inWords = !aloud;
		},
		text(part) {
			if (inWords) words += part;
		},
		close(name) {
			if (name === wanted) give(words);
			else if (name === "rPh") aloud = false;
			else if (name === "t") inWords = false;
		},
	});
}

function local(name: string): string {
	return name.slice(name.indexOf(":") + 1);
}
