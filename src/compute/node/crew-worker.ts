/** What a worker thread of a crew does: loads the module of the work, begins it, and does the items it is given. */
import { parentPort } from "node:worker_threads";
import { failureOf, type ThreadFailure } from "./thread-failure.ts";

export interface CrewOrder {
	readonly crew: number;
	/** The module of the work and what all of it has in common, when this worker has not heard of the crew yet. */
	readonly begin?: { readonly module: string; readonly common: unknown };
	readonly item?: unknown;
	/** Nothing more will come. */
	readonly forget?: boolean;
}

export interface CrewReport {
	readonly answer?: unknown;
	readonly failure?: ThreadFailure;
}

type Work = (item: unknown) => unknown;

const begun = new Map<number, Promise<Work>>();

parentPort?.on("message", async ({ crew, begin, item, forget }: CrewOrder) => {
	if (forget) {
		begun.delete(crew);
		return;
	}
	if (begin) begun.set(crew, started(begin));
	const report = (answer: CrewReport): void => parentPort!.postMessage(answer);
	try {
		const work = await begun.get(crew)!;
		report({ answer: work(item) });
	} catch (error) {
		report({ failure: failureOf(error) });
	}
});

async function started({ module, common }: NonNullable<CrewOrder["begin"]>): Promise<Work> {
	const path = new URL(`../../${module}.js`, import.meta.url);
	const { begin } = (await import(path.href)) as { readonly begin: (common: unknown) => Work };
	return begin(common);
}
