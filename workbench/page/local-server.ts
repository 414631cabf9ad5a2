/** `odentify serve`, where it serves the page: the runs of its folder. A plain static server has none of this. */
import { parcel } from "./parcel.ts";

export interface RunEntry {
	readonly name: string;
	readonly method?: string;
	readonly outcome?: string;
	/** When it ended, in words; absent while it goes on. */
	readonly finished?: string;
	readonly seconds?: number;
	/** Why it cannot be opened, though it ended. */
	readonly broken?: string;
}

export class LocalServer {
	private constructor(
		readonly runs: readonly RunEntry[],
		private readonly token: string | undefined,
	) {}

	/** The server, or `undefined` where the page lies on a plain one. */
	static async find(token: string | undefined): Promise<LocalServer | undefined> {
		if (!isServed()) return undefined;
		const answer = await fetch("api/runs", { headers: headersOf(token) });
		if (!answer.ok) return undefined;
		return new LocalServer((await answer.json()) as RunEntry[], token);
	}

	get canWrite(): boolean {
		return this.token !== undefined;
	}

	async again(): Promise<LocalServer> {
		const answer = await fetch("api/runs", { headers: headersOf(this.token) });
		return answer.ok ? new LocalServer((await answer.json()) as RunEntry[], this.token) : this;
	}

	async file(run: string, name: string): Promise<string> {
		const answer = await fetch(`api/runs/${encodeURIComponent(run)}/${encodeURIComponent(name)}`, {
			headers: headersOf(this.token),
		});
		if (!answer.ok) throw new Error(`${run}/${name}: ${(await answer.text()) || answer.statusText}`);
		return answer.text();
	}

	/** Keeps a run in the folder; gives the name that it got, and the files that were too large for it. */
	async save(
		name: string,
		files: readonly { name: string; content: string | Uint8Array }[],
	): Promise<{ name: string; leftOut: readonly string[] }> {
		const { sent, leftOut } = parcel(files);
		const body = JSON.stringify({ name, files: sent });
		const answer = await fetch("api/runs", {
			method: "POST",
			body,
			headers: { "Content-Type": "application/json", ...headersOf(this.token) },
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(text || answer.statusText);
		return { name: (JSON.parse(text) as { name: string }).name, leftOut };
	}
}

/** Said by the page that `serve` sends; asking a plain server would only make it answer "not found". */
function isServed(): boolean {
	return document.querySelector('meta[name="odentify-serve"]') !== null;
}

/** The token that the link brought, which is taken out of the address; or that of this tab, kept from before. */
export function tokenIn(fragment: string): string | undefined {
	if (!isServed()) return undefined;
	const pattern = /(^#?|&)token=([\w-]+)/;
	const given = pattern.exec(fragment)?.[2];
	if (given === undefined) return sessionStorage.getItem("odentify-token") ?? undefined;
	sessionStorage.setItem("odentify-token", given);
	const rest = fragment.replace(pattern, "").replace(/^[#&]+/, "");
	history.replaceState(null, "", location.pathname + location.search + (rest === "" ? "" : `#${rest}`));
	return given;
}

function headersOf(token: string | undefined): Record<string, string> {
	return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}
