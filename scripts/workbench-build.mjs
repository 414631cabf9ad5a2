// The workbench as a static folder, dist/workbench: built anew where anything that goes into it has changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist", "workbench");
const stamp = join(target, ".stamp");

function digestOf(...paths) {
	const hash = createHash("sha256");
	const walk = (path) => {
		for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) =>
			a.name < b.name ? -1 : 1,
		)) {
			const inner = join(path, entry.name);
			if (entry.isDirectory()) walk(inner);
			else hash.update(inner.slice(root.length)).update(readFileSync(inner));
		}
	};
	for (const path of paths) walk(join(root, path));
	for (const file of ["package-lock.json", "docs/references.bib"])
		hash.update(readFileSync(join(root, file)));
	return hash.digest("hex");
}

export async function buildWorkbench() {
	const digest = digestOf("src", "workbench", "examples/papers");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
	const { build } = await import("vite");
	const { folder, oneFile } = await import("../workbench/vite.config.mjs");
	// Also where tests build it: what they stamp is what is shipped.
	const { NODE_ENV } = process.env;
	process.env.NODE_ENV = "production";
	try {
		for (const config of [folder, oneFile]) await build({ ...config, logLevel: "warn" });
	} finally {
		if (NODE_ENV === undefined) delete process.env.NODE_ENV;
		else process.env.NODE_ENV = NODE_ENV;
	}
	writeFileSync(stamp, digest);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWorkbench();
