/** Who is there, as the one who asks sees it: the workers, Redis itself, and our own sign of life for them. */
import type { Redis } from "ioredis";
import { version } from "../../../version.ts";
import { PlaceError } from "../../place-error.ts";
import { keep, keys } from "./protocol.ts";
import { byVersion, workersAt } from "./worker-record.ts";

export interface PresenceOptions {
	/** Seconds that Redis may be away. */
	readonly patience?: number;
	/** Told what the user should know: that no worker is there, that Redis is away. */
	readonly notice?: (text: string) => void;
}

const patience = 300;
/** Seconds of silence after which the user is told. */
const toldAfter = 5;

export class Presence {
	/** Threads of all workers of this version together. */
	threads = 0;
	/** Looks since Redis was last heard of. Counted, not timed: a process that slept has not waited. */
	#looks = 0;
	/** Workers of other versions, as the user was told of them. */
	#others = "";
	#isTold = { noWorker: false, away: false };

	constructor(
		readonly redis: Redis,
		/** As it is shown. */
		readonly name: string,
		readonly client: string,
		readonly options: PresenceOptions,
	) {}

	/** For workers: the one who asked is still there. */
	beat(): Promise<unknown> {
		return this.redis.set(keys.client(this.client), "here", "EX", keep.client);
	}

	heard(): void {
		this.#looks = 0;
		this.#tellAway(false);
	}

	async count(): Promise<void> {
		const { own, others } = byVersion(await workersAt(this.redis));
		this.heard();
		this.#tellOthers(others.join(" and "));
		this.threads = own.reduce((sum, { threads }) => sum + threads, 0);
		this.#tell("noWorker", this.threads === 0, [
			`no worker is at ${this.name}; computing here until one comes:  odentify worker --queue ${this.name}`,
			`a worker is at ${this.name}`,
		]);
	}

	/** To be called every second: an error when Redis has been silent for too long. */
	silence(): PlaceError | undefined {
		const seconds = this.#looks++;
		if (seconds > toldAfter) this.#tellAway(true);
		if (seconds <= (this.options.patience ?? patience)) return undefined;
		return new PlaceError(this.name, `has not answered for ${seconds} s`, "Start it again.");
	}

	#tellOthers(others: string): void {
		if (this.#others === others) return;
		this.#others = others;
		if (others === "") return;
		const verb = others.startsWith("1 ") && !others.includes(" and ") ? "is" : "are";
		this.options.notice?.(
			`${others} ${verb} at ${this.name} and ${verb} not used: this is version ${version}`,
		);
	}
	#tellAway(isAway: boolean): void {
		this.#tell("away", isAway, [
			`${this.name} does not answer; waiting for it`,
			`${this.name} answers again`,
		]);
	}
	#tell(what: "noWorker" | "away", holds: boolean, [yes, no]: readonly [string, string]): void {
		if (this.#isTold[what] === holds) return;
		this.#isTold[what] = holds;
		this.options.notice?.(holds ? yes : no);
	}
}
