/** Keeps the study at hand in the browser's storage as it changes; says so where that is not possible, and lets the work go on. */
import type { TableData } from "../contract.ts";
import { OtherTabs, studyOfThisTab } from "./other-tabs.ts";
import { type KeptStudy, type StudyEntry, StudyStore } from "./study-store.ts";

type Keeping = "off" | "saved" | "saving" | "not kept";

/** Where a study lies, and what of it this tab has seen there. */
interface Place {
	id: string;
	/** That of the last read or write; undefined where nothing lies there yet. */
	seen: { readonly revision: string | undefined } | undefined;
	written: Map<string, TableData>;
	/** Another tab has written since. */
	isOthers: boolean;
}

/** What keeps a study needs of the page. */
export interface KeptPage {
	say(text: string): void;
	/** Another tab has written the study at hand, and nothing of it was changed here. False where it cannot be shown now. */
	takeUp(id: string): boolean;
	/** The study at hand goes on under another name: the old one is another tab's. */
	rename(title: string): void;
}

/** Milliseconds after a change. */
const after = 400;
const newId = (): string => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
const elsewhere = (): Place => ({ id: "", seen: undefined, written: new Map(), isOthers: false });

export class Keeper {
	/** Whether what is on the page is in the storage. */
	state = $state<Keeping>("off");
	/** Whether the study at hand is one of those that are kept: an example that nobody touched is not. */
	isKept = $state(false);
	studies = $state.raw<readonly StudyEntry[]>([]);
	#store: StudyStore | undefined;
	#place = elsewhere();
	#timer: ReturnType<typeof setTimeout> | undefined;
	#writing: Promise<void> = Promise.resolve();
	readonly #tabs = new OtherTabs((id) => this.#heard(id));

	constructor(private readonly page: KeptPage) {}

	async open(): Promise<void> {
		try {
			this.#store = await StudyStore.open();
			this.studies = await this.#store.list();
			this.state = "saved";
		} catch {
			this.state = "not kept";
		}
	}

	/** The study asked for, or the one that this tab had, or the one that was last worked on. */
	async restore(asked?: string): Promise<Awaited<ReturnType<StudyStore["get"]>>> {
		const own = studyOfThisTab.get();
		const id = asked ?? this.studies.find((each) => each.id === own)?.id ?? this.studies[0]?.id;
		if (id === undefined) return undefined;
		try {
			await this.#writing;
			const kept = await this.#store?.get(id);
			// Somebody began to change here what another tab had changed.
			if (!kept || (this.#make && id === this.#place.id)) {
				this.#place.isOthers ||= kept !== undefined;
				return undefined;
			}
			const { revision } = kept.study;
			this.#place = { id, seen: { revision }, written: new Map(kept.tables), isOthers: false };
			this.isKept = true;
			studyOfThisTab.set(id);
			return kept;
		} catch {
			return undefined;
		}
	}

	/** From here on another study is kept. */
	begin(): void {
		this.flush();
		this.isKept = false;
		this.#place = elsewhere();
		studyOfThisTab.set("");
	}

	/** Soon: `make` is called when it is time. */
	keep(
		make: () => Omit<KeptStudy, "id" | "changed"> & { readonly tables: ReadonlyMap<string, TableData> },
	): void {
		if (!this.#store) return;
		this.#place.id ||= newId();
		studyOfThisTab.set(this.#place.id);
		this.isKept = true;
		this.state = this.state === "not kept" ? "not kept" : "saving";
		this.#make = make;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.flush(), after);
	}
	#make: Parameters<Keeper["keep"]>[0] | undefined;

	/** Now: when another study is begun, or the page is left, which leaves no time to look at what lies there. */
	flush(isLeft = false): void {
		clearTimeout(this.#timer);
		const make = this.#make;
		this.#make = undefined;
		if (!make || !this.#store) return;
		const { tables, ...study } = make();
		const place = this.#place;
		const write = () => this.#write(study, tables, place, isLeft);
		this.#writing = isLeft ? write() : this.#writing.then(write);
	}

	async remove(id: string): Promise<void> {
		await this.#store?.remove(id).catch(() => {});
		this.studies = this.studies.filter((each) => each.id !== id);
	}

	async #write(
		study: Omit<KeptStudy, "id" | "changed">,
		tables: ReadonlyMap<string, TableData>,
		place: Place,
		isLeft: boolean,
	): Promise<void> {
		try {
			let { plan } = study;
			if (place.isOthers || !(await this.#put(study, tables, place, isLeft))) {
				plan = { ...plan, title: this.#freeTitle(plan.title) };
				const { title } = study.plan;
				Object.assign(place, { ...elsewhere(), id: newId() });
				if (place === this.#place) {
					studyOfThisTab.set(place.id);
					this.page.rename(plan.title);
				}
				await this.#put({ ...study, plan }, tables, place, isLeft);
				this.page.say(
					`“${title}” was changed in another tab, too. Both are kept: what you have here is “${plan.title}” now, the other is in the list of studies.`,
				);
			}
			if (!this.#make) this.state = "saved";
		} catch (error) {
			const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
			if (this.state !== "not kept")
				this.page.say(
					`${isFull ? "The browser's storage is full" : "The browser keeps nothing"}: the study stays here while the page is open. Save it as a file before you leave.`,
				);
			this.state = "not kept";
		}
	}

	/** False where another tab has written there meanwhile; what it had removed is written again. */
	async #put(
		study: Omit<KeptStudy, "id" | "changed">,
		tables: ReadonlyMap<string, TableData>,
		place: Place,
		isLeft: boolean,
	): Promise<boolean> {
		const { id, written } = place;
		const revision = newId();
		const changed = Date.now();
		const entry = { ...study, id, changed, revision };
		const fresh = [...tables.values()].filter((table) => written.get(table.source) !== table);
		const gone = [...written.keys()].filter((file) => !tables.has(file));
		const how = await this.#store!.put(entry, fresh, gone, isLeft ? undefined : place.seen);
		if (how === "changed") return false;
		if (how === "removed") await this.#store!.put(entry, [...tables.values()], []);
		place.seen = { revision };
		place.written = new Map(tables);
		const others = this.studies.filter((each) => each.id !== id);
		this.studies = [{ id, title: study.plan.title, changed }, ...others];
		this.#tabs.tell(id);
		return true;
	}

	/** Another tab has written a study. */
	async #heard(id: string): Promise<void> {
		if (id === this.#place.id) {
			if (this.#make || OtherTabs.isAtHand() || !this.page.takeUp(id)) this.#place.isOthers = true;
		}
		this.studies = (await this.#store?.list().catch(() => undefined)) ?? this.studies;
	}

	#freeTitle(title: string): string {
		const taken = new Set(this.studies.map((each) => each.title));
		let k = 2;
		while (taken.has(`${title} (${k})`)) k++;
		return `${title} (${k})`;
	}
}
