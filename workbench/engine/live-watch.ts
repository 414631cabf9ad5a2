/**
 * The answer so far, now and then, while a method runs: its own `result`, asked for in the middle. That changes nothing of
 * what it does. What it costs is a tenth of the time at most, the first look aside.
 */
import type { Figure, Result, Session } from "../../src/methods/index.ts";
import { standardFigures } from "../../src/report/index.ts";
import type { FromEngine, LiveView } from "../contract.ts";
import { crossCheckOf } from "../result/cross-check.ts";
import { OnTheWay } from "./on-the-way.ts";

/** What a run is asked. */
type Seen = Pick<Session, "glimpse" | "result">;

const firstAfter = 200;
const least = 250;
const share = 10;
/** Figures are for looking at in passing: few of them. */
const mostWide = 4;
const mostSmall = 6;
/** Longest prediction that is shown on the way. */
const mostSamples = 50_000;

/** A fit that closes in (measured and predicted of the first record), what the method draws, and what is left. */
function figuresOf({ predictions, figures }: Result): readonly Figure[] {
	const [first] = predictions.filter(({ t }) => t.length <= mostSamples);
	const [fit, left] = first ? standardFigures([first], [])[0].figures : [];
	const wide = [fit, ...figures.filter(({ small }) => !small), left].filter((each) => each && !each.small);
	return [...wide.slice(0, mostWide), ...figures.filter(({ small }) => small).slice(0, mostSmall)];
}

export class LiveWatch {
	/** When the method is asked again; and when what is seen before it answers is sent again. */
	#next = performance.now() + firstAfter;
	#nextGlimpse = Infinity;
	readonly #onTheWay = new OnTheWay();

	constructor(private readonly send: (event: FromEngine) => void) {}

	/** Called after every step. */
	async look(run: Seen): Promise<void> {
		this.#onTheWay.note(run.glimpse());
		const start = performance.now();
		if (start < this.#next && start < this.#nextGlimpse) return;
		const answer = start < this.#next ? undefined : await answerOf(run);
		const live = answer ?? { parameters: [], intervalName: "", figures: this.#onTheWay.figures };
		const shows = live.figures.length + live.parameters.length > 0;
		if (shows) this.send({ event: "live", live });
		const now = performance.now();
		if (start >= this.#next) this.#next = now + Math.max(least, share * (now - start));
		this.#nextGlimpse = answer ? Infinity : shows ? now + least : 0;
	}
}

/** What the method answers at this stage, if it does. */
async function answerOf(run: Seen): Promise<LiveView | undefined> {
	try {
		const result = await run.result();
		const figures = figuresOf(result);
		// How sure that is shall be said at the end only.
		const parameters = result.parameters.map(({ verdict: _, ...row }) => row);
		if (figures.length + parameters.length === 0) return undefined;
		const of = crossCheckOf(result)?.shown;
		return { parameters, intervalName: result.intervalName, figures, ...(of === undefined ? {} : { of }) };
	} catch {
		return undefined;
	}
}
