/** Keeps the study at hand in the browser's storage as it changes; says so where that is not possible, and lets the work go on. */
import type { TableData } from "../contract.ts";
import { type KeptStudy, type StudyEntry, StudyStore } from "./study-store.ts";

export type Keeping = "off" | "saved" | "saving" | "not kept";

/** Milliseconds after a change. */
const after = 400;

export class Keeper {
	/** Whether what is on the page is in the storage. */
	state = $state<Keeping>("off");
	studies = $state.raw<readonly StudyEntry[]>([]);
	#store: StudyStore | undefined;
	#written = new Map<string, TableData>();
	#id = "";
	#timer: ReturnType<typeof setTimeout> | undefined;
	#writing: Promise<void> = Promise.resolve();

	constructor(private readonly say: (text: string) => void) {}

	async open(): Promise<void> {
		try {
			this.#store = await StudyStore.open();
			this.studies = await this.#store.list();
			this.state = "saved";
		} catch {
			this.state = "not kept";
		}
	}

	/** The study that was last worked on, or the one asked for. */
	async restore(id = this.studies[0]?.id): Promise<Awaited<ReturnType<StudyStore["get"]>>> {
		if (id === undefined) return undefined;
		try {
			const kept = await this.#store?.get(id);
			if (!kept) return undefined;
			this.#id = id;
			this.#written = new Map(kept.tables);
			return kept;
		} catch {
			return undefined;
		}
	}

	/** From here on another study is kept. */
	begin(): void {
		this.flush();
		this.#id = "";
		this.#written = new Map();
	}

	/** Soon: `make` is called when it is time. */
	keep(
		make: () => Omit<KeptStudy, "id" | "changed"> & { readonly tables: ReadonlyMap<string, TableData> },
	): void {
		if (!this.#store) return;
		this.#id ||= crypto.randomUUID?.() ?? String(Date.now());
		this.state = this.state === "not kept" ? "not kept" : "saving";
		this.#make = make;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.flush(), after);
	}
	#make: Parameters<Keeper["keep"]>[0] | undefined;

	/** Now: when the page is left, or another study is begun. */
	flush(): void {
		clearTimeout(this.#timer);
		const make = this.#make;
		this.#make = undefined;
		if (!make || !this.#store) return;
		const { tables, ...study } = make();
		const id = this.#id;
		const written = this.#written;
		this.#writing = this.#writing.then(() =>
			this.#write({ ...study, id, changed: Date.now() }, tables, written),
		);
	}

	async remove(id: string): Promise<void> {
		await this.#store?.remove(id).catch(() => {});
		this.studies = this.studies.filter((each) => each.id !== id);
	}

	async #write(
		study: KeptStudy,
		tables: ReadonlyMap<string, TableData>,
		written: Map<string, TableData>,
	): Promise<void> {
		const fresh = [...tables.values()].filter((table) => written.get(table.source) !== table);
		const gone = [...written.keys()].filter((file) => !tables.has(file));
		try {
			await this.#store!.put(study, fresh, gone);
			for (const table of fresh) written.set(table.source, table);
			for (const file of gone) written.delete(file);
			const { id, plan, changed } = study;
			this.studies = [{ id, title: plan.title, changed }, ...this.studies.filter((each) => each.id !== id)];
			if (!this.#make) this.state = "saved";
		} catch (error) {
			const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
			if (this.state !== "not kept")
				this.say(
					`${isFull ? "The browser's storage is full" : "The browser keeps nothing"}: the study stays here while the page is open. Save it as a file before you leave.`,
				);
			this.state = "not kept";
		}
	}
}
