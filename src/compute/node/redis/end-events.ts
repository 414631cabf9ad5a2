/**
 * Hears which jobs ended. Whoever can write to the queue can forge that: what is heard is a hint to look, no more, and an
 * event that cannot be read must not end the listening. Events that are missed meanwhile are found by looking, too.
 */
import type { QueueEvents } from "bullmq";
import { lasting, type Packages } from "./packages.ts";
import { prefix, queueName } from "./protocol.ts";
import type { QueueUrl } from "./queue-url.ts";
import { isRefusal } from "./refusal.ts";

export interface EndListener {
	/** A job is said to have ended, with this value where it was done. */
	ended(id: string, value?: unknown): void;
	/** The events cannot be read at all. */
	refused(error: Error): void;
}

/** Milliseconds until we listen again after what could not be read. */
const pause = 200;

export class EndEvents {
	readonly #events: QueueEvents;
	#isClosed = false;

	constructor({ bullmq }: Packages, { options }: QueueUrl, listener: EndListener) {
		const connection = lasting(options);
		this.#events = new bullmq.QueueEvents(queueName, { prefix, connection, autorun: false });
		this.#events.on("completed", ({ jobId, returnvalue }) => listener.ended(jobId, returnvalue));
		this.#events.on("failed", ({ jobId }) => listener.ended(jobId));
		this.#events.on("error", (error) => {
			if (isRefusal(error)) listener.refused(error);
		});
		void this.#listen(listener);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#events.close();
	}

	/** The package's reader ends for good at the first event that it cannot read: then it begins again after it. */
	async #listen(listener: EndListener): Promise<void> {
		while (!this.#isClosed) {
			await this.#events.run().catch((error: Error) => {
				if (!this.#isClosed && isRefusal(error)) listener.refused(error);
			});
			await new Promise((next) => setTimeout(next, pause).unref());
		}
	}
}
