/** Parameters and initial values as a method needs them to be known. */
import { setOf } from "../../methods/cross-check/derived-knowledge.ts";
import type { Need } from "../../methods/method.ts";
import type { Rewriting } from "../../model/language/rewrite.ts";
import type { Knowledge, Model, Param } from "../../model/model.ts";
import { knowledgeText } from "../../model/print/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import type { Change } from "./adapt.ts";
import { answerOf, type Evidence, errorsWide } from "./evidence.ts";

/** What is to stand after a name, and why; a name that an answer must tell of first; nothing where it stays. */
type Written = { readonly after: string; readonly why: string } | { readonly lacks: string } | undefined;

export function numberChanges(
	needs: Need,
	model: Model,
	evidence: Evidence,
	spreads: ReadonlySet<string>,
): Change {
	const edits: Rewriting[] = [];
	const says: string[] = [];
	const lacks: string[] = [];
	const take = (what: string, written: Written, edit: (after: string) => Rewriting): void => {
		if (!written) return;
		if ("lacks" in written) return void lacks.push(written.lacks);
		edits.push(edit(written.after));
		says.push(`${what}${written.after}: ${written.why}`);
	};
	const used = symbolsOf(model.rhs);
	for (const param of model.params) {
		const { name } = param;
		if (param.terms) continue;
		const written = spreads.has(name)
			? spread(needs, param, evidence)
			: needs === "terms"
				? used.has(name)
					? asTerm(param, model)
					: undefined
				: known(needs, name, param.knowledge, model, evidence);
		take(`param ${name}`, written, (after) => ({ keyword: "param", name, after }));
	}
	if (needs === "terms") return { edits, says, lacks };
	for (const { components, initial } of model.states) {
		const after = components.map((component, i) =>
			known(needs, `${component}(0)`, initial[i], model, evidence),
		);
		if (after.every((each) => each === undefined)) continue;
		// All components in one place: those of higher order need not be declared.
		const texts = components.map((component, i) => {
			const written = after[i];
			if (written && "lacks" in written) lacks.push(written.lacks);
			const text = written && "after" in written ? written.after : knowledgeText(initial[i]);
			if (written && "after" in written) says.push(`state ${component}${text}: ${written.why}`);
			return `${component}${text}`;
		});
		edits.push({
			keyword: "state",
			name: components[0],
			after: texts.join(", ").slice(components[0].length),
		});
		for (const component of components.slice(1))
			edits.push({ keyword: "state", name: component, remove: true });
	}
	return { edits, says, lacks };
}

function known(needs: Need, name: string, knowledge: Knowledge, model: Model, evidence: Evidence): Written {
	const isWanted = knowledge.kind === (needs === "sets" ? "set" : "distribution");
	if (knowledge.kind === "exact" || isWanted) return undefined;
	if (knowledge.kind === "none") {
		const answer = answerOf(name, evidence);
		if (!answer) return { lacks: name };
		const { centre, sd } = answer;
		const wide = errorsWide * sd;
		return needs === "sets"
			? {
					after: ` in [${short(centre - wide)}, ${short(centre + wide)}]`,
					why: `${errorsWide} standard errors on either side of what fit found.`,
				}
			: {
					after: ` ~ normal(${short(centre)}, ${short(wide)})`,
					why: `around what fit found, ${errorsWide} times as wide as its error.`,
				};
	}
	if (needs === "sets")
		return {
			after: knowledgeText(setOf(model, knowledge)!),
			why: `where its distribution${knowledgeText(knowledge)} has all but 1 part in 10,000.`,
		};
	const ends = knowledgeText(knowledge).replace(/^ in \[(.*)\]$/, "$1");
	return { after: ` ~ uniform(${ends})`, why: "every value of its set is as likely." };
}

/** A parameter that stands for the size of errors only: a largest error is made of what it was found to be. */
function spread(needs: Need, { name, knowledge }: Param, evidence: Evidence): Written {
	if (needs === "distributions") {
		if (knowledge.kind === "distribution" || knowledge.kind === "exact") return undefined;
		const answer = answerOf(name, evidence);
		if (!answer) return { lacks: name };
		return {
			after: ` ~ halfnormal(${short(3 * Math.abs(answer.centre))})`,
			why: "positive, around what fit found.",
		};
	}
	if (knowledge.kind === "exact") return undefined;
	const answer = answerOf(name, evidence);
	return answer ? { after: ` = ${short(answer.centre)}`, why: "what fit found." } : { lacks: name };
}

/** Its weights are to be found, or that it is zero. */
function asTerm({ knowledge }: Param, { conditions }: Model): Written {
	if (knowledge.kind !== "distribution" && knowledge.kind !== "set") return undefined;
	if (conditions.length === 0)
		return {
			after: "",
			why: "whether it is zero is to be found; the search begins where its handle stands.",
		};
	const terms = ["1", ...conditions.map(({ name }) => name)].join(", ");
	return { after: `(${terms})`, why: "which of these terms it has is to be found." };
}

function short(value: number): string {
	return String(Number(value.toPrecision(4)));
}
