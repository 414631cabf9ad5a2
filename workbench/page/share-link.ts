/** A study in the fragment of a link: nothing of it is sent to a server. Data travel along where they are small. */
import type { Plan } from "../contract.ts";

export interface Shared {
	readonly plan: Plan;
	/** The example whose records are meant; else their text is below, where it was small enough. */
	readonly example?: string;
	readonly records?: Readonly<Record<string, string>>;
}

/** Longest fragment; some programs cut links beyond. */
const most = 60_000;

export async function linkOf(shared: Shared, page: string): Promise<{ link: string; whole: boolean }> {
	const base = page.replace(/#.*$/, "");
	const whole = `${base}#study=${await pack(shared)}`;
	if (whole.length <= most || !shared.records) return { link: whole, whole: true };
	const { records: _, ...rest } = shared;
	return { link: `${base}#study=${await pack(rest)}`, whole: false };
}

/** What a fragment holds, or `undefined` when it holds no study. */
export async function sharedOf(fragment: string): Promise<Shared | undefined> {
	const packed = /(?:^#?|&)study=([\w-]+)/.exec(fragment)?.[1];
	if (!packed) return undefined;
	const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
	const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
	const text = await new Response(through(bytes, new DecompressionStream("deflate-raw"))).text();
	const shared = JSON.parse(text) as Shared;
	if (!isPlan(shared.plan)) throw new Error("it holds no study");
	const records = shared.plan.records.map((record) => ({ ...record, missing: record.missing.map(markerOf) }));
	return { ...shared, plan: { ...shared.plan, records } };
}

/** JSON has no NaN and no infinities: they travel as words. */
function markerText(_: string, value: unknown): unknown {
	return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

function markerOf(value: number | string | null): number {
	return value === null ? Number.NaN : Number(value);
}

async function pack(shared: Shared): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(shared, markerText));
	const packed = new Uint8Array(
		await new Response(through(bytes, new CompressionStream("deflate-raw"))).arrayBuffer(),
	);
	let binary = "";
	for (let i = 0; i < packed.length; i += 8192)
		binary += String.fromCharCode(...packed.subarray(i, i + 8192));
	return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Typed loosely: the types of browsers and of Node differ here, and both run it. */
function through(bytes: Uint8Array<ArrayBuffer>, stream: unknown): ConstructorParameters<typeof Response>[0] {
	const source = new Blob([bytes]).stream() as unknown as { pipeThrough(stream: unknown): unknown };
	return source.pipeThrough(stream) as ConstructorParameters<typeof Response>[0];
}

/** Links come from anywhere: only the right shapes pass. Their values are checked again as a study is. */
function isPlan(plan: Plan | undefined): boolean {
	const isObject = (value: unknown): boolean =>
		typeof value === "object" && value !== null && !Array.isArray(value);
	return (
		isObject(plan) &&
		typeof plan!.model === "string" &&
		typeof plan!.title === "string" &&
		typeof plan!.method === "string" &&
		Number.isSafeInteger(plan!.seed) &&
		isObject(plan!.options) &&
		Object.values(plan!.options).every(isObject) &&
		isObject(plan!.set) &&
		Array.isArray(plan!.records) &&
		plan!.records.every(
			(record) =>
				isObject(record) &&
				typeof record.file === "string" &&
				isObject(record.columns) &&
				isObject(record.conditions) &&
				Array.isArray(record.missing),
		)
	);
}
