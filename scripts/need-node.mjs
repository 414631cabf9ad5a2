// What building and testing need of Node, from package.json; said before anything is loaded that an older one cannot read.
import { readFileSync } from "node:fs";

export function needNode(version = process.versions.node) {
	const { devEngines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
	const wanted = devEngines.runtime.version;
	if (serves(version, wanted)) return;
	console.error(`Node.js: this is version ${version}, and building Odentify needs ${wanted}`);
	console.error("  Install a current Node.js from https://nodejs.org");
	process.exit(2);
}

/** `^20.19 || >=22.12`: the only two forms that are used here. */
export function serves(version, wanted) {
	const [major, minor] = version.split(".").map(Number);
	return wanted.split(" || ").some((range) => {
		const [, sign, m, n] = /^(\^|>=)(\d+)\.(\d+)$/.exec(range);
		const newer = sign === ">=" && major > Number(m);
		return newer || (major === Number(m) && minor >= Number(n));
	});
}
