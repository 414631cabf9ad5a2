/** What can be opened: examples, templates, studies of others or of this browser, and files of any kind. */
import facts from "virtual:facts";
import records from "virtual:records";
import type { Plan, TableData } from "../contract.ts";
import type { Engine, EngineError } from "./engine.ts";
import { pastOf } from "./moment.ts";
import { withoutFile } from "./read-file.ts";
import { guessRecord } from "./record-guess.ts";
import type { Shared } from "./share-link.ts";
import type { Workbench } from "./workbench.svelte.ts";

const blank: Plan = {
	title: "untitled",
	model: "",
	records: [],
	method: "fit",
	options: {},
	seed: 1,
	set: {},
};

export class Opening {
	constructor(
		private readonly bench: Workbench,
		private readonly engine: Engine,
	) {}

	async example(id: string): Promise<void> {
		const example = facts.examples.find((each) => each.id === id);
		if (!example) return this.bench.say(`There is no example "${id}".`, true);
		if (this.#isBusy(example.title)) return;
		const files = [...new Set(example.plan.records.map(({ file }) => file))];
		this.bench.put(example.plan, new Map());
		this.bench.example = id;
		this.bench.isFetching = true;
		const read = files.map(async (file) =>
			this.bench.readTable(file, await recordBytes(`examples/${id}/${file}`)),
		);
		await Promise.all([this.bench.checkModel(), ...read]).finally(() => {
			this.bench.isFetching = false;
		});
	}

	/** A study with nothing in it, or with a model to begin with; the one at hand is kept. */
	async blank(plan: Partial<Plan> = {}): Promise<void> {
		if (this.#isBusy("a new study")) return;
		await this.bench.take({ ...blank, ...plan }, new Map());
	}

	/** A model to begin with: for the record at hand where it is one's own, else with a record of its own. */
	async template(name: string): Promise<void> {
		if (this.#isBusy("the template")) return;
		const index = Math.min(this.bench.chosenRecord, this.bench.plan.records.length - 1);
		const record = this.bench.example === undefined ? this.bench.plan.records[index] : undefined;
		const table = record && this.bench.tables.get(record.file);
		const made = await this.engine.ask("template", {
			name,
			...(table
				? { table: withoutFile(table), ...(record.time === undefined ? {} : { time: record.time }) }
				: {}),
		});
		if (!table) {
			await this.bench.take({ ...blank, title: made.title, model: made.model }, new Map());
			await this.bench.readTable("record.csv", new TextEncoder().encode(made.record!));
			const own = guessRecord(this.bench.tables.get("record.csv")!, this.bench.description);
			this.bench.plan = { ...this.bench.plan, records: [own] };
			return this.bench.keep();
		}
		const records = this.bench.plan.records.map((each) => {
			const has = this.bench.tables.get(each.file);
			const names = new Set(has?.columns.map((column) => column.name));
			const columns = Object.fromEntries(
				Object.entries(made.columns).filter(([, column]) => names.has(column)),
			);
			const time =
				each.time ??
				(each.rate === undefined && made.time !== undefined && names.has(made.time) ? made.time : undefined);
			return { ...each, columns: { ...each.columns, ...columns }, ...(time === undefined ? {} : { time }) };
		});
		await this.bench.replaceModel({ model: made.model, records, options: {}, set: {} });
		this.bench.say(
			`The model “${made.title}” is made for the columns of ${record.file}. Undo brings the one before it back.`,
		);
	}

	async shared({ plan, example, records = {} }: Shared): Promise<void> {
		if (example !== undefined && facts.examples.some(({ id }) => id === example)) {
			await this.example(example);
			this.bench.put(plan, this.bench.tables);
			this.bench.example = example;
			return this.bench.checkModel();
		}
		await this.bench.take(plan, new Map());
		for (const [file, text] of Object.entries(records))
			await this.bench.readTable(file, new TextEncoder().encode(text));
		this.#sayMissing();
		this.bench.keep();
	}

	/** One of the studies in the browser's storage; by default the last. False when there is none. */
	async kept(id?: string): Promise<boolean> {
		if (id !== undefined && this.#isBusy("the study")) return true;
		if (id !== undefined) this.bench.keeper.flush();
		const kept = await this.bench.keeper.restore(id);
		if (!kept) return false;
		const { study, tables } = kept;
		// All of it before anything is waited for: somebody may run it meanwhile.
		this.bench.put(study.plan, tables, study.handles, pastOf(study.past ?? [], tables));
		this.bench.example = study.example;
		this.bench.answers.all = study.answers.map((answer) => ({
			...answer,
			tables: answer.tables.flatMap((file) => tables.get(file) ?? []),
		}));
		this.bench.answers.shownId = this.bench.answers.all.at(-1)?.id;
		this.bench.view = this.bench.answers.shown ? "answer" : "methods";
		this.bench.running.pending = study.run;
		await this.bench.checkModel();
		return true;
	}

	/** Files of any kind, as dropped or chosen: a study, a model, records. */
	async files(files: readonly File[]): Promise<void> {
		if (files.length === 0 || this.#isBusy(files.map(({ name }) => name).join(", "))) return;
		const named = (pattern: RegExp): File | undefined => files.find(({ name }) => pattern.test(name));
		const study = named(/\.ya?ml$/i);
		const model = named(/\.(ode|xml|sbml)$/i);
		const others = files.filter((file) => file !== study && file !== model);
		try {
			const archive = named(/\.zip$/i);
			if (archive) return await this.#openArchive(archive);
			const own = await this.#fromForeign(study ?? model, files);
			if (own) return own.length > 0 ? await this.files(own) : undefined;
			if (study) {
				const text = await study.text();
				const ask = { text, fileName: study.name, ...(model ? { model: await model.text() } : {}) };
				const { plan, modelFile } = await this.engine.ask("openStudy", ask);
				if (modelFile !== undefined && !model)
					this.bench.say(`${study.name} names the model ${modelFile}: open both files together.`, true);
				const named = new Set(plan.records.map(({ file }) => file));
				await this.bench.take(plan, this.bench.tablesOf(named));
			} else if (model) await this.#openModel(await model.text(), model.name);
			await this.#addRecords(others, study !== undefined);
			if (study) this.#sayMissing();
		} catch (error) {
			this.bench.sayError(error);
		}
	}

	/** A PEtab problem or a model in SBML, as files of our own; nothing where the file is neither. */
	async #fromForeign(file: File | undefined, files: readonly File[]): Promise<File[] | undefined> {
		const text = await file?.text();
		if (file === undefined || text === undefined || !/^\uFEFF?\s*<|^format_version\s*:/m.test(text))
			return undefined;
		const others = files.filter((each) => each !== file);
		const beside = Object.fromEntries(
			await Promise.all(others.map(async (each) => [each.name, await each.text()] as const)),
		);
		const made = await this.engine.ask("foreign", { name: file.name, text, beside });
		if (!made) return undefined;
		const title = titleOf(file.name);
		const own = made.map(
			({ name, content }) => new File([content], name.replace(/^study(?=\.yaml$)/, title)),
		);
		// Records that came with a model alone stay what they are; tables of a problem are in its study.
		return made.some(({ name }) => name.endsWith(".yaml")) ? own : [...own, ...others];
	}

	/** A study with its records, as one file. */
	async #openArchive(file: File): Promise<void> {
		const bytes = new Uint8Array(await file.arrayBuffer());
		const held = await this.engine.ask("unpack", { name: file.name, bytes });
		await this.files(held.map(({ name, content }) => new File([content], name)));
		if (this.bench.plan.title === "study") this.bench.change({ title: file.name.replace(/\.zip$/i, "") }, "");
	}

	/** The study and its records as one file: for another browser, or for the command line. */
	async archive(): Promise<Uint8Array<ArrayBuffer> | undefined> {
		try {
			const files = await Promise.all(
				[...this.bench.tables.values()].map(async (table) => ({
					name: table.source,
					content: table.bytes ?? (await this.bench.recordText(table)),
				})),
			);
			return await this.engine.ask("pack", { plan: this.bench.toRun, files });
		} catch (error) {
			this.bench.sayError(error);
			return undefined;
		}
	}

	/** A model of one's own takes nothing over from an example; with records of one's own it goes on. */
	async #openModel(model: string, file: string): Promise<void> {
		if (this.bench.example !== undefined || this.bench.plan.records.length === 0)
			return this.bench.take({ ...blank, title: titleOf(file), model }, new Map());
		await this.bench.replaceModel({ model, options: {}, set: {} });
	}

	/** A run that goes on is not ended by something else that is opened, perhaps by mistake. */
	#isBusy(asked: string): boolean {
		if (this.bench.running.state === "idle") return false;
		this.bench.say(
			`${this.bench.plan.method} is not done yet, so ${asked} was not opened. Stop the run first, then open it.`,
		);
		return true;
	}

	/** Records that were dropped join those of one's own; each takes the place of one of the same name. Those of an example go. */
	async #addRecords(
		files: readonly File[],
		withStudy: boolean,
		words: ReadonlyMap<string, readonly string[]> = new Map(),
	): Promise<void> {
		const twice = files.find(({ name }, i) => files.findIndex((each) => each.name === name) < i);
		if (twice)
			return this.bench.say(`Two files are named ${twice.name}: rename one, then open both again.`, true);
		const before = this.bench.moment;
		const read: TableData[] = [];
		for (const file of files) {
			const own = words.get(file.name);
			try {
				const bytes = new Uint8Array(await file.arrayBuffer());
				read.push(await this.bench.readTable(file.name, bytes, own && { words: own }));
			} catch (error) {
				this.bench.sayError(error);
				const { word } = (error as EngineError).failure;
				if (word === undefined || withStudy || !this.bench.notice) return;
				// Somebody has to say that it is no value; then nothing need be dropped again.
				const more = new Map([...words, [file.name, [...(own ?? []), word]]]);
				const make = () => void this.#addRecords(files, withStudy, more);
				this.bench.notice = { ...this.bench.notice, offer: { says: `Take “${word}” as no value`, make } };
				return;
			}
		}
		if (read.length === 0) return;
		if (!withStudy) this.bench.notice = undefined;
		const { records } = this.bench.plan;
		const fresh = read.filter(({ source }) => !records.some(({ file }) => file === source));
		const known = records.filter(({ file }) => read.some(({ source }) => source === file));
		if (withStudy && known.length > 0) {
			const names = fresh.map(({ source }) => source).join(", ");
			if (fresh.length > 0)
				this.bench.say(
					`The study does not name ${names}: ${fresh.length > 1 ? "they are" : "it is"} not used.`,
				);
			return this.bench.keep();
		}
		const own = fresh.map((table) => {
			const said = words.get(table.source);
			const record = guessRecord(table, this.bench.description);
			return said ? { ...record, reading: { words: said } } : record;
		});
		if (this.bench.example === undefined) this.bench.note(before, "");
		else {
			// Work of one's own begins: nothing but the model that is in view is taken along.
			this.bench.keeper.begin();
			this.bench.forget();
			this.bench.playing.reset();
			this.bench.tables = new Map(read.map((table) => [table.source, table]));
			this.bench.plan = {
				...blank,
				title: titleOf(read[0].source),
				model: this.bench.plan.model,
				method: this.bench.plan.method,
			};
			this.bench.example = undefined;
			this.bench.note(before, "");
		}
		this.bench.badFields = new Map();
		const all = [...this.bench.plan.records, ...own];
		this.bench.plan = {
			...this.bench.plan,
			records: all,
			title: this.bench.plan.title === "untitled" ? titleOf(read[0].source) : this.bench.plan.title,
		};
		this.bench.chosenRecord = all.findIndex(({ file }) => file === read[0].source);
		this.bench.keep();
	}

	/** `what`: changes to the same thing in quick succession are undone together. */
	#sayMissing(): void {
		const missing = [...new Set(this.bench.plan.records.map(({ file }) => file))].filter(
			(file) => !this.bench.tables.has(file),
		);
		if (missing.length > 0)
			this.bench.say(
				`Drop ${missing.join(", ")} onto the page: the study needs ${missing.length > 1 ? "them" : "it"}.`,
			);
	}
}

function titleOf(file: string): string {
	return file.replace(/\.[^.]+$/, "");
}

/** A record of an example: from the page itself where it holds them, else from beside it. */
async function recordBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
	const inside = records.get(path);
	return inside === undefined
		? new Uint8Array(await (await fetch(path)).arrayBuffer())
		: new TextEncoder().encode(inside);
}
