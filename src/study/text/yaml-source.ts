/**
 * YAML text as a tree in which every value knows its place. Only plain data is let through: no tags, and aliases
 * (`*name`) only as often as a person would write them, so that a small file cannot unfold into a huge one.
 */
import {
	type Alias,
	type Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	type Node,
	parseDocument,
	visit,
} from "yaml";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Span } from "../../model/model.ts";

const maxCharacters = 2_000_000;
/** Values that a study may have once its aliases are followed. */
const maxValues = 100_000;
const maxDepth = 32;

export type Tree =
	| { readonly kind: "null"; readonly span: Span }
	| {
			readonly kind: "scalar";
			readonly span: Span;
			readonly value: string | number | boolean;
			readonly block: boolean;
	  }
	| { readonly kind: "list"; readonly span: Span; readonly items: readonly Tree[] }
	| { readonly kind: "map"; readonly span: Span; readonly entries: readonly Entry[] };

export interface Entry {
	readonly key: string;
	readonly keySpan: Span;
	readonly value: Tree;
}

/** The tree of a YAML text, or `undefined` with at least one diagnostic. */
export function yamlTree(source: string, report: (diagnostic: Diagnostic) => void): Tree | undefined {
	let failed = false;
	const fail = (span: Span, message: string, remedy: string): void => {
		failed = true;
		report({ span, message, remedy });
	};
	if (source.length > maxCharacters) {
		fail(
			{ start: 0, end: 1 },
			`the file has ${source.length} characters, more than a study needs`,
			"Is it a study?",
		);
		return undefined;
	}
	const document = parseDocument(source, {
		schema: "core",
		prettyErrors: false,
		uniqueKeys: true,
		merge: false,
	});
	for (const { pos, code, message } of [...document.errors, ...document.warnings]) {
		const plain = plainMessage(code, message);
		fail({ start: pos[0], end: Math.max(pos[1], pos[0] + 1) }, plain.message, plain.remedy);
		// Once the parser has lost its place, what it says of the rest means nothing.
		if (code === "UNEXPECTED_TOKEN") break;
	}
	if (failed) return undefined;

	let nValues = 0;
	const targets = aliasTargets(document);
	const following = new Set<Alias>();
	const spanOf = (node: Node): Span => {
		const [start, end] = node.range ?? [0, 0];
		return { start, end: Math.max(end, start + 1) };
	};
	const walk = (node: Node | null, depth: number, where: Span): Tree => {
		if (failed) return { kind: "null", span: where };
		if (++nValues > maxValues || depth > maxDepth) {
			fail(where, "the study unfolds to too many values", "Write fewer aliases (*name), or less nesting.");
			return { kind: "null", span: where };
		}
		if (node === null) return { kind: "null", span: where };
		if (node.tag && !node.tag.startsWith("tag:yaml.org,2002:"))
			fail(spanOf(node), `a tag (${node.tag}) is not part of a study`, "Remove it.");
		if (isAlias(node)) {
			const target = targets.get(node);
			if (!target || following.has(node)) {
				fail(spanOf(node), `the alias "*${node.source}" leads nowhere`, "Write the value out.");
				return { kind: "null", span: where };
			}
			following.add(node);
			const tree = walk(target, depth + 1, spanOf(node));
			following.delete(node);
			return { ...tree, span: spanOf(node) };
		}
		const span = spanOf(node);
		if (isSeq(node))
			return {
				kind: "list",
				span,
				items: node.items.map((item) => walk(item as Node | null, depth + 1, span)),
			};
		if (isMap(node)) {
			const entries = node.items.map((pair): Entry => {
				const keyNode = pair.key as Node;
				const keySpan = keyNode ? spanOf(keyNode) : span;
				if (!isScalar(keyNode)) fail(keySpan, "a key is a single word", "Write  name: value");
				const key = isScalar(keyNode) ? String(keyNode.value) : "";
				return { key, keySpan, value: walk(pair.value as Node | null, depth + 1, keySpan) };
			});
			return { kind: "map", span, entries };
		}
		const value = isScalar(node) ? node.value : null;
		if (value === null || value === undefined) return { kind: "null", span };
		const block = isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
		if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
			return { kind: "scalar", span, value, block };
		return { kind: "scalar", span, value: String(value), block };
	};
	const tree = walk(document.contents as Node | null, 0, { start: 0, end: 1 });
	return failed ? undefined : tree;
}

/** What each alias stands for: the last anchor of its name before it. One pass, however many there are. */
function aliasTargets(document: Document): ReadonlyMap<Alias, Node> {
	const anchors = new Map<string, Node>();
	const targets = new Map<Alias, Node>();
	visit(document, {
		Node(_, node) {
			if (isAlias(node)) {
				const target = anchors.get(node.source);
				if (target) targets.set(node, target);
			} else if (node.anchor) anchors.set(node.anchor, node);
		},
	});
	return targets;
}

/** The parser's message in the words of a user who never read the YAML specification. */
function plainMessage(code: string, message: string): { message: string; remedy: string } {
	if (/end with a [}\]]/.test(message))
		return {
			message: "a bracket is not closed before here",
			remedy: "Close it with } or ], or indent this line.",
		};
	if (/flow-(seq|map)-start at node end/.test(message))
		return {
			message: "a bracket inside a plain word",
			remedy: 'Put the words in quotes: "Level [m]".',
		};
	switch (code) {
		case "DUPLICATE_KEY":
			return { message: "this key stands here twice", remedy: "Keep one of the two." };
		case "TAB_AS_INDENT":
			return { message: "a tab indents this line", remedy: "Indent with spaces." };
		case "BAD_INDENT":
			return { message: "this line is not indented like its neighbours", remedy: "Line it up with them." };
		case "MULTIPLE_DOCS":
			return { message: 'a second document starts here ("---")', remedy: "One study a file." };
		case "TAG_RESOLVE_FAILED":
			return { message: "a tag (!name) is not part of a study", remedy: "Remove it." };
		case "BLOCK_AS_IMPLICIT_KEY":
			return {
				message: "a second colon in one line",
				remedy: 'Put each key on its own line, or the text in quotes: "a: b".',
			};
		case "BAD_ALIAS":
			return {
				message: "this alias (*name) has no anchor (&name)",
				remedy: "Write the value out, or quote the text.",
			};
		default:
			return { message: `not readable as YAML: ${message}`, remedy: "" };
	}
}
