/**
 * Who may ask for what. The page is for the person at this machine: other sites must not reach it through that person's
 * browser (Host, Origin, Sec-Fetch-Site), and nothing is written without the token that only the opened page has.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Rules {
	/** What the Host header may be, port included, in lower case. */
	readonly hosts: ReadonlySet<string>;
	readonly token: string;
	/** Other machines can reach the server: then reading needs the token, too. */
	readonly open: boolean;
}

export interface Refusal {
	readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 414 | 415 | 500;
	readonly text: string;
}

const longestUrl = 2048;

/** Why a request is refused, or `undefined` when it may go on. */
export function refusalOf(request: IncomingMessage, rules: Rules): Refusal | undefined {
	const { method = "", url = "", headers } = request;
	const host = headers.host?.toLowerCase() ?? "";
	if (!rules.hosts.has(host))
		return {
			status: 403,
			text: `This server does not answer to the name ${JSON.stringify(host.slice(0, 100))}.`,
		};
	const { origin } = headers;
	if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
		return { status: 403, text: "Another site may not use this server." };
	if (url.length > longestUrl) return { status: 414, text: "The address is too long." };
	const isApi = url.startsWith("/api/");
	const site = headers["sec-fetch-site"];
	// A link that is followed tells its site nothing; those of a report lead to the files beside it, and it belongs to no site.
	const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
	if (isApi && !isVisit && site !== undefined && site !== "same-origin" && site !== "none")
		return { status: 403, text: "Another site may not use this server." };
	const writes = method !== "GET" && method !== "HEAD";
	if (writes && !(method === "POST" && isApi)) return { status: 405, text: "Only GET and HEAD work here." };
	if (isApi && (writes || rules.open) && !hasToken(headers.authorization, rules.token))
		return { status: 401, text: "This needs the token of the link that  odentify serve  printed." };
	return undefined;
}

function hasToken(given: string | undefined, token: string): boolean {
	const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(given ?? ""), digest(`Bearer ${token}`));
}
