// Programs of the system that tests use. Where we may (Debian, root) they are installed; elsewhere they are named.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromiumPaths } from "./chromium.mjs";

const programs = [
	{
		packages: ["chromium-headless-shell", "chromium"],
		paths: chromiumPaths,
		for: "tests that open pages and reports",
	},
	{
		packages: ["redis-server"],
		paths: ["/usr/bin/redis-server", "/usr/local/bin/redis-server"],
		for: "tests of the queue of machines",
	},
	{ packages: ["octave"], paths: ["/usr/bin/octave"], for: "tests that run what is exported to MATLAB" },
];

const runs = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

function ensureSystemPrograms() {
	const missing = programs.filter((program) => !program.paths.some(existsSync));
	if (missing.length === 0) return;
	if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
		runs("apt-get", ["update", "-qq"]);
		// Older releases lack some: the first that there is.
		const isThere = (name) => runs("apt-cache", ["show", name]);
		const names = missing.map(({ packages }) => packages.find(isThere) ?? packages[0]);
		console.error(`Odentify · installing ${names.join(", ")} for the tests (once) …`);
		const quiet = ["-y", "-qq", "-o", "Dpkg::Use-Pty=0"];
		if (runs("apt-get", ["install", ...quiet, "--no-install-recommends", ...names])) return;
	}
	for (const program of missing)
		console.error(`Not installed: ${program.packages[0]} (${program.for}). Those tests are passed over.`);
}

ensureSystemPrograms();
