/** What the page holds: the study, its tables, what the engine says of them, the run under way, and the answers. */
import facts from "virtual:facts";
import type { TableChoices } from "../../src/data/index.ts";
import type { Applicability } from "../../src/methods/index.ts";
import type { ModelDescription } from "../../src/model/index.ts";
import type {
	Finished,
	HelpTexts,
	ModelCheck,
	Plan,
	PlanRecord,
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
import { keptPast, type Moment } from "./moment.ts";
import { Opening } from "./opening.ts";
import { pageWords } from "./page-words.ts";
import { Playing } from "./playing.svelte.ts";
import { readFile, withoutFile } from "./read-file.ts";
import { guessRecord, lackOf, matched, neededNames, recordFor, roleOf } from "./record-guess.ts";
import { Running } from "./running.svelte.ts";
import { type Shared, sharedOf } from "./share-link.ts";
import type { KeptStudy } from "./study-store.ts";

export interface BadField {
	/** What the user calls the field. */
	readonly name: string;
	readonly text: string;
	readonly why: string;
}

interface Notice {
	readonly text: string;
	readonly grave: boolean;
	/** What would mend it, made by a button. */
	readonly offer?: { readonly says: string; readonly make: () => void };
}

export class Workbench {
	plan = $state.raw<Plan>(facts.examples[0].plan);
	/** Changes whenever the model's text is set from outside the editor, which then takes it anew. */
	modelSet = $state(0);
	/** The example whose records these are, while none was changed. */
	example = $state<string | undefined>();
	tables = $state.raw<ReadonlyMap<string, TableData>>(new Map());
	/** Whether the page fetches the records itself: from its beginning on, and whenever an example is opened. */
	isFetching = $state(true);
	check = $state.raw<ModelCheck | undefined>();
	/** The model as last understood: it stays while the text has errors. */
	description = $state.raw<ModelDescription | undefined>();
	verdicts = $state.raw<readonly Applicability[]>(facts.firstVerdicts);
	chosenRecord = $state(0);
	/** Fields whose text could not be read, by where they are: nothing runs while one stands there. */
	badFields = $state.raw<ReadonlyMap<string, BadField>>(new Map());
	notice = $state.raw<Notice | undefined>();

	readonly running = new Running(this);
	readonly answers = new Answers();
	/** What the pane of answers shows while nothing runs: the methods to choose from, or an answer. */
	view = $state<"methods" | "answer">("methods");
	readonly finished = $derived(this.answers.shown?.finished);
	/** Something that the answer rests on was changed since. */
	readonly isStale = $derived(this.answers.shown !== undefined && this.#isOld(this.answers.shown));
	server = $state.raw<LocalServer | undefined>();
	/** `dark` or `light`, as shown. */
	theme = $state<"light" | "dark">(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

	readonly #checker = new Engine();
	readonly playing = new Playing(this.#checker);
	readonly opening = new Opening(this, this.#checker);
	readonly adapting = new Adapting(this, this.#checker);
	readonly keeper = new Keeper({
		say: (text) => this.say(text, true),
		takeUp: (id) => {
			if (this.running.state !== "idle") return false;
			void this.opening.kept(id);
			return true;
		},
		rename: (title) => {
			this.plan = { ...this.plan, title };
		},
	});
	readonly #history = new History<Moment>(() => performance.now());
	canUndo = $state(false);
	canRedo = $state(false);
	#checks = 0;
	/** Changes whenever another study is opened. */
	opened = 0;
	#engineIsLoaded = false;
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
		if (shared) await this.opening.shared(shared);
		else if (!(await this.opening.kept())) await this.opening.example(facts.examples[0].id);
		this.isFetching = false;
		if (damaged)
			this.say("The link is damaged: your last study is shown instead, or the first example.", true);
		this.server = await LocalServer.find(token).catch(() => undefined);
	}

	say(text: string, grave = false): void {
		this.notice = { text, grave };
	}

	help(): Promise<HelpTexts> {
		return this.#checker.ask("help", { methods: facts.methods });
	}

	templates(): Promise<readonly TemplateFacts[]> {
		return this.#checker.ask("templates", {});
	}

	tablesOf(files: ReadonlySet<string>): ReadonlyMap<string, TableData> {
		return new Map([...this.tables].filter(([file]) => files.has(file)));
	}

	change(part: Partial<Plan>, what = Object.keys(part).join(" ")): void {
		this.note(this.moment, what);
		this.plan = { ...this.plan, ...part };
		this.keep();
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
			const before = this.moment;
			this.tables = new Map([...this.tables, [record.file, table]]);
			const { time, ...rest } = record;
			const has = table.columns.some(({ name }) => name === time);
			const fresh = guessRecord(table, this.description);
			const clock = has ? { time } : fresh.time === undefined ? {} : { time: fresh.time };
			const next = matched({ ...rest, ...clock, reading }, table, this.description);
			this.note(before, "");
			this.plan = { ...this.plan, records: this.plan.records.map((each, i) => (i === index ? next : each)) };
			this.keep();
		} catch (error) {
			this.sayError(error);
		}
	}

	removeRecord(index: number): void {
		const { file } = this.plan.records[index];
		const before = this.moment;
		const records = this.plan.records.filter((_, i) => i !== index);
		this.note(before, "");
		this.plan = { ...this.plan, records };
		this.example = undefined;
		if (!records.some((record) => record.file === file))
			this.tables = new Map([...this.tables].filter(([name]) => name !== file));
		this.chosenRecord = Math.max(0, Math.min(this.chosenRecord, records.length - 1));
		this.badFields = new Map();
		this.keep();
	}

	/** Notes a text that could not be read; with none, that the field is in order again. */
	refuse(where: string, bad: BadField | undefined): void {
		if (!bad && !this.badFields.has(where)) return;
		const others = [...this.badFields].filter(([each]) => each !== where);
		this.badFields = new Map(bad ? [...others, [where, bad]] : others);
	}

	/** The model as it is typed, or (`isSet`) put there by something else than the editor. */
	/** Another model in the place of the present one: one key brings that back. */
	async replaceModel(part: Pick<Plan, "model"> & Partial<Plan>): Promise<void> {
		this.change(part, "");
		this.modelSet++;
		await this.checkModel();
	}

	/** `held`: by a hand that has not let go since it began to move them. */
	moveHandles(values: Readonly<Record<string, number>>, what = "", held = false): void {
		const before = this.playing.values;
		if (Object.entries(values).every(([name, value]) => before[name] === value)) return;
		this.note(this.moment, what, held);
		this.playing.put({ ...before, ...values });
		this.keep();
	}

	get moment(): Moment {
		return { plan: this.plan, tables: this.tables, example: this.example, handles: this.playing.values };
	}

	note(before: Moment, what: string, held = false): void {
		this.#history.note(before, what, held);
		this.#readHistory();
	}

	#readHistory(): void {
		this.canUndo = this.#history.canUndo;
		this.canRedo = this.#history.canRedo;
	}

	/** Takes the last change of model, records, options or handles back; or makes it again. */
	async undo(again = false): Promise<void> {
		if (this.running.state !== "idle") return;
		const to = again ? this.#history.redo(this.moment) : this.#history.undo(this.moment);
		this.#readHistory();
		if (!to) return;
		const isOther = to.plan.model !== this.plan.model;
		({ plan: this.plan, tables: this.tables, example: this.example } = to);
		if (to.handles !== this.playing.values) this.playing.put(to.handles);
		this.badFields = new Map();
		this.chosenRecord = Math.max(0, Math.min(this.chosenRecord, to.plan.records.length - 1));
		this.keep();
		if (!isOther) return;
		this.modelSet++;
		await this.checkModel();
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
		if (this.verdicts.length === 0) return "The model is being read.";
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
			if (!table) return this.absence(record.file);
			if (roleOf(record) === "off") continue;
			const lack = lackOf(record, table, this.description);
			if (lack) return lack;
			const stopping = this.odditiesOf(record).find(({ stops }) => stops);
			if (stopping) return `${record.file}: ${stopping.text}`;
		}
		return "";
	}

	absence(file: string): string {
		return this.isFetching ? `${file} is being read.` : `${file} is not here yet: drop it onto the page.`;
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
		const tables = [...this.tablesOf(new Set(used.map(({ file }) => file))).values()];
		this.playing.set({ model, records: used, set, tables });
	}

	showAnswer(id: number): void {
		this.answers.shownId = id;
		this.view = "answer";
		this.running.failure = undefined;
	}

	/** A model text as the page understands it, without making it the study's. */
	read(source: string): Promise<ModelCheck> {
		return this.#checker.ask("check", { source, fileName: "model.ode" });
	}

	/** A model that a method found takes the place of the present one, to go on with. */
	async continueWith(source: string): Promise<void> {
		await this.replaceModel({ model: source });
		if (!this.verdicts.find(({ method, applies }) => applies && method === this.plan.method))
			this.change({ method: "fit" });
		this.view = "methods";
		this.say("This is the model that was found. Undo brings the one before it back.");
	}

	removeAnswer(id: number): void {
		this.answers.remove(id);
		this.view = "methods";
		this.keep();
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

	async take(plan: Plan, tables: ReadonlyMap<string, TableData>): Promise<void> {
		this.put(plan, tables);
		await this.checkModel();
	}

	put(
		plan: Plan,
		tables: ReadonlyMap<string, TableData>,
		handles: Readonly<Record<string, number>> = {},
		past?: readonly Moment[],
	): void {
		// It may have been begun while a file was still being read.
		const text =
			this.running.state === "idle"
				? ""
				: `The run of ${this.plan.method} was stopped: another study was opened.`;
		this.running.stop();
		if (!past) this.keeper.begin();
		this.forget();
		// What was said of another model does not hold for this one.
		this.verdicts = [];
		this.plan = plan;
		this.tables = tables;
		this.example = undefined;
		this.chosenRecord = 0;
		this.badFields = new Map();
		this.notice = text === "" ? undefined : { text, grave: false };
		this.#history.begin(past);
		this.#readHistory();
		this.playing.reset(handles);
		this.opened++;
		this.modelSet++;
	}

	/** Answers belong to a study. */
	forget(): void {
		this.answers.clear();
		this.running.pending = undefined;
		this.running.failure = undefined;
		this.view = "methods";
	}

	async checkModel(): Promise<void> {
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

	async readTable(
		name: string,
		bytes: Uint8Array<ArrayBuffer>,
		choices = this.plan.records.find(({ file }) => file === name)?.reading,
	): Promise<TableData> {
		const table = await readFile(this.#checker, name, bytes, choices);
		this.tables = new Map([...this.tables, [name, table]]);
		return table;
	}

	/** Into the browser's storage, soon. */
	keep(): void {
		this.keeper.keep(() => this.#toKeep());
	}

	#toKeep(): Omit<KeptStudy, "id" | "changed"> & { readonly tables: ReadonlyMap<string, TableData> } {
		return {
			plan: this.plan,
			...(this.example === undefined ? {} : { example: this.example }),
			handles: this.playing.values,
			past: keptPast(this.#history.past, this.tables),
			answers: this.answers.all.map((answer) => ({
				...answer,
				tables: answer.tables.map(({ source }) => source),
			})),
			...(this.running.pending ? { run: this.running.pending } : {}),
			tables: this.tables,
		};
	}

	sayError(error: unknown): void {
		if (!(error instanceof EngineError)) throw error;
		const { problem, remedy, details } = error.failure;
		const [first] = details;
		this.say(first ? `${first.message}. ${first.remedy}` : `${problem}. ${remedy}`, true);
	}
}
