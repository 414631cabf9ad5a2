// Declarations of what the package exports, and of what those mention: dist has no others.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { mustPackage, root } from "./setup.mjs";

const from = join(root, ".build", "types");
const to = join(root, "dist");

function entries() {
	const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	return Object.values(exports).flatMap(({ types }) => (types ? [types.replace("./dist/", "")] : []));
}

/** These files and all that they import, as paths below the folder of declarations. */
function reached(files) {
	const seen = new Set();
	const todo = [...files];
	while (todo.length > 0) {
		const file = todo.pop();
		if (seen.has(file)) continue;
		seen.add(file);
		const text = readFileSync(join(from, file), "utf8");
		for (const [, path] of text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g))
			todo.push(join(dirname(file), path.replace(/\.[jt]s$/, ".d.ts")));
	}
	return seen;
}

mustPackage("typescript", "-p", "tsconfig.types.json");
const wanted = reached(entries());
for (const file of readdirSync(to, { recursive: true, encoding: "utf8" }))
	if (file.endsWith(".d.ts") && !wanted.has(file)) rmSync(join(to, file));
for (const file of wanted) {
	mkdirSync(dirname(join(to, file)), { recursive: true });
	copyFileSync(join(from, file), join(to, file));
}
