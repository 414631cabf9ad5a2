/** A plain static server as anyone has one: files with their types, no headers of ours, nothing else. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const types: Record<string, string> = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".csv": "text/csv",
	".txt": "text/plain; charset=utf-8",
	".woff2": "font/woff2",
};

export interface StaticServer {
	readonly url: string;
	/** Paths asked for, with the bytes sent. */
	readonly asked: { path: string; bytes: Buffer }[];
	close(): Promise<void>;
}

/** `under`: serves the folder below this path, as on a shared web space. */
export async function staticServer(folder: string, under = "/"): Promise<StaticServer> {
	const asked: { path: string; bytes: Buffer }[] = [];
	const server: Server = createServer(async (request, response) => {
		const path = normalize(decodeURIComponent(new URL(request.url!, "http://x").pathname));
		const inner = path.startsWith(under) ? path.slice(under.length) : "?";
		try {
			const bytes = await readFile(join(folder, inner === "" ? "index.html" : inner));
			asked.push({ path, bytes });
			response.writeHead(200, {
				"Content-Type": types[extname(inner || "index.html")] ?? "application/octet-stream",
			});
			response.end(bytes);
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}${under}`,
		asked,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}
