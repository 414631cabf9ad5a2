// All set-up that a bare clone needs: packages, the build, and the `odentify` command in the checkout.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { needNode } from "./need-node.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);

/** Runs a command in the checkout; a failure ends the process with the command's own output. */
export function must(command, args, options = {}) {
	const done = spawnSync(command, args, {
		cwd: root,
		stdio: "inherit",
		shell: process.platform === "win32",
		...options,
	});
	if (done.status !== 0) {
		if (done.stdout) process.stderr.write(done.stdout);
		if (done.stderr) process.stderr.write(done.stderr);
		console.error(`\n${[command, ...args].join(" ")} failed${done.error ? `: ${done.error.message}` : ""}`);
		process.exit(done.status ?? 1);
	}
}

/** Runs a program that a package of ours brought. */
export const mustPackage = (name, ...args) => must(process.execPath, [binOf(name), ...args]);

export function binOf(name) {
	const manifest = JSON.parse(readFileSync(at("node_modules", name, "package.json"), "utf8"));
	const short = name.split("/").pop();
	return at(
		"node_modules",
		name,
		typeof manifest.bin === "string" ? manifest.bin : (manifest.bin[short] ?? manifest.bin.tsc),
	);
}

function installPackages() {
	const lock = createHash("sha256")
		.update(readFileSync(at("package-lock.json")))
		.digest("hex");
	const stamp = at("node_modules", ".odentify-lock");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
	console.error("Odentify · installing packages (once) …");
	// Not `npm ci`: it refuses a lock file without the optional binaries of other platforms, which is what a registry
	// that lacks some of them makes. This keeps to the versions of the lock file as well, and does not write to it.
	must("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	writeFileSync(stamp, lock);
}

function build() {
	mustPackage("typescript", "-p", "tsconfig.json");
	removeStale();
	must(process.execPath, [at("scripts", "tight.mjs")]);
	must(process.execPath, [at("scripts", "papers-build.mjs")]);
	must(process.execPath, [at("scripts", "cli-build.mjs")]);
	const main = at("dist", "cli", "main.js");
	chmodSync(main, 0o755);
	const bin = at("node_modules", ".bin");
	mkdirSync(bin, { recursive: true });
	rmSync(join(bin, "odentify"), { force: true });
	symlinkSync(join("..", "..", "dist", "cli", "main.js"), join(bin, "odentify"));
}

/** What sources that are no more left behind would be shipped and, by a stale import, run. */
function removeStale() {
	for (const file of readdirSync(at("dist"), { recursive: true, encoding: "utf8" })) {
		const [, source] = /^(?!workbench)(.*)\.(?:js|d\.ts)$/.exec(file) ?? [];
		if (file.endsWith(".js.map") || (source && !existsSync(at("src", `${source}.ts`))))
			rmSync(at("dist", file));
	}
}

export function setUp() {
	needNode();
	installPackages();
	build();
}

/** The page takes some seconds more: only who needs it waits for it. */
export function setUpPage() {
	must(process.execPath, [at("scripts", "workbench-build.mjs")]);
}

/** Declarations, for who installs the package. */
export function setUpTypes() {
	must(process.execPath, [at("scripts", "types.mjs")]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	setUp();
	setUpPage();
	setUpTypes();
}
