/** Where the chosen method does not apply: the change of the model that it asks for, offered, and made when asked. */
import type { Adaptation, AnswerOf, Evidence } from "../../src/study/index.ts";
import type { Engine } from "./engine.ts";
import { columnFor, neededNames, roleOf } from "./record-guess.ts";
import type { Workbench } from "./workbench.svelte.ts";

export type Offer = Exclude<Adaptation, { kind: "none" }>;

export class Adapting {
	offer = $state.raw<Offer | undefined>();
	#asked = "";

	constructor(
		private readonly bench: Workbench,
		private readonly engine: Engine,
	) {}

	/** Asks anew when model, method or answers changed; reads everything that this depends on. */
	look(): void {
		const { plan, verdicts, check, running } = this.bench;
		const verdict = verdicts.find(({ method }) => method === plan.method);
		const evidence = this.#evidence();
		if (!verdict || verdict.applies || running.state !== "idle" || (check?.errors.length ?? 1) > 0) {
			this.#asked = "";
			this.offer = undefined;
			return;
		}
		const told = JSON.stringify([plan.model, plan.method, evidence]);
		if (told === this.#asked) return;
		this.#asked = told;
		void this.#ask(evidence).then((offer) => {
			if (this.#asked === told) this.offer = offer;
		});
	}

	async make(): Promise<void> {
		const { bench } = this;
		const { method } = bench.plan;
		let { offer } = this;
		if (offer?.kind === "answer-first") {
			bench.change({ method: "fit" }, "");
			const before = bench.answers.shownId;
			await bench.running.start();
			if (bench.answers.shownId === before || bench.plan.method !== "fit") return;
			bench.change({ method }, "");
			bench.view = "methods";
			offer = await this.#ask(this.#evidence());
		}
		if (offer?.kind !== "change")
			return bench.say("What fit found does not suffice to change the model: write it by hand.", true);
		const set = { ...bench.plan.set, ...offer.set };
		await bench.replaceModel({ model: offer.model, set });
		bench.say(`The model was changed for ${method}. Undo brings the one before it back.`);
	}

	/** Nothing where no change helps, or where fit could not tell what is lacking. */
	async #ask(evidence: Evidence): Promise<Offer | undefined> {
		const { plan, verdicts } = this.bench;
		const offer = await this.engine.ask("adapt", { source: plan.model, method: plan.method, evidence });
		if (offer.kind === "none") return undefined;
		const canFit = verdicts.some(({ method, applies }) => method === "fit" && applies);
		return offer.kind === "change" || canFit ? offer : undefined;
	}

	#evidence(): Evidence {
		const { answers, playing, plan, tables, description } = this.bench;
		const found: Record<string, AnswerOf> = {};
		for (const { name } of playing.tracks) {
			const rows = answers.rowsOf(name).filter(({ undecided }) => !undecided);
			const row = (rows.find(({ method }) => method === "fit") ?? rows[0])?.row;
			if (row) found[name] = { estimate: row.estimate, sd: row.sd, lo: row.lo, hi: row.hi } as AnswerOf;
		}
		const rmse = (
			answers.newest.find(({ finished }) => finished.result.method === "fit") ?? answers.newest[0]
		)?.finished.rmse.train;
		const outputs = neededNames(description).outputs.map((name) => {
			const used = plan.records.filter((record) => /train|both/.test(roleOf(record)));
			const nSamples = used.reduce((sum, record) => {
				const column = tables.get(record.file)?.columns.find((each) => each.name === columnFor(record, name));
				return sum + (column?.values.length ?? 0);
			}, 0);
			const rms = rmse?.[name];
			return [name, { nSamples, ...(rms === undefined ? {} : { rms }) }] as const;
		});
		return { answers: found, outputs: Object.fromEntries(outputs), values: playing.all };
	}
}
