/** The engine's worker: what the first view needs is here; studies and methods are fetched when first asked for. */
import { type ReadReply, readOrdered } from "../../src/data/index.ts";
import { ModelError } from "../../src/model/index.ts";
import type { FromEngine, QuestionKind, Questions, ToEngine } from "../contract.ts";
import { checkModel } from "./check-model.ts";
import { failureOf } from "./failure.ts";
import { readModel } from "./read-model.ts";
import { readTableData } from "./read-table-data.ts";
import { runControl } from "./run-control.ts";

interface Scope {
	postMessage(message: FromEngine | ReadReply, transfer?: Transferable[]): void;
	onmessage: ((event: MessageEvent<ToEngine>) => void) | null;
}
const scope = self as unknown as Scope;

type Answers = { [K in QuestionKind]: (ask: Questions[K]["ask"]) => Promise<Questions[K]["answer"]> };

const answers: Answers = {
	check: ({ source, fileName }) => checkModel(source, fileName),
	async verdicts({ source, fileName }) {
		try {
			return (await import("./studies.ts")).verdictsOf(await readModel(source, fileName));
		} catch (error) {
			if (error instanceof ModelError) return [];
			throw error;
		}
	},
	adapt: async ({ source, method, evidence }) =>
		(await import("./studies.ts")).adapted(await readModel(source, "model.ode"), method, evidence),
	table: ({ name, bytes, choices }) => readTableData(bytes, name, choices),
	openStudy: async (ask) => (await import("./studies.ts")).openStudy(ask.text, ask.fileName, ask.model),
	foreign: async (ask) => (await import("./foreign.ts")).foreign(ask),
	openRun: async (ask) => (await import("./studies.ts")).openRun(ask),
	studyText: async ({ plan }) => (await import("./studies.ts")).planText(plan),
	stage: async (ask) => (await import("./playing.ts")).stage(ask),
	play: async ({ values }) => (await import("./playing.ts")).play(values),
	field: async ({ values, points }) => (await import("./playing.ts")).field(values, points),
	help: async ({ methods }) => (await import("./helping.ts")).helpTexts(methods),
	templates: async () => (await import("./beginnings.ts")).templateFacts(),
	template: async (ask) => (await import("./beginnings.ts")).madeTemplate(ask),
	pack: async ({ plan, files }) => (await import("./studies.ts")).packed(plan, files),
	unpack: async ({ name, bytes }) => (await import("./studies.ts")).unpacked(bytes, name),
	recordText: async ({ table }) => (await import("./studies.ts")).recordText(table),
	run: async (ask) => {
		// At once: a pause may come while the methods are still on their way.
		runControl.begin();
		const { runPlan } = await import("./run-plan.ts");
		return runPlan(ask, runControl, (event) => scope.postMessage(event));
	},
};

scope.onmessage = async ({ data }) => {
	if ("control" in data) return runControl.set(data.control);
	if ("read" in data) return readOrdered(data.read, (reply, transfer) => scope.postMessage(reply, transfer));
	const { id, kind, ask } = data;
	try {
		const answer = await (answers[kind] as (ask: unknown) => Promise<unknown>)(ask);
		scope.postMessage({ id, answer }, buffersOf(kind, answer));
	} catch (error) {
		scope.postMessage({ id, failure: failureOf(error) });
	}
};

/** What is large goes over without a copy. */
function buffersOf(kind: QuestionKind, answer: unknown): Transferable[] {
	const arrays =
		kind === "table"
			? (answer as Questions["table"]["answer"]).columns.flatMap(({ values, missing = values }) => [
					values,
					missing,
				])
			: kind === "play"
				? (answer as Questions["play"]["answer"]).flatMap(({ outputs, states }) =>
						[...outputs, ...states].map(({ values }) => values),
					)
				: [];
	return [...new Set(arrays.map(({ buffer }) => buffer))] as ArrayBuffer[];
}
