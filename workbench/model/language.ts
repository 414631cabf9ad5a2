/** The model language for the editor: colours, and what may be written where. */
import { type CompletionContext, type CompletionResult, snippetCompletion } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	EditorView,
	MatchDecorator,
	ViewPlugin,
	type ViewUpdate,
} from "@codemirror/view";
import {
	bases,
	declarationKeywords,
	distributions,
	errorDistributions,
	functionNames,
	functionProcesses,
	inputProcesses,
	type ModelDescription,
} from "../../src/model/index.ts";

const keywords = new Set<string>([...declarationKeywords, "in"]);
const functions = new Set<string>(functionNames);
const families = new Map([
	...errorDistributions,
	...distributions,
	...bases,
	...functionProcesses,
	...inputProcesses,
]);

/** Comments, numbers and words; what a word is, its place and the vocabulary say. */
const decorator = new MatchDecorator({
	regexp: /#.*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[\p{L}_][\p{L}\p{N}_]*|\+-|[-+*/^=~<>]+/gu,
	decoration(match, view, position) {
		const [text] = match;
		const line = view.state.doc.lineAt(position);
		const before = line.text.slice(0, position - line.from).trim();
		const after = line.text.slice(position - line.from + text.length);
		const name = classOf(text, before === "", after.startsWith("("));
		return name === undefined ? null : marks[name];
	},
});

type Class = "comment" | "number" | "keyword" | "function" | "operator";
const marks = Object.fromEntries(
	(["comment", "number", "keyword", "function", "operator"] as const).map((name) => [
		name,
		Decoration.mark({ class: `ode-${name}` }),
	]),
) as Record<Class, Decoration>;

function classOf(text: string, startsLine: boolean, isCalled: boolean): Class | undefined {
	if (text.startsWith("#")) return "comment";
	if (/^[\d.]/.test(text)) return "number";
	if (/^[-+*/^=~<>]/.test(text)) return "operator";
	if (text === "t" || text === "pi") return "number";
	if (isCalled && (functions.has(text) || families.has(text))) return "function";
	return keywords.has(text) && (text === "in" || startsLine) ? "keyword" : undefined;
}

/** Colours of the language. */
export const odeColours = [
	ViewPlugin.fromClass(
		class {
			decorations: DecorationSet;
			constructor(view: EditorView) {
				this.decorations = decorator.createDeco(view);
			}
			update(update: ViewUpdate): void {
				this.decorations = decorator.updateDeco(update, this.decorations);
			}
		},
		{ decorations: ({ decorations }) => decorations },
	),
	EditorView.theme({
		".ode-comment": { color: "var(--muted)", fontStyle: "italic" },
		".ode-keyword": { color: "var(--keyword)", fontWeight: "600" },
		".ode-number": { color: "var(--number)" },
		".ode-function": { color: "var(--function)" },
		".ode-operator": { color: "var(--muted)" },
	}),
	EditorState.languageData.of(() => [{ commentTokens: { line: "#" } }]),
];

const declarations = [
	snippetCompletion("param   #{name} ~ lognormal(log(#{1}), #{1})", {
		label: "param",
		detail: "a parameter",
		type: "keyword",
	}),
	snippetCompletion("state   #{x} = #{0}", {
		label: "state",
		detail: "a state and its start",
		type: "keyword",
	}),
	snippetCompletion("input   #{u}", { label: "input", detail: "an input of the data", type: "keyword" }),
	snippetCompletion("measure #{y} ~ normal(#{x}, #{0.1})", {
		label: "measure",
		detail: "what is measured",
		type: "keyword",
	}),
	snippetCompletion("let     #{name} = #{x}", {
		label: "let",
		detail: "a name for an expression",
		type: "keyword",
	}),
	snippetCompletion("condition #{c}", {
		label: "condition",
		detail: "constant in an experiment",
		type: "keyword",
	}),
	snippetCompletion("unknown #{f}(#{x}) ~ kriging(trend: #{2})", {
		label: "unknown",
		detail: "an unknown function",
		type: "keyword",
	}),
];

/** Completion: declarations at the start of a line, families behind `~`, else names and functions. */
export function completions(description: () => ModelDescription | undefined) {
	return (context: CompletionContext): CompletionResult | null => {
		const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
		if (!word && !context.explicit) return null;
		const from = word?.from ?? context.pos;
		const before = context.state.doc.lineAt(from).text.slice(0, from - context.state.doc.lineAt(from).from);
		if (before.includes("#")) return null;
		const names = namesOf(description());
		const calls = functionNames.map((name) => ({ label: name, type: "function", apply: `${name}(` }));
		if (before.trim() === "") return { from, options: [...declarations, ...names] };
		if (/[~=]\s*$/.test(before))
			return {
				from,
				options: [
					...[...(/^\s*measure\b.*~\s*$/.test(before) ? errorDistributions : families)].map(
						([name, { example }]) => ({
							label: name,
							detail: example,
							type: "class",
							apply: `${name}(`,
						}),
					),
					...(before.includes("=") ? [...names, ...calls] : []),
				],
			};
		return { from, options: [...names, ...calls] };
	};
}

function namesOf(description: ModelDescription | undefined) {
	if (!description) return [];
	const { states, parameters, inputs, conditions, unknownFunctions } = description;
	return [
		...states.map(({ name }) => ({ label: name, detail: "state", type: "variable" })),
		...parameters.map(({ name, text }) => ({ label: name, detail: text || "parameter", type: "constant" })),
		...inputs.map(({ name }) => ({ label: name, detail: "input", type: "variable" })),
		...conditions.map((name) => ({ label: name, detail: "condition", type: "variable" })),
		...unknownFunctions.map(({ name }) => ({ label: name, detail: "unknown function", type: "function" })),
		{ label: "t", detail: "time", type: "variable" },
		{ label: "pi", type: "constant" },
	];
}
