/** Handles of the unknowns and the curves that follow them. While one is being made the newest wish waits, older ones are dropped. */
import type { Played, Track } from "../../src/study/index.ts";
import type { PlayAsk, TableData } from "../contract.ts";
import type { Engine } from "./engine.ts";
import { withoutFile } from "./read-file.ts";

type PlayWish = Omit<PlayAsk, "tables"> & { readonly tables: readonly TableData[] };

export class Playing {
	tracks = $state.raw<readonly Track[]>([]);
	/** Why nothing is simulated. */
	why = $state("");
	/** Values that were set by hand, by name; others stand where their tracks begin. */
	values = $state.raw<Readonly<Record<string, number>>>({});
	curves = $state.raw<readonly Played[]>([]);

	readonly #sent = new Map<string, TableData>();
	#wish: PlayWish | undefined;
	/** What was last asked for. */
	#staged = "";
	#isDirty = false;
	#isBusy = false;

	constructor(private readonly engine: Engine) {}

	/** The value of an unknown, as its handle stands. */
	valueOf({ name, start }: Track): number {
		return this.values[name] ?? start;
	}

	get all(): Record<string, number> {
		return Object.fromEntries(this.tracks.map((track) => [track.name, this.valueOf(track)]));
	}

	/** Another model, other records; nothing: what there was is taken away. */
	set(wish: PlayWish | undefined, why = ""): void {
		if (!wish) {
			this.#wish = undefined;
			this.#staged = "";
			this.why = why;
			this.curves = [];
			return;
		}
		const { tables, ...said } = wish;
		const told = JSON.stringify(said);
		// What else changed of the study does not matter here.
		if (told === this.#staged && tables.every((table) => this.#sent.get(table.source) === table)) return;
		this.#staged = told;
		this.#wish = wish;
		void this.#go();
	}

	/** All handles: those that are not named stand where their tracks begin. */
	put(values: Readonly<Record<string, number>>): void {
		this.values = values;
		this.#isDirty = true;
		void this.#go();
	}

	/** Another study: handles stand where its tracks begin, or where they stood. */
	reset(values: Readonly<Record<string, number>> = {}): void {
		this.values = values;
		this.#staged = "";
		this.tracks = [];
		this.curves = [];
		this.why = "";
	}

	/** Slopes of the states as the handles stand. */
	field(points: Float64Array): Promise<Float64Array | undefined> {
		return this.engine.ask("field", { values: this.values, points });
	}

	async #go(): Promise<void> {
		if (this.#isBusy) return;
		this.#isBusy = true;
		try {
			while (this.#wish || this.#isDirty) {
				if (this.#wish) await this.#stage(this.#wish);
				else await this.#play();
			}
		} finally {
			this.#isBusy = false;
		}
	}

	async #stage(wish: PlayWish): Promise<void> {
		this.#wish = undefined;
		const fresh = wish.tables.filter((table) => this.#sent.get(table.source) !== table);
		for (const table of fresh) this.#sent.set(table.source, table);
		const setup = await this.engine.ask("stage", { ...wish, tables: fresh.map(withoutFile) });
		if (this.#wish) return;
		if ("why" in setup) {
			this.why = setup.why;
			this.curves = [];
			this.#isDirty = false;
			return;
		}
		this.why = "";
		this.tracks = setup.tracks;
		this.#isDirty = true;
	}

	async #play(): Promise<void> {
		this.#isDirty = false;
		const curves = await this.engine.ask("play", { values: this.values });
		if (this.#wish) return;
		this.curves = curves;
	}
}
