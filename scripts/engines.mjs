// Other versions of Node, for the tests that compare their bits: binaries from the registry, kept in .build/engines.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const versions = ["20.20.2", "22.23.3", "24.21.0"];
const folder = join(root, ".build", "engines");

function ensureEngines() {
	const [own] = process.versions.node.split(".");
	const nameOf = (version) => `node-${version.split(".")[0]}`;
	const missing = versions.filter(
		(version) =>
			version.split(".")[0] !== own && !existsSync(join(folder, "node_modules", nameOf(version), "bin")),
	);
	if (missing.length === 0) return;
	console.error(`Odentify · fetching Node ${missing.join(", ")} for the tests (once) …`);
	const source = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "package.json"), "{}\n");
	const { status } = spawnSync(
		"npm",
		[
			...["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"],
			"--loglevel=error",
			...missing.map((version) => `${nameOf(version)}@npm:${source}@${version}`),
		],
		{ cwd: folder, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
	);
	if (status !== 0) console.error("They could not be had: only the engines that are here are compared.");
}

ensureEngines();
