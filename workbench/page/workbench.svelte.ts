/** What the page holds: the study, its tables, what the engine says of them, the run under way, and the answers. */
import facts from "virtual:facts";
import records from "virtual:records";
import type { TableChoices } from "../../src/data/index.ts";
import type { Applicability } from "../../src/methods/index.ts";
import type { ModelDescription } from "../../src/model/index.ts";
import type {
	Failure,
	Finished,
	HelpTexts,
	LiveView,
	ModelCheck,
	Plan,
	PlanRecord,
	RunAnswer,
	TableData,
	TemplateFacts,
} from "../contract.ts";
import { type Oddity, oddities } from "../records/oddities.ts";
import { Adapting } from "./adapting.svelte.ts";
import { Answers, type KeptAnswer } from "./answers.svelte.ts";
import { Engine, EngineError } from "./engine.ts";
import { History } from "./history.ts";
import { Keeper } from "./keeper.svelte.ts";
import { LocalServer, tokenIn } from "./local-server.ts";
import { pageWords } from "./page-words.ts";
import { Playing } from "./playing.svelte.ts";
import { readFile, withoutFile } from "./read-file.ts";
import { guessRecord, lackOf, matched, neededNames, recordFor, roleOf } from "./record-guess.ts";
import { type Shared, sharedOf } from "./share-link.ts";
import type { KeptRun, KeptStudy } from "./study-store.ts";

export type RunState = "idle" | "running" | "paused" | "stopping";

export interface RunProgress {
	readonly fraction: number;
	readonly label: string;
	/** Seconds of work so far, pauses not counted. */
	readonly seconds: number;
}

export interface BadField {
	/** What the user calls the field. */
	readonly name: string;
	readonly text: string;
	readonly why: string;
}

/** What one key takes back. */
interface Moment {
	readonly plan: Plan;
	readonly tables: ReadonlyMap<string, TableData>;
	readonly example: string | undefined;
}

const blank: Plan = {
	title: "untitled",
	model: "",
	records: [],
	method: "fit",
	options: {},
	seed: 1,
	set: {},
};

export class Workbench {
	plan = $state.raw<Plan>(facts.examples[0].plan);
	/** Changes whenever the model's text is set from outside the editor, which then takes it anew. */
	modelSet = $state(0);
	/** The example whose records these are, while none was changed. */
	example = $state<string | undefined>();
	tables = $state.raw<ReadonlyMap<string, TableData>>(new Map());
	check = $state.raw<ModelCheck | undefined>();
	/** The model as last understood: it stays while the text has errors. */
	description = $state.raw<ModelDescription | undefined>();
	verdicts = $state.raw<readonly Applicability[]>(facts.firstVerdicts);
	chosenRecord = $state(0);
	/** Fields whose text could not be read, by where they are: nothing runs while one stands there. */
	badFields = $state.raw<ReadonlyMap<string, BadField>>(new Map());
	notice = $state.raw<{ readonly text: string; readonly grave: boolean } | undefined>();

	run = $state<RunState>("idle");
	progress = $state.raw<RunProgress>({ fraction: 0, label: "", seconds: 0 });
	live = $state.raw<LiveView | undefined>();
	failure = $state.raw<Failure | undefined>();
	readonly answers = new Answers();
	/** What the pane of answers shows while nothing runs: the methods to choose from, or an answer. */
	view = $state<"methods" | "answer">("methods");
	/** A run that was stopped, or left with the page: it can go on. */
	pending = $state.raw<KeptRun | undefined>();
	readonly finished = $derived(this.answers.shown?.finished);
	/** Something that the answer rests on was changed since. */
	readonly isStale = $derived(this.answers.shown !== undefined && this.#isOld(this.answers.shown));
	server = $state.raw<LocalServer | undefined>();
	/** `dark` or `light`, as shown. */
	theme = $state<"light" | "dark">(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

	readonly #checker = new Engine();
	readonly playing = new Playing(this.#checker);
	readonly adapting = new Adapting(this, this.#checker);
	readonly keeper = new Keeper((text) => this.say(text, true));
	readonly #history = new History<Moment>(() => performance.now());
	canUndo = $state(false);
	canRedo = $state(false);
	readonly #runner = new Engine((event) => {
		if (event.event === "live") this.live = event.live;
		else if (event.event === "progress")
			this.progress = { fraction: event.fraction, label: event.label, seconds: this.#worked() };
		else if (event.event === "stopped") this.#heard = true;
		else if (this.#running) {
			this.pending = { plan: this.#running, from: event.bytes, fraction: this.progress.fraction };
			this.#keep();
		}
	});
	#checks = 0;
	/** Changes whenever another study is opened. */
	#opened = 0;
	#engineIsLoaded = false;
	#start = 0;
	#pausedAt = 0;
	#isStopping = false;
	#heard = false;
	#running: Plan | undefined;

	/** The study that a link holds, else the one that was left, else the first example. */
	async begin(fragment: string): Promise<void> {
		const token = tokenIn(fragment);
		let shared: Shared | undefined;
		let damaged = false;
		try {
			shared = await sharedOf(fragment);
		} catch {
			damaged = true;
		}
		await this.keeper.open();
		if (shared) await this.openShared(shared);
		else if (!(await this.openKept())) await this.openExample(facts.examples[0].id);
		if (damaged)
			this.say("The link is damaged: your last study is shown instead, or the first example.", true);
		this.server = await LocalServer.find(token).catch(() => undefined);
	}

	say(text: string, grave = false): void {
		this.notice = { text, grave };
	}

	async openExample(id: string): Promise<void> {
		const example = facts.examples.find((each) => each.id === id);
		if (!example) return this.say(`There is no example "${id}".`, true);
		if (this.#isBusy(example.title)) return;
		const files = [...new Set(example.plan.records.map(({ file }) => file))];
		this.#put(example.plan, new Map());
		this.example = id;
		const read = files.map(async (file) => this.#read(file, await recordBytes(`examples/${id}/${file}`)));
		await Promise.all([this.#checkModel(), ...read]);
	}

	/** A study with nothing in it, or with a model to begin with; the one at hand is kept. */
	async openNew(plan: Partial<Plan> = {}): Promise<void> {
		if (this.#isBusy("a new study")) return;
		await this.#take({ ...blank, ...plan }, new Map());
	}

	help(): Promise<HelpTexts> {
		return this.#checker.ask("help", { methods: facts.methods });
	}

	templates(): Promise<readonly TemplateFacts[]> {
		return this.#checker.ask("templates", {});
	}

	/** A model to begin with: for the record at hand where it is one's own, else with a record of its own. */
	async openTemplate(name: string): Promise<void> {
		if (this.#isBusy("the template")) return;
		const index = Math.min(this.chosenRecord, this.plan.records.length - 1);
		const record = this.example === undefined ? this.plan.records[index] : undefined;
		const table = record && this.tables.get(record.file);
		const made = await this.#checker.ask("template", {
			name,
			...(table
				? { table: withoutFile(table), ...(record.time === undefined ? {} : { time: record.time }) }
				: {}),
		});
		if (!table) {
			await this.#take({ ...blank, title: made.title, model: made.model }, new Map());
			await this.#read("record.csv", new TextEncoder().encode(made.record!));
			const own = guessRecord(this.tables.get("record.csv")!, this.description);
			this.plan = { ...this.plan, records: [own] };
			return this.#keep();
		}
		const records = this.plan.records.map((each) => {
			const has = this.tables.get(each.file);
			const names = new Set(has?.columns.map((column) => column.name));
			const columns = Object.fromEntries(
				Object.entries(made.columns).filter(([, column]) => names.has(column)),
			);
			const time =
				each.time ??
				(each.rate === undefined && made.time !== undefined && names.has(made.time) ? made.time : undefined);
			return { ...each, columns: { ...each.columns, ...columns }, ...(time === undefined ? {} : { time }) };
		});
		await this.replaceModel({ model: made.model, records, options: {}, set: {} });
		this.say(
			`The model “${made.title}” is made for the columns of ${record.file}. Undo brings the one before it back.`,
		);
	}

	async openShared({ plan, example, records = {} }: Shared): Promise<void> {
		if (example !== undefined && facts.examples.some(({ id }) => id === example)) {
			await this.openExample(example);
			this.#put(plan, this.tables);
			this.example = example;
			return this.#checkModel();
		}
		await this.#take(plan, new Map());
		for (const [file, text] of Object.entries(records))
			await this.#read(file, new TextEncoder().encode(text));
		this.#sayMissing();
		this.#keep();
	}

	/** One of the studies in the browser's storage; by default the last. False when there is none. */
	async openKept(id?: string): Promise<boolean> {
		if (id !== undefined && this.#isBusy("the study")) return true;
		if (id !== undefined) this.keeper.flush();
		const kept = await this.keeper.restore(id);
		if (!kept) return false;
		const { study, tables } = kept;
		// All of it before anything is waited for: somebody may run it meanwhile.
		this.#put(study.plan, tables, study.handles, true);
		this.example = study.example;
		this.answers.all = study.answers.map((answer) => ({
			...answer,
			tables: answer.tables.flatMap((file) => tables.get(file) ?? []),
		}));
		this.answers.shownId = this.answers.all.at(-1)?.id;
		this.view = this.answers.shown ? "answer" : "methods";
		this.pending = study.run;
		await this.#checkModel();
		return true;
	}

	/** Files of any kind, as dropped or chosen: a study, a model, records. */
	async openFiles(files: readonly File[]): Promise<void> {
		if (files.length === 0 || this.#isBusy(files.map(({ name }) => name).join(", "))) return;
		const named = (pattern: RegExp): File | undefined => files.find(({ name }) => pattern.test(name));
		const study = named(/\.ya?ml$/i);
		const model = named(/\.(ode|xml|sbml)$/i);
		const others = files.filter((file) => file !== study && file !== model);
		try {
			const archive = named(/\.zip$/i);
			if (archive) return await this.#openArchive(archive);
			if (study) {
				const text = await study.text();
				const { plan, modelFile } = await this.#checker.ask("openStudy", { text, fileName: study.name });
				const source = modelFile === undefined ? plan.model : await model?.text();
				if (source === undefined)
					this.say(`${study.name} names the model ${modelFile}: open both files together.`, true);
				const named = new Set(plan.records.map(({ file }) => file));
				await this.#take({ ...plan, model: source ?? "" }, this.#tablesOf(named));
			} else if (model) await this.#openModel(await model.text(), model.name);
			await this.#addRecords(others, study !== undefined);
			if (study) this.#sayMissing();
		} catch (error) {
			this.#sayError(error);
		}
	}

	/** A study with its records, as one file. */
	async #openArchive(file: File): Promise<void> {
		const bytes = new Uint8Array(await file.arrayBuffer());
		const held = await this.#checker.ask("unpack", { name: file.name, bytes });
		await this.openFiles(held.map(({ name, content }) => new File([content], name)));
		if (this.plan.title === "study") this.change({ title: file.name.replace(/\.zip$/i, "") }, "");
	}

	/** The study and its records as one file: for another browser, or for the command line. */
	async archive(): Promise<Uint8Array<ArrayBuffer> | undefined> {
		try {
			const files = await Promise.all(
				[...this.tables.values()].map(async (table) => ({
					name: table.source,
					content: table.bytes ?? (await this.recordText(table)),
				})),
			);
			return await this.#checker.ask("pack", { plan: this.toRun, files });
		} catch (error) {
			this.#sayError(error);
			return undefined;
		}
	}

	/** A model of one's own takes nothing over from an example; with records of one's own it goes on. */
	async #openModel(model: string, file: string): Promise<void> {
		if (this.example !== undefined || this.plan.records.length === 0)
			return this.#take({ ...blank, title: titleOf(file), model }, new Map());
		await this.replaceModel({ model, options: {}, set: {} });
	}

	#tablesOf(files: ReadonlySet<string>): ReadonlyMap<string, TableData> {
		return new Map([...this.tables].filter(([file]) => files.has(file)));
	}

	/** A run that goes on is not ended by something else that is opened, perhaps by mistake. */
	#isBusy(asked: string): boolean {
		if (this.run === "idle") return false;
		this.say(
			`${this.plan.method} is not done yet, so ${asked} was not opened. Stop the run first, then open it.`,
		);
		return true;
	}

	/** Records that were dropped join those of one's own; each takes the place of one of the same name. Those of an example go. */
	async #addRecords(files: readonly File[], withStudy: boolean): Promise<void> {
		const twice = files.find(({ name }, i) => files.findIndex((each) => each.name === name) < i);
		if (twice) return this.say(`Two files are named ${twice.name}: rename one, then open both again.`, true);
		const before = this.#moment;
		const read: TableData[] = [];
		for (const file of files)
			read.push(await this.#read(file.name, new Uint8Array(await file.arrayBuffer())));
		if (read.length === 0) return;
		if (!withStudy) this.notice = undefined;
		const { records } = this.plan;
		const fresh = read.filter(({ source }) => !records.some(({ file }) => file === source));
		const known = records.filter(({ file }) => read.some(({ source }) => source === file));
		if (withStudy && known.length > 0) {
			const names = fresh.map(({ source }) => source).join(", ");
			if (fresh.length > 0)
				this.say(`The study does not name ${names}: ${fresh.length > 1 ? "they are" : "it is"} not used.`);
			return this.#keep();
		}
		const own = fresh.map((table) => guessRecord(table, this.description));
		if (this.example === undefined) this.#note(before, "");
		else {
			// Work of one's own begins: nothing but the model that is in view is taken along.
			this.keeper.begin();
			this.#forget();
			this.playing.reset();
			this.tables = new Map(read.map((table) => [table.source, table]));
			this.plan = {
				...blank,
				title: titleOf(read[0].source),
				model: this.plan.model,
				method: this.plan.method,
			};
			this.example = undefined;
			this.#note(before, "");
		}
		this.badFields = new Map();
		const all = [...this.plan.records, ...own];
		this.plan = {
			...this.plan,
			records: all,
			title: this.plan.title === "untitled" ? titleOf(read[0].source) : this.plan.title,
		};
		this.chosenRecord = all.findIndex(({ file }) => file === read[0].source);
		this.#keep();
	}

	/** `what`: changes to the same thing in quick succession are undone together. */
	change(part: Partial<Plan>, what = Object.keys(part).join(" ")): void {
		this.#note(this.#moment, what);
		this.plan = { ...this.plan, ...part };
		this.#keep();
	}

	changeRecord(index: number, part: Partial<PlanRecord>): void {
		const records = this.plan.records.map((record, i) => {
			if (i !== index) return record;
			const next = { ...record, ...part };
			return Object.fromEntries(
				Object.entries(next).filter(([, value]) => value !== undefined),
			) as unknown as PlanRecord;
		});
		this.change({ records }, `record ${index} ${Object.keys(part).join(" ")}`);
	}

	/** The file of a record again, read in another way. */
	async readAgain(index: number, reading: TableChoices): Promise<void> {
		const record = this.plan.records[index];
		const { bytes } = this.tables.get(record.file) ?? {};
		if (!bytes) return this.say(`Drop ${record.file} onto the page again to read it in another way.`);
		try {
			const table = await readFile(this.#checker, record.file, bytes, reading);
			const before = this.#moment;
			this.tables = new Map([...this.tables, [record.file, table]]);
			const { time, ...rest } = record;
			const has = table.columns.some(({ name }) => name === time);
			const fresh = guessRecord(table, this.description);
			const clock = has ? { time } : fresh.time === undefined ? {} : { time: fresh.time };
			const next = matched({ ...rest, ...clock, reading }, table, this.description);
			this.#note(before, "");
			this.plan = { ...this.plan, records: this.plan.records.map((each, i) => (i === index ? next : each)) };
			this.#keep();
		} catch (error) {
			this.#sayError(error);
		}
	}

	removeRecord(index: number): void {
		const { file } = this.plan.records[index];
		const before = this.#moment;
		const records = this.plan.records.filter((_, i) => i !== index);
		this.#note(before, "");
		this.plan = { ...this.plan, records };
		this.example = undefined;
		if (!records.some((record) => record.file === file))
			this.tables = new Map([...this.tables].filter(([name]) => name !== file));
		this.chosenRecord = Math.max(0, Math.min(this.chosenRecord, records.length - 1));
		this.badFields = new Map();
		this.#keep();
	}

	/** Notes a text that could not be read; with none, that the field is in order again. */
	refuse(where: string, bad: BadField | undefined): void {
		if (!bad && !this.badFields.has(where)) return;
		const others = [...this.badFields].filter(([each]) => each !== where);
		this.badFields = new Map(bad ? [...others, [where, bad]] : others);
	}

	/** The model as it is typed, or (`isSet`) put there by something else than the editor. */
	async changeModel(source: string, isSet = false): Promise<void> {
		if (source === this.plan.model) return;
		this.change({ model: source });
		if (isSet) this.modelSet++;
		await this.#checkModel();
	}

	/** Another model in the place of the present one: one key brings that back. */
	async replaceModel(part: Pick<Plan, "model"> & Partial<Plan>): Promise<void> {
		this.change(part, "");
		this.modelSet++;
		await this.#checkModel();
	}

	moveHandles(values: Readonly<Record<string, number>>): void {
		this.playing.move(values);
		this.#keep();
	}

	get #moment(): Moment {
		return { plan: this.plan, tables: this.tables, example: this.example };
	}

	#note(before: Moment, what: string): void {
		this.#history.note(before, what);
		this.#readHistory();
	}

	#readHistory(): void {
		this.canUndo = this.#history.canUndo;
		this.canRedo = this.#history.canRedo;
	}

	/** Takes the last change of model, records or options back; or makes it again. */
	async undo(again = false): Promise<void> {
		if (this.run !== "idle") return;
		const to = again ? this.#history.redo(this.#moment) : this.#history.undo(this.#moment);
		this.#readHistory();
		if (!to) return;
		const isOther = to.plan.model !== this.plan.model;
		({ plan: this.plan, tables: this.tables, example: this.example } = to);
		this.badFields = new Map();
		this.chosenRecord = Math.max(0, Math.min(this.chosenRecord, to.plan.records.length - 1));
		this.#keep();
		if (!isOther) return;
		this.modelSet++;
		await this.#checkModel();
	}

	/** Fetches the rest of the engine: when the user turns to the page, before anything is asked of it. */
	async loadEngine(): Promise<void> {
		if (this.#engineIsLoaded) return;
		this.#engineIsLoaded = true;
		await this.#refreshVerdicts();
	}

	/** Why nothing can be run now; empty when it can. */
	get obstacle(): string {
		const lack = this.lack;
		if (lack) return lack;
		// Options of a method that is not chosen are not looked at.
		const bad = [...this.badFields].find(
			([where]) => !where.startsWith("option:") || where.startsWith(`option:${this.plan.method}:`),
		);
		if (bad) return `${bad[1].name}: “${bad[1].text}” ${bad[1].why}.`;
		if (!this.plan.records.some((record) => /train|both/.test(roleOf(record))))
			return "No record is used to find the parameters: switch one on.";
		const verdict = this.verdicts.find(({ method }) => method === this.plan.method);
		return verdict && !verdict.applies ? `${this.plan.method} does not apply: ${pageWords(verdict.why)}` : "";
	}

	/** What model and records lack before they can be simulated or run. */
	get lack(): string {
		if (this.plan.model.trim() === "") return "There is no model yet.";
		if ((this.check?.errors.length ?? 0) > 0) return "The model has errors.";
		const { records } = this.plan;
		if (records.length === 0) return "There is no record yet.";
		for (const record of records) {
			const table = this.tables.get(record.file);
			if (!table) return `${record.file} is not here yet: drop it onto the page.`;
			if (roleOf(record) === "off") continue;
			const lack = lackOf(record, table, this.description);
			if (lack) return lack;
			const stopping = this.odditiesOf(record).find(({ stops }) => stops);
			if (stopping) return `${record.file}: ${stopping.text}`;
		}
		return "";
	}

	odditiesOf(record: PlanRecord): readonly Oddity[] {
		const table = this.tables.get(record.file);
		return table ? oddities(record, table, neededNames(this.description)) : [];
	}

	/** The study as a method is given it, with all that belongs to another text of the model left out. */
	get toRun(): Plan {
		return { ...this.plan, records: this.plan.records.map((record) => recordFor(record, this.description)) };
	}

	/** Simulates with what is there now; reads everything that this depends on. */
	stage(): void {
		const { model, records, set } = this.toRun;
		const lack = this.lack;
		// While the model is read, its records do not fit it yet.
		if (lack || this.check?.description === undefined) return this.playing.set(undefined, lack);
		const used = records.filter((record) => roleOf(record) !== "off");
		const tables = [...this.#tablesOf(new Set(used.map(({ file }) => file))).values()];
		this.playing.set({ model, records: used, set, tables });
	}

	async start(from?: KeptRun): Promise<void> {
		if (this.run !== "idle" || (!from && this.obstacle !== "")) return;
		const opened = this.#opened;
		this.run = "running";
		this.view = "answer";
		this.progress = { fraction: from?.fraction ?? 0, label: "", seconds: 0 };
		this.live = undefined;
		this.failure = undefined;
		this.notice = undefined;
		this.pending = undefined;
		this.#isStopping = false;
		this.#heard = false;
		this.#start = performance.now();
		const plan = from?.plan ?? this.toRun;
		this.#running = plan;
		const tables = [...this.#tablesOf(new Set(plan.records.map(({ file }) => file))).values()];
		const place = {
			workers: Math.min(7, (navigator.hardwareConcurrency || 1) - 1),
			shared: crossOriginIsolated,
		};
		let answer: RunAnswer | undefined;
		let failure: Failure | undefined;
		try {
			answer = await this.#runner.ask("run", {
				plan,
				tables: tables.map(withoutFile),
				place,
				...(from ? { from: from.from } : {}),
			});
		} catch (error) {
			if (!(error instanceof EngineError)) throw error;
			// One that did not stop in time was ended: that is no failure.
			if (!this.#isStopping) failure = error.failure;
		} finally {
			this.run = "idle";
			this.live = undefined;
			this.#running = undefined;
		}
		// Another study may have been opened meanwhile.
		if (opened !== this.#opened) return;
		this.failure = failure;
		if (answer?.finished) this.answers.add(answer.finished, plan, tables);
		const left = answer?.kind === "stopped" ? answer.from : undefined;
		this.pending = left && { plan, from: left, fraction: this.progress.fraction };
		if (!answer?.finished && !failure) {
			this.view = this.answers.shown ? "answer" : "methods";
			this.say("The run was stopped before it had found anything.");
		}
		this.#keep();
	}

	pause(): void {
		if (this.run !== "running") return;
		this.run = "paused";
		this.#pausedAt = performance.now();
		this.#runner.tell("pause");
	}

	resume(): void {
		if (this.run !== "paused") return;
		this.#start += performance.now() - this.#pausedAt;
		this.run = "running";
		this.#runner.tell("resume");
	}

	/** After the present step; a step that takes longer is ended. */
	stop(): void {
		if (this.run === "idle") return;
		this.#isStopping = true;
		this.run = "stopping";
		this.#runner.tell("stop");
		const start = this.#start;
		setTimeout(() => {
			if (this.run !== "idle" && this.#isStopping && !this.#heard && this.#start === start)
				this.#runner.end();
		}, 1500);
	}

	showAnswer(id: number): void {
		this.answers.shownId = id;
		this.view = "answer";
		this.failure = undefined;
	}

	/** A model text as the page understands it, without making it the study's. */
	read(source: string): Promise<ModelCheck> {
		return this.#checker.ask("check", { source, fileName: "model.ode" });
	}

	/** A model that a method found takes the place of the present one, to go on with. */
	async continueWith(source: string): Promise<void> {
		await this.changeModel(source, true);
		if (!this.verdicts.find(({ method, applies }) => applies && method === this.plan.method))
			this.change({ method: "fit" });
		this.view = "methods";
		this.say("This is the model that was found. Undo brings the one before it back.");
	}

	removeAnswer(id: number): void {
		this.answers.remove(id);
		this.view = "methods";
		this.#keep();
	}

	studyText(): Promise<string> {
		return this.#checker.ask("studyText", { plan: this.toRun });
	}

	recordText(table: TableData): Promise<string> {
		return this.#checker.ask("recordText", { table: withoutFile(table) });
	}

	async openRun(name: string): Promise<Finished> {
		const [study, result, summary] = await Promise.all(
			["study.yaml", "result.json", "summary.json"].map((file) => this.server!.file(name, file)),
		);
		return this.#checker.ask("openRun", { name, study, result, summary });
	}

	#isOld({ plan, tables }: KeptAnswer): boolean {
		const { method } = plan;
		// What another method is to be asked does not make this answer old.
		const told = ({ options, ...each }: Plan): string =>
			JSON.stringify({ ...each, title: "", method, options: method === "all" ? options : options[method] });
		return told(plan) !== told(this.toRun) || tables.some((table) => this.tables.get(table.source) !== table);
	}

	async #take(plan: Plan, tables: ReadonlyMap<string, TableData>): Promise<void> {
		this.#put(plan, tables);
		await this.#checkModel();
	}

	#put(
		plan: Plan,
		tables: ReadonlyMap<string, TableData>,
		handles: Readonly<Record<string, number>> = {},
		isKept = false,
	): void {
		// It may have been begun while a file was still being read.
		const text =
			this.run === "idle" ? "" : `The run of ${this.plan.method} was stopped: another study was opened.`;
		this.stop();
		if (!isKept) this.keeper.begin();
		this.#forget();
		this.plan = plan;
		this.tables = tables;
		this.example = undefined;
		this.chosenRecord = 0;
		this.badFields = new Map();
		this.notice = text === "" ? undefined : { text, grave: false };
		this.#history.clear();
		this.#readHistory();
		this.playing.reset(handles);
		this.#opened++;
		this.modelSet++;
	}

	/** Answers belong to a study. */
	#forget(): void {
		this.answers.clear();
		this.pending = undefined;
		this.failure = undefined;
		this.view = "methods";
	}

	async #checkModel(): Promise<void> {
		const number = ++this.#checks;
		const source = this.plan.model;
		const check = await this.#checker.ask("check", { source, fileName: "model.ode" });
		// The text may have changed meanwhile.
		if (number !== this.#checks) return;
		this.check = check;
		if (check.description) {
			this.description = check.description;
			this.#matchColumns(check.description);
		}
		if (this.#engineIsLoaded || source !== facts.examples[0].plan.model) await this.#refreshVerdicts();
		else this.verdicts = facts.firstVerdicts;
	}

	/** Records that were there before the model get their columns by its names now. */
	#matchColumns(description: ModelDescription): void {
		const next = this.plan.records.map((record) => {
			const table = this.tables.get(record.file);
			return table ? matched(record, table, description) : record;
		});
		if (JSON.stringify(next) !== JSON.stringify(this.plan.records))
			this.plan = { ...this.plan, records: next };
	}

	async #refreshVerdicts(): Promise<void> {
		this.#engineIsLoaded = true;
		const number = this.#checks;
		const verdicts = await this.#checker.ask("verdicts", { source: this.plan.model, fileName: "model.ode" });
		if (number === this.#checks && verdicts.length > 0) this.verdicts = verdicts;
	}

	async #read(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<TableData> {
		const choices = this.plan.records.find(({ file }) => file === name)?.reading;
		const table = await readFile(this.#checker, name, bytes, choices);
		this.tables = new Map([...this.tables, [name, table]]);
		return table;
	}

	/** Into the browser's storage, soon. */
	#keep(): void {
		this.keeper.keep(() => this.#toKeep());
	}

	#toKeep(): Omit<KeptStudy, "id" | "changed"> & { readonly tables: ReadonlyMap<string, TableData> } {
		return {
			plan: this.plan,
			...(this.example === undefined ? {} : { example: this.example }),
			handles: this.playing.values,
			answers: this.answers.all.map((answer) => ({
				...answer,
				tables: answer.tables.map(({ source }) => source),
			})),
			...(this.pending ? { run: this.pending } : {}),
			tables: this.tables,
		};
	}

	#sayMissing(): void {
		const missing = [...new Set(this.plan.records.map(({ file }) => file))].filter(
			(file) => !this.tables.has(file),
		);
		if (missing.length > 0)
			this.say(
				`Drop ${missing.join(", ")} onto the page: the study needs ${missing.length > 1 ? "them" : "it"}.`,
			);
	}

	#sayError(error: unknown): void {
		if (!(error instanceof EngineError)) throw error;
		const { problem, remedy, details } = error.failure;
		const [first] = details;
		this.say(first ? `${first.message}. ${first.remedy}` : `${problem}. ${remedy}`, true);
	}

	#worked(): number {
		return (performance.now() - this.#start) / 1000;
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
