/** What is sent: every reply has the same strict headers. */
import type { ServerResponse } from "node:http";
import { extname } from "node:path";

const policy =
	"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A report is a page of its own: it runs, but as nobody. */
const reportPolicy =
	"sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

const types: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".csv": "text/csv; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".jsonl": "text/plain; charset=utf-8",
	".yaml": "text/plain; charset=utf-8",
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
	options: { readonly head?: boolean; readonly report?: boolean; readonly lasting?: boolean } = {},
): void {
	response.writeHead(status, {
		"Content-Type": type,
		"Content-Length": Buffer.byteLength(body),
		"Content-Security-Policy": options.report ? reportPolicy : policy,
		// Shared memory needs both.
		"Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Cross-Origin-Resource-Policy": "same-origin",
		"X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer",
		"Cache-Control": options.lasting ? "private, max-age=31536000, immutable" : "no-store",
	});
	response.end(options.head ? undefined : body);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
	send(response, status, "text/plain; charset=utf-8", `${text}\n`);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
	send(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}
