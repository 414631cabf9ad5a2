/**
 * The editor of the model. It lives in a shadow root: there its styles are adopted sheets, which a page that forbids
 * inline styles allows.
 */
import { acceptCompletion, autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import {
	type Diagnostic as EditorDiagnostic,
	lintGutter,
	lintKeymap,
	setDiagnostics,
} from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { ModelDescription } from "../../src/model/index.ts";
import type { ModelCheck } from "../contract.ts";
import { completions, odeColours } from "./language.ts";

const look = EditorView.theme({
	"&": { height: "100%", fontSize: "0.8125rem", backgroundColor: "transparent", color: "var(--ink)" },
	"&.cm-focused": { outline: "none" },
	".cm-scroller": {
		fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
		lineHeight: "1.55",
	},
	".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.5rem" },
	".cm-gutters": { backgroundColor: "var(--paper)", border: "none", color: "var(--muted)" },
	".cm-activeLine": { backgroundColor: "var(--hover)" },
	".cm-cursor": { borderLeftColor: "var(--ink)" },
	"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
		backgroundColor: "var(--selection)",
	},
	"&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
	".cm-tooltip": {
		backgroundColor: "var(--raised)",
		color: "var(--ink)",
		border: "1px solid var(--line)",
		borderRadius: "6px",
		boxShadow: "0 4px 16px rgb(0 0 0 / 0.14)",
	},
	".cm-tooltip-autocomplete > ul > li[aria-selected]": {
		backgroundColor: "var(--accent)",
		color: "var(--paper)",
	},
	".cm-completionDetail": { color: "inherit", opacity: "0.75", fontStyle: "normal" },
	".cm-diagnostic": {
		borderLeft: "3px solid var(--warn)",
		padding: "0.35rem 0.6rem",
		whiteSpace: "pre-wrap",
	},
	".cm-diagnostic-warning": { borderLeftColor: "var(--axis)" },
	".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px dotted var(--warn)" },
	".cm-lintRange-warning": { backgroundImage: "none", borderBottom: "2px dotted var(--axis)" },
	".cm-lint-marker": { width: "0.6rem", height: "0.6rem", content: "none" },
	".cm-lint-marker-error": {
		content: "none",
		backgroundColor: "var(--warn)",
		borderRadius: "50%",
		marginTop: "0.35rem",
	},
	".cm-lint-marker-warning": {
		content: "none",
		backgroundColor: "var(--axis)",
		borderRadius: "50%",
		marginTop: "0.35rem",
	},
});

/**
 * Text that is typed over a selection: left to itself the browser would keep the style of what it replaces as an inline
 * style, which the page forbids.
 */
const typedOver = EditorView.domEventHandlers({
	beforeinput(event, view) {
		const { data, inputType } = event;
		const { from, to, empty } = view.state.selection.main;
		if (inputType !== "insertText" || data === null || empty || view.composing) return false;
		const insert = () =>
			view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
		const handlers = view.state.facet(EditorView.inputHandler);
		if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
		return true;
	},
});

export interface ModelEditor {
	show(text: string): void;
	mark(check: ModelCheck): void;
	destroy(): void;
}

export function modelEditor(
	holder: HTMLElement,
	text: string,
	onChange: (text: string) => void,
	description: () => ModelDescription | undefined,
): ModelEditor {
	const root = holder.shadowRoot ?? holder.attachShadow({ mode: "open" });
	let silent = false;
	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: text,
			extensions: [
				lineNumbers(),
				history(),
				drawSelection(),
				highlightActiveLine(),
				bracketMatching(),
				closeBrackets(),
				autocompletion({ override: [completions(description)], icons: false }),
				lintGutter(),
				odeColours,
				typedOver,
				keymap.of([
					{ key: "Tab", run: acceptCompletion },
					...defaultKeymap,
					...historyKeymap,
					...completionKeymap,
					...lintKeymap,
				]),
				EditorView.contentAttributes.of({ "aria-label": "Model text", tabindex: "0" }),
				look,
				EditorView.updateListener.of((update) => {
					if (update.docChanged && !silent) onChange(update.state.doc.toString());
				}),
			],
		}),
	});
	return {
		show(next) {
			if (view.state.doc.toString() === next) return;
			silent = true;
			view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
			silent = false;
		},
		mark({ errors, warnings }) {
			const length = view.state.doc.length;
			const place =
				(severity: "error" | "warning") =>
				(each: ModelCheck["errors"][number]): EditorDiagnostic => {
					const from = Math.min(each.span.start, length);
					return {
						from,
						to: Math.max(from, Math.min(each.span.end, length)),
						severity,
						message: each.remedy ? `${each.message}\n${each.remedy}` : each.message,
					};
				};
			view.dispatch(
				setDiagnostics(view.state, [...errors.map(place("error")), ...warnings.map(place("warning"))]),
			);
		},
		destroy: () => view.destroy(),
	};
}
