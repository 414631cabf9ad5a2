/** The run under way: how far it is, what it shows on the way, and what is left to go on from when it was stopped. */
import type { ComputePlace, Failure, LiveView, Plan, RunAnswer, TableData } from "../contract.ts";
import { Engine, EngineError } from "./engine.ts";
import { withoutFile } from "./read-file.ts";
import type { KeptRun } from "./study-store.ts";
import type { Workbench } from "./workbench.svelte.ts";

export type RunState = "idle" | "running" | "paused" | "stopping";

export interface RunProgress {
	readonly fraction: number;
	readonly label: string;
	/** Seconds of work so far, pauses not counted. */
	readonly seconds: number;
}

const placeHere = (): ComputePlace => ({
	workers: Math.min(7, (navigator.hardwareConcurrency || 1) - 1),
	shared: crossOriginIsolated,
});

export class Running {
	state = $state<RunState>("idle");
	progress = $state.raw<RunProgress>({ fraction: 0, label: "", seconds: 0 });
	live = $state.raw<LiveView | undefined>();
	failure = $state.raw<Failure | undefined>();
	/** A run that was stopped, or left with the page: it can go on. */
	pending = $state.raw<KeptRun | undefined>();

	readonly #runner = new Engine((event) => {
		if (event.event === "live") this.live = event.live;
		else if (event.event === "progress")
			this.progress = { fraction: event.fraction, label: event.label, seconds: this.#worked() };
		else if (event.event === "stopped") this.#heard = true;
		else if (this.#running) {
			this.pending = { plan: this.#running, from: event.bytes, fraction: this.progress.fraction };
			this.bench.keep();
		}
	});
	#start = 0;
	#pausedAt = 0;
	#isStopping = false;
	#heard = false;
	#running: Plan | undefined;
	/** What a run that was ended had found is being put together. */
	#looksBack = false;

	constructor(private readonly bench: Workbench) {}

	async start(from?: KeptRun): Promise<void> {
		if (this.state !== "idle" || (!from && this.bench.obstacle !== "")) return;
		const opened = this.bench.opened;
		if (this.#looksBack) this.#runner.end();
		this.state = "running";
		this.bench.view = "answer";
		this.progress = { fraction: from?.fraction ?? 0, label: "handing the records over", seconds: 0 };
		this.live = undefined;
		this.failure = undefined;
		this.bench.notice = undefined;
		this.pending = undefined;
		this.#isStopping = false;
		this.#heard = false;
		this.#start = performance.now();
		const plan = from?.plan ?? this.bench.toRun;
		this.#running = plan;
		const tables = [...this.bench.tablesOf(new Set(plan.records.map(({ file }) => file))).values()];
		let answer: RunAnswer | undefined;
		let failure: Failure | undefined;
		try {
			answer = await this.#runner.ask("run", {
				plan,
				tables: tables.map(withoutFile),
				place: placeHere(),
				...(from ? { from: from.from } : {}),
			});
		} catch (error) {
			if (!(error instanceof EngineError)) throw error;
			// One that did not stop in time was ended: that is no failure.
			if (!this.#isStopping) failure = error.failure;
		} finally {
			this.state = "idle";
			this.live = undefined;
			this.#running = undefined;
		}
		// Another study may have been opened meanwhile.
		if (opened !== this.bench.opened) return;
		this.failure = failure;
		if (answer?.finished) this.bench.answers.add(answer.finished, plan, tables);
		if (answer) {
			const left = answer.kind === "stopped" ? answer.from : undefined;
			this.pending = left && { plan, from: left, fraction: this.progress.fraction };
		} else if (failure) this.pending = undefined;
		const ended = answer || failure ? undefined : this.pending;
		if (ended) void this.#lookBack(ended, tables);
		else if (!answer?.finished && !failure) this.#foundNothing();
		this.bench.keep();
	}

	/** A run that was ended in a long step: its answer so far, from where it was kept last, while the page can be used again. */
	async #lookBack({ plan, from, fraction }: KeptRun, tables: readonly TableData[]): Promise<void> {
		const opened = this.bench.opened;
		this.#looksBack = true;
		this.bench.say(
			`The run was ended in a long step. What it had found at ${Math.floor(100 * fraction)} % is being put together.`,
		);
		const ask = { plan, tables: tables.map(withoutFile), place: placeHere(), from, soFar: fraction };
		const answer = await this.#runner.ask("run", ask).catch(() => undefined);
		this.#looksBack = false;
		// Another run was begun, or another study opened.
		if (this.state !== "idle" || opened !== this.bench.opened) return;
		this.bench.notice = undefined;
		if (answer?.finished) {
			this.bench.answers.add(answer.finished, plan, tables);
			this.bench.view = "answer";
			this.bench.keep();
		} else this.#foundNothing();
	}

	#foundNothing(): void {
		this.bench.view = this.bench.answers.shown ? "answer" : "methods";
		this.bench.say("The run was stopped before it had found anything.");
	}

	pause(): void {
		if (this.state !== "running") return;
		this.state = "paused";
		this.#pausedAt = performance.now();
		this.#runner.tell("pause");
	}

	resume(): void {
		if (this.state !== "paused") return;
		this.#start += performance.now() - this.#pausedAt;
		this.state = "running";
		this.#runner.tell("resume");
	}

	/** After the present step; one that takes longer is ended, and the run can go on from where it was kept last, which is shown. */
	stop(): void {
		if (this.state === "idle") return;
		this.#isStopping = true;
		this.state = "stopping";
		this.#runner.tell("stop");
		const start = this.#start;
		setTimeout(() => {
			if (this.state !== "idle" && this.#isStopping && !this.#heard && this.#start === start)
				this.#runner.end();
		}, 700);
	}

	#worked(): number {
		return (performance.now() - this.#start) / 1000;
	}
}
