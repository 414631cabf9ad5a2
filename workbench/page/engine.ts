/** The page's end of an engine: questions are promises, a run's events are calls. */
import type { Control, Failure, FromEngine, QuestionKind, Questions, ToEngine } from "../contract.ts";

export class EngineError extends Error {
	constructor(readonly failure: Failure) {
		super(failure.problem);
	}
}

export function startWorker(): Worker {
	return new Worker(new URL("../engine/worker.ts", import.meta.url), { type: "module" });
}

type Event = Extract<FromEngine, { event: string }>;
interface Waiting {
	resolve(answer: unknown): void;
	reject(error: Error): void;
}

export class Engine {
	#worker: Worker | undefined;
	readonly #waiting = new Map<number, Waiting>();
	#id = 0;

	constructor(private readonly onEvent: (event: Event) => void = () => {}) {}

	ask<K extends QuestionKind>(
		kind: K,
		ask: Questions[K]["ask"],
		transfer: Transferable[] = [],
	): Promise<Questions[K]["answer"]> {
		const id = ++this.#id;
		this.#worker ??= this.#start();
		const worker = this.#worker;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
			worker.postMessage({ id, kind, ask } as ToEngine, transfer);
		});
	}

	tell(control: Control): void {
		this.#worker?.postMessage({ control } satisfies ToEngine);
	}

	/** Ends the worker at once; what was asked fails. The next question starts another. */
	end(): void {
		this.#worker?.terminate();
		this.#fail("was ended");
	}

	#start(): Worker {
		const worker = startWorker();
		worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
			if ("event" in data) return this.onEvent(data);
			const waiting = this.#waiting.get(data.id);
			this.#waiting.delete(data.id);
			if ("failure" in data) waiting?.reject(new EngineError(data.failure));
			else waiting?.resolve(data.answer);
		};
		worker.onerror = (event) => {
			event.preventDefault();
			worker.terminate();
			this.#fail(`stopped working: ${event.message ?? "it could not be loaded"}`);
		};
		return worker;
	}

	#fail(why: string): void {
		this.#worker = undefined;
		const problem = `The engine ${why}.`;
		for (const { reject } of this.#waiting.values())
			reject(new EngineError({ kind: "bug", message: problem, problem, remedy: "", details: [] }));
		this.#waiting.clear();
	}
}
