/** What is sent: every reply has the same strict headers. */
import type { ServerResponse } from "node:http";
import { extname } from "node:path";

const policy =
	"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Whoever made a run folder, its files are not the page: they belong to no site, reach nothing, and are not framed. */
const runFilePolicy =
	"sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A report is shown, its script zooms, and its links save the files beside it: as nobody. */
const reportPolicy = runFilePolicy
	.replace("sandbox", "sandbox allow-scripts allow-downloads")
	.replace("default-src 'none'", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");

const types: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".csv": "text/csv; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".txt": "text/plain; charset=utf-8",
	".woff2": "font/woff2",
};

export function typeOf(name: string): string {
	return types[extname(name).toLowerCase()] ?? "application/octet-stream";
}

export function send(
	response: ServerResponse,
	status: number,
	type: string,
	body: string | Uint8Array,
	options: {
		readonly head?: boolean;
		readonly lasting?: boolean;
		readonly headers?: Readonly<Record<string, string>>;
	} = {},
): void {
	response.writeHead(status, {
		"Content-Type": type,
		"Content-Length": Buffer.byteLength(body),
		"Content-Security-Policy": policy,
		// Shared memory needs both.
		"Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Cross-Origin-Resource-Policy": "same-origin",
		"X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer",
		"Cache-Control": options.lasting ? "private, max-age=31536000, immutable" : "no-store",
		...options.headers,
	});
	response.end(options.head ? undefined : body);
}

/** What a browser may show of a run beside its report: plain text and data. Never a script, a style or a picture with scripts. */
const runTypes: Readonly<Record<string, string>> = {
	".json": types[".json"],
	...Object.fromEntries(
		[".csv", ".jsonl", ".log", ".ode", ".txt", ".yaml"].map((each) => [each, types[".txt"]]),
	),
};

/** A file of a run. What is no report and no text is for saving. */
export function sendRunFile(response: ServerResponse, name: string, bytes: Uint8Array, head: boolean): void {
	const isReport = name === "report.html";
	const type = isReport ? types[".html"] : runTypes[extname(name).toLowerCase()];
	send(response, 200, type ?? "application/octet-stream", bytes, {
		head,
		headers: {
			"Content-Security-Policy": isReport ? reportPolicy : runFilePolicy,
			...(type === undefined
				? {
						"Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, "_")}`,
					}
				: {}),
		},
	});
}

export function sendText(response: ServerResponse, status: number, text: string): void {
	send(response, status, "text/plain; charset=utf-8", `${text}\n`);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
	send(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}
