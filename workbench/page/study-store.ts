/** Studies in the browser's own storage: each with its records, its handles and its answers. Tables lie apart, since they are large and seldom change. */
import type { Plan, TableData } from "../contract.ts";
import type { KeptAnswer } from "./answers.svelte.ts";
import type { KeptMoment } from "./moment.ts";

/** A run that was under way. */
export interface KeptRun {
	readonly plan: Plan;
	readonly from: Uint8Array;
	readonly fraction: number;
}

export interface KeptStudy {
	readonly id: string;
	readonly changed: number;
	/** Another one at every write, by which a tab knows its own; none in studies of earlier pages. */
	readonly revision?: string;
	readonly plan: Plan;
	readonly example?: string;
	readonly handles: Readonly<Record<string, number>>;
	/** What can be undone; none in studies of earlier pages. */
	readonly past?: readonly KeptMoment[];
	readonly answers: readonly (Omit<KeptAnswer, "tables"> & { readonly tables: readonly string[] })[];
	readonly run?: KeptRun;
}

/** What a list of studies shows. */
export interface StudyEntry {
	readonly id: string;
	readonly title: string;
	readonly changed: number;
}

interface KeptTable {
	/** `study/file`. */
	readonly key: string;
	readonly table: TableData;
}

const version = 1;

export class StudyStore {
	private constructor(private readonly database: IDBDatabase) {}

	/** Throws where the browser keeps nothing. */
	static async open(name = "odentify"): Promise<StudyStore> {
		const request = indexedDB.open(name, version);
		request.onupgradeneeded = () => {
			request.result.createObjectStore("studies", { keyPath: "id" });
			request.result.createObjectStore("tables", { keyPath: "key" });
		};
		return new StudyStore(await done(request));
	}

	async list(): Promise<StudyEntry[]> {
		const all = await done<KeptStudy[]>(this.#store("studies").getAll());
		return all
			.map(({ id, plan, changed }) => ({ id, title: plan.title, changed }))
			.sort((a, b) => b.changed - a.changed);
	}

	async get(id: string): Promise<{ study: KeptStudy; tables: Map<string, TableData> } | undefined> {
		const study = await done<KeptStudy | undefined>(this.#store("studies").get(id));
		if (!study) return undefined;
		const range = IDBKeyRange.bound(`${id}/`, `${id}/\uffff`);
		const kept = await done<KeptTable[]>(this.#store("tables").getAll(range));
		return { study, tables: new Map(kept.map(({ key, table }) => [key.slice(id.length + 1), table])) };
	}

	/**
	 * Tables that are given are written; those that are not are left as they lie. Where `upon` is given, only upon that revision: what lies there
	 * otherwise is left, and said.
	 */
	async put(
		study: KeptStudy,
		tables: readonly TableData[],
		gone: readonly string[],
		upon?: { readonly revision: string | undefined },
	): Promise<"written" | "changed" | "removed"> {
		const transaction = this.database.transaction(["studies", "tables"], "readwrite");
		const studies = transaction.objectStore("studies");
		if (upon) {
			const before = await done<KeptStudy | undefined>(studies.get(study.id));
			if (!before) return "removed";
			if (before.revision !== upon.revision) return "changed";
		}
		studies.put(study);
		const store = transaction.objectStore("tables");
		for (const table of tables) store.put({ key: `${study.id}/${table.source}`, table } satisfies KeptTable);
		for (const file of gone) store.delete(`${study.id}/${file}`);
		// A page that is being left waits for nothing.
		transaction.commit();
		await ended(transaction);
		return "written";
	}

	async remove(id: string): Promise<void> {
		const transaction = this.database.transaction(["studies", "tables"], "readwrite");
		transaction.objectStore("studies").delete(id);
		transaction.objectStore("tables").delete(IDBKeyRange.bound(`${id}/`, `${id}/\uffff`));
		await ended(transaction);
	}

	#store(name: string): IDBObjectStore {
		return this.database.transaction(name, "readonly").objectStore(name);
	}
}

function done<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error ?? new Error("the storage gave no answer"));
		if (request instanceof IDBOpenDBRequest)
			request.onblocked = () => reject(new Error("another page holds the storage"));
	});
}

function ended(transaction: IDBTransaction): Promise<void> {
	return new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = () => reject(transaction.error ?? new Error("the storage gave up"));
	});
}
