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
	table: ({ name, bytes }) => readTableData(bytes, name),
	openStudy: async (ask) => (await import("./studies.ts")).openStudy(ask.text, ask.fileName),
	openRun: async (ask) => (await import("./studies.ts")).openRun(ask),
	studyText: async ({ plan }) => (await import("./studies.ts")).planText(plan),
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
		scope.postMessage(
			{ id, answer },
			kind === "table" ? buffersOf(answer as Questions["table"]["answer"]) : [],
		);
	} catch (error) {
		scope.postMessage({ id, failure: failureOf(error) });
	}
};

function buffersOf({ columns }: Questions["table"]["answer"]): Transferable[] {
	const all = columns.flatMap(({ values, missing }) => [values.buffer, ...(missing ? [missing.buffer] : [])]);
	return [...new Set(all)] as ArrayBuffer[];
}
