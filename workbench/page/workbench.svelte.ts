/** What the page holds: the study, its tables, what the engine says of them, the run under way, and its answer. */
import facts from "virtual:facts";
import records from "virtual:records";
import type { Applicability } from "../../src/methods/index.ts";
import type { ModelDescription } from "../../src/model/index.ts";
import type { Failure, Finished, LiveView, ModelCheck, Plan, PlanRecord, TableData } from "../contract.ts";
import { type Oddity, oddities } from "../data/oddities.ts";
import { Engine, EngineError } from "./engine.ts";
import { LocalServer, tokenIn } from "./local-server.ts";
import { pageWords } from "./page-words.ts";
import { readFile } from "./read-file.ts";
import { guessRecord, hasClock, neededNames } from "./record-guess.ts";
import { type Shared, sharedOf } from "./share-link.ts";

export type RunState = "idle" | "running" | "paused";

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

export class Workbench {
	plan = $state.raw<Plan>(facts.examples[0].plan);
	/** Changes whenever another study is opened: the editor then takes its text anew. */
	opened = $state(0);
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
	finished = $state.raw<Finished | undefined>();
	/** The study and the tables that the answer belongs to, as they were when it ran. */
	answered = $state.raw<{ readonly plan: Plan; readonly tables: readonly TableData[] } | undefined>();
	/** Something that the answer rests on was changed since. */
	readonly isStale = $derived(
		this.finished !== undefined &&
			this.answered !== undefined &&
			(JSON.stringify(this.answered.plan) !== JSON.stringify(this.plan) ||
				this.answered.tables.some((table) => this.tables.get(table.source) !== table)),
	);
	server = $state.raw<LocalServer | undefined>();
	/** `dark` or `light`, as shown. */
	theme = $state<"light" | "dark">(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

	readonly #checker = new Engine();
	readonly #runner = new Engine((event) => {
		if (event.event === "live") this.live = event.live;
		else this.progress = { fraction: event.fraction, label: event.label, seconds: this.#worked() };
	});
	#checks = 0;
	#engineIsLoaded = false;
	#start = 0;
	#pausedAt = 0;
	#isStopping = false;

	/** The study that a link holds, else the first example. */
	async begin(fragment: string): Promise<void> {
		const token = tokenIn(fragment);
		const example = facts.examples[0];
		let shared: Shared | undefined;
		let damaged = false;
		try {
			shared = await sharedOf(fragment);
		} catch {
			damaged = true;
		}
		await (shared ? this.openShared(shared) : this.openExample(example.id));
		if (damaged) this.say("The link is damaged: the first example is shown instead.", true);
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
		const checking = this.#take(example.plan, new Map());
		const read = files.map(async (file) => this.#read(file, await recordBytes(`examples/${id}/${file}`)));
		await Promise.all([checking, ...read]);
		this.example = id;
	}

	async openShared({ plan, example, records = {} }: Shared): Promise<void> {
		if (example !== undefined && facts.examples.some(({ id }) => id === example)) {
			await this.openExample(example);
			await this.#take(plan, this.tables);
			this.example = example;
			return;
		}
		await this.#take(plan, new Map());
		for (const [file, text] of Object.entries(records))
			await this.#read(file, new TextEncoder().encode(text));
		this.#sayMissing();
	}

	/** Files of any kind, as dropped or chosen: a study, a model, records. */
	async openFiles(files: readonly File[]): Promise<void> {
		if (files.length === 0 || this.#isBusy(files.map(({ name }) => name).join(", "))) return;
		const named = (pattern: RegExp): File | undefined => files.find(({ name }) => pattern.test(name));
		const study = named(/\.ya?ml$/i);
		const model = named(/\.ode$/i);
		const others = files.filter((file) => file !== study && file !== model);
		try {
			if (study) {
				const text = await study.text();
				const { plan, modelFile } = await this.#checker.ask("openStudy", { text, fileName: study.name });
				const source = modelFile === undefined ? plan.model : await model?.text();
				if (source === undefined)
					this.say(`${study.name} names the model ${modelFile}: open both files together.`, true);
				await this.#take({ ...plan, model: source ?? "" }, this.tables);
			} else if (model) {
				await this.#take({ ...this.plan, model: await model.text(), options: {}, set: {} }, this.tables);
			}
			await this.#addRecords(others, study !== undefined);
			if (study) this.#sayMissing();
		} catch (error) {
			this.#sayError(error);
		}
	}

	/** A run that goes on is not ended by something else that is opened, perhaps by mistake. */
	#isBusy(asked: string): boolean {
		if (this.run === "idle") return false;
		this.say(
			`${this.plan.method} is not done yet, so ${asked} was not opened. Stop the run first, then open it.`,
		);
		return true;
	}

	/**
	 * Records that were dropped: each takes the place of one of the same name. Others take the place of all that were not
	 * dropped with them, as experiments of one study.
	 */
	async #addRecords(files: readonly File[], withStudy: boolean): Promise<void> {
		const twice = files.find(({ name }, i) => files.findIndex((each) => each.name === name) < i);
		if (twice) return this.say(`Two files are named ${twice.name}: rename one, then open both again.`, true);
		const read: TableData[] = [];
		for (const file of files) {
			const table = await this.#read(file.name, new Uint8Array(await file.arrayBuffer()));
			read.push(table);
		}
		if (read.length === 0) return;
		const { records } = this.plan;
		const known = records.filter(({ file }) => read.some(({ source }) => source === file));
		const fresh = read.filter(({ source }) => !records.some(({ file }) => file === source));
		const names = fresh.map(({ source }) => source).join(", ");
		this.example = undefined;
		if (!withStudy) this.notice = undefined;
		if (fresh.length === 0) {
			this.chosenRecord = records.indexOf(known.at(-1)!);
			return;
		}
		if (withStudy && known.length > 0)
			return this.say(
				`The study does not name ${names}: ${fresh.length > 1 ? "they are" : "it is"} not used.`,
			);
		const all = [...known, ...fresh.map((table) => guessRecord(table, this.description, records[0]))];
		this.change({ records: all });
		this.badFields = new Map();
		this.chosenRecord = 0;
		if (all.length > 1)
			this.say(
				`${all.map(({ file }) => file).join(" and ")} are used together, as ${all.length} experiments. For one that is only tested on, write "none" at train and "0.." at test.`,
			);
	}

	change(part: Partial<Plan>): void {
		this.plan = { ...this.plan, ...part };
	}

	changeRecord(index: number, part: Partial<PlanRecord>): void {
		const records = this.plan.records.map((record, i) => {
			if (i !== index) return record;
			const next = { ...record, ...part };
			return Object.fromEntries(
				Object.entries(next).filter(([, value]) => value !== undefined),
			) as unknown as PlanRecord;
		});
		this.change({ records });
	}

	/** Notes a text that could not be read; with none, that the field is in order again. */
	refuse(where: string, bad: BadField | undefined): void {
		if (!bad && !this.badFields.has(where)) return;
		const others = [...this.badFields].filter(([each]) => each !== where);
		this.badFields = new Map(bad ? [...others, [where, bad]] : others);
	}

	/** The model as it is typed. */
	async changeModel(source: string): Promise<void> {
		this.change({ model: source });
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
		if ((this.check?.errors.length ?? 0) > 0) return "The model has errors.";
		if (this.plan.records.length === 0 || !this.plan.records.every(({ file }) => this.tables.has(file)))
			return "There is no record yet.";
		const clockless = this.plan.records.find((record) => !hasClock(record));
		if (clockless) return `Say which column of ${clockless.file} is the time, or the rate.`;
		for (const record of this.plan.records) {
			const stopping = this.odditiesOf(record).find(({ stops }) => stops);
			if (stopping) return `${record.file}: ${stopping.text}`;
		}
		// Options of a method that is not chosen are not looked at.
		const bad = [...this.badFields].find(
			([where]) => !where.startsWith("option:") || where.startsWith(`option:${this.plan.method}:`),
		);
		if (bad) return `${bad[1].name}: “${bad[1].text}” ${bad[1].why}.`;
		const verdict = this.verdicts.find(({ method }) => method === this.plan.method);
		return verdict && !verdict.applies ? `${this.plan.method} does not apply: ${pageWords(verdict.why)}` : "";
	}

	odditiesOf(record: PlanRecord): readonly Oddity[] {
		const table = this.tables.get(record.file);
		return table ? oddities(record, table, neededNames(this.description)) : [];
	}

	async start(): Promise<void> {
		if (this.run !== "idle" || this.obstacle !== "") return;
		const { opened } = this;
		this.run = "running";
		this.progress = { fraction: 0, label: "", seconds: 0 };
		this.live = undefined;
		this.failure = undefined;
		this.finished = undefined;
		this.notice = undefined;
		this.#isStopping = false;
		this.#start = performance.now();
		const { plan } = this;
		const files = new Set(plan.records.map(({ file }) => file));
		const tables = [...this.tables.values()].filter(({ source }) => files.has(source));
		const place = {
			workers: Math.min(7, (navigator.hardwareConcurrency || 1) - 1),
			shared: crossOriginIsolated,
		};
		let finished: Finished | undefined;
		let failure: Failure | undefined;
		try {
			finished = await this.#runner.ask("run", { plan, tables, place });
		} catch (error) {
			if (!(error instanceof EngineError)) throw error;
			// One that did not stop in time was ended: that is no failure.
			if (!this.#isStopping) failure = error.failure;
		} finally {
			this.run = "idle";
			this.live = undefined;
		}
		// Another study may have been opened meanwhile.
		if (opened !== this.opened) return;
		this.answered = { plan, tables };
		this.finished = finished;
		this.failure = failure;
		if (!finished && !failure) this.say("The run was stopped.");
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
		this.#runner.tell("stop");
		const start = this.#start;
		setTimeout(() => {
			if (this.run !== "idle" && this.#isStopping && this.#start === start) this.#runner.end();
		}, 1500);
	}

	studyText(): Promise<string> {
		return this.#checker.ask("studyText", { plan: this.plan });
	}

	recordText(table: TableData): Promise<string> {
		return this.#checker.ask("recordText", { table });
	}

	async openRun(name: string): Promise<Finished> {
		const [study, result, summary] = await Promise.all(
			["study.yaml", "result.json", "summary.json"].map((file) => this.server!.file(name, file)),
		);
		return this.#checker.ask("openRun", { name, study, result, summary });
	}

	async #take(plan: Plan, tables: ReadonlyMap<string, TableData>): Promise<void> {
		// It may have been begun while a file was still being read.
		const text =
			this.run === "idle" ? "" : `The run of ${this.plan.method} was stopped: another study was opened.`;
		this.stop();
		this.plan = plan;
		this.tables = tables;
		this.example = undefined;
		this.chosenRecord = 0;
		this.badFields = new Map();
		this.finished = undefined;
		this.failure = undefined;
		this.notice = text === "" ? undefined : { text, grave: false };
		this.opened++;
		await this.#checkModel();
	}

	async #checkModel(): Promise<void> {
		const number = ++this.#checks;
		const source = this.plan.model;
		const check = await this.#checker.ask("check", { source, fileName: "model.ode" });
		// The text may have changed meanwhile.
		if (number !== this.#checks) return;
		this.check = check;
		if (check.description) this.description = check.description;
		if (this.#engineIsLoaded || source !== facts.examples[0].plan.model) await this.#refreshVerdicts();
		else this.verdicts = facts.firstVerdicts;
	}

	async #refreshVerdicts(): Promise<void> {
		this.#engineIsLoaded = true;
		const number = this.#checks;
		const verdicts = await this.#checker.ask("verdicts", { source: this.plan.model, fileName: "model.ode" });
		if (number === this.#checks && verdicts.length > 0) this.verdicts = verdicts;
	}

	async #read(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<TableData> {
		const table = await readFile(this.#checker, name, bytes);
		this.tables = new Map([...this.tables, [name, table]]);
		return table;
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

/** A record of an example: from the page itself where it holds them, else from beside it. */
async function recordBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
	const inside = records.get(path);
	return inside === undefined
		? new Uint8Array(await (await fetch(path)).arrayBuffer())
		: new TextEncoder().encode(inside);
}
