/** The address of a queue, `redis://[[user]:password@]host[:port][/db]`, or `rediss://` for TLS. */
import { isIP } from "node:net";
import { InputError } from "../../../errors.ts";

export interface QueueServer {
	readonly host: string;
	readonly port: number;
	readonly db: number;
	readonly username?: string;
	readonly password?: string;
	readonly tls?: { readonly servername?: string };
}
export interface QueueUrl {
	/** For people and logs: without the password. */
	readonly shown: string;
	readonly options: QueueServer;
}

/** How to write a password that has signs with a meaning of their own in an address. */
export const encodingHint = "in a password % is %25, # is %23, @ is %40, / is %2F";

export function isQueueUrl(text: string): boolean {
	return /^rediss?:\/\//i.test(text);
}

export function parseQueueUrl(text: string, option: string): QueueUrl {
	const wrong = (problem: string): never => {
		// Never the text itself: it may hold a password.
		const hint = text.includes("@") ? `; ${encodingHint}` : "";
		throw new InputError(
			option,
			problem,
			`For example  redis://:PASSWORD@host:6379  or  rediss://host:6380${hint}`,
		);
	};
	if (!isQueueUrl(text)) return wrong("is no address of a queue: it begins with  redis://  or  rediss://");
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return wrong("is no address of a queue");
	}
	if (url.hostname === "") return wrong("names no host");
	if (url.search !== "" || url.hash !== "") return wrong("has a part after ? or #, which means nothing here");
	const db = url.pathname.replace(/^\//, "");
	if (!/^\d*$/.test(db)) return wrong("ends with something that is no number of a database");
	const decoded = (part: string, what: string): string => {
		try {
			return decodeURIComponent(part);
		} catch {
			return wrong(`has a % in its ${what} that is no percent-encoding`);
		}
	};
	const tls = url.protocol === "rediss:";
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const port = url.port === "" ? 6379 : Number(url.port);
	return {
		shown: `${url.protocol}//${url.hostname}:${port}${db === "" ? "" : `/${db}`}`,
		options: {
			host,
			port,
			db: db === "" ? 0 : Number(db),
			...(url.username === "" ? {} : { username: decoded(url.username, "user") }),
			...(url.password === "" ? {} : { password: decoded(url.password, "password") }),
			// The name that the certificate has to hold; an address has none to send.
			...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
		},
	};
}
