/** The server behind `odentify serve`: the page, and the runs of one folder. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { systemReason } from "../../data/node/system-words.ts";
import { InputError } from "../../errors.ts";
import { limitConnections } from "./connections.ts";
import { type Rules, refusalOf } from "./guard.ts";
import { type PageFile, pageFiles } from "./page-files.ts";
import { send, sendJson, sendRunFile, sendText, typeOf } from "./replies.ts";
import { Runs } from "./runs.ts";

export interface ServeOptions {
	/** The built page. */
	readonly page: string;
	readonly runs: string;
	/** 0: any that is free. */
	readonly port: number;
	/** Given: other machines may reach the server. */
	readonly host?: string;
	readonly token: string;
	/** Bytes that a request may bring along. */
	readonly largestBody?: number;
	readonly mostConnections?: number;
	/** Milliseconds in which the head of a request has to be there. */
	readonly headTime?: number;
}

export interface Serving {
	/** Without the token. */
	readonly url: string;
	close(): Promise<void>;
}

const largestBody = 64 * 2 ** 20;
/** A browser opens six. */
const mostConnections = 100;
const local = "127.0.0.1";

export async function serve(options: ServeOptions): Promise<Serving> {
	const files = pageFiles(options.page);
	const runs = new Runs(options.runs);
	const host = options.host ?? local;
	const headTime = options.headTime ?? 5000;
	let rules: Rules = { hosts: new Set(), token: options.token, open: options.host !== undefined };
	const server = createServer({ connectionsCheckingInterval: headTime / 5 }, (request, response) => {
		answer(request, response, rules, files, runs, options.largestBody ?? largestBody).catch(
			(error: unknown) => {
				if (response.headersSent) response.destroy();
				else if (error instanceof InputError) sendText(response, 400, error.message);
				else {
					const why = systemReason(error, "read");
					sendText(
						response,
						500,
						why ? `The system refused: ${why}.` : "Odentify made a mistake of its own. Sorry.",
					);
				}
			},
		);
	});
	// For the head of a request, for all of it, and without a word; what a page sends takes milliseconds.
	server.headersTimeout = headTime;
	server.requestTimeout = 60_000;
	server.timeout = 30_000;
	server.maxHeadersCount = 100;
	limitConnections(server, options.mostConnections ?? mostConnections);
	await listen(server, options.port, host);
	const { port } = server.address() as AddressInfo;
	rules = { ...rules, hosts: hostsOf(options.host, port) };
	const shown = options.host === undefined || isAny(host) ? local : host;
	return {
		url: `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}/`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function listen(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			const reasons: Record<string, [string, string]> = {
				EADDRINUSE: [`--port ${port}`, "is taken"],
				EACCES: [`--port ${port}`, "may not be used"],
				EADDRNOTAVAIL: [`--host ${host}`, "is no address of this machine"],
				ENOTFOUND: [`--host ${host}`, "is not known"],
			};
			const reason = reasons[error.code ?? ""];
			reject(
				reason
					? new InputError(reason[0], reason[1], "Choose another; --port 0 takes any that is free.")
					: error,
			);
		});
		server.listen(port, host, resolve);
	});
}

const isAny = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Names of the server: a page of another site that makes its own name lead here (DNS rebinding) has none of these. */
function hostsOf(host: string | undefined, port: number): Set<string> {
	const names = [local, "localhost", "[::1]"];
	if (host !== undefined && !isAny(host)) names.push(host.includes(":") ? `[${host}]` : host);
	if (host !== undefined && isAny(host)) {
		names.push(hostname());
		for (const list of Object.values(networkInterfaces()))
			for (const { address, family } of list ?? []) names.push(family === "IPv6" ? `[${address}]` : address);
	}
	return new Set(
		names
			.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
			.map((name) => name.toLowerCase()),
	);
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	rules: Rules,
	files: ReadonlyMap<string, PageFile>,
	runs: Runs,
	mostBytes: number,
): Promise<void> {
	const refusal = refusalOf(request, rules);
	if (refusal) {
		// What a refused request brings along is not read.
		response.shouldKeepAlive = false;
		return sendText(response, refusal.status, refusal.text);
	}
	const head = request.method === "HEAD";
	const [path] = request.url!.split("?", 1);
	if (!path.startsWith("/api/")) {
		const file = files.get(path);
		if (!file) return sendText(response, 404, "There is no such file.");
		const lasting = path.startsWith("/assets/");
		return send(response, 200, typeOf(file.path), file.read(), { head, lasting });
	}
	if (path === "/api/runs" && request.method === "POST") {
		const body = await bodyOf(request, mostBytes);
		if ("refusal" in body) {
			const { refusal } = body;
			response.shouldKeepAlive = false;
			return sendText(response, refusal, refusal === 413 ? "That is too large to be kept." : "Send JSON.");
		}
		return sendJson(response, { name: runs.keep(body.json) }, 201);
	}
	if (request.method === "POST") return sendText(response, 404, "There is nothing to be written here.");
	if (path === "/api/runs") return sendJson(response, runs.list());
	const match = /^\/api\/runs\/([^/]+)\/([^/]+)$/.exec(path);
	const [run, file] = match ? [decoded(match[1]), decoded(match[2])] : ["", ""];
	const bytes = run && file ? runs.read(run, file) : undefined;
	if (!bytes) return sendText(response, 404, "There is no such file.");
	sendRunFile(response, file, bytes, head);
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return "";
	}
}

/** The JSON that a request brings, or the status to refuse it with. */
async function bodyOf(
	request: IncomingMessage,
	mostBytes: number,
): Promise<{ json: unknown } | { refusal: 413 | 415 | 400 }> {
	if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) return { refusal: 415 };
	if (Number(request.headers["content-length"] ?? 0) > mostBytes) return { refusal: 413 };
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		length += part.length;
		if (length > mostBytes) return { refusal: 413 };
		parts.push(part);
	}
	try {
		return { json: JSON.parse(Buffer.concat(parts).toString("utf8")) };
	} catch {
		return { refusal: 400 };
	}
}
