// Pages of the library's interface: npm run api, then open .build/api/index.html.
// Typedoc reads an older TypeScript than the one that builds us, so both are installed apart, once.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { must, root, setUp, setUpTypes } from "./setup.mjs";

setUp();
setUpTypes();
const apart = join(root, ".build", "typedoc");
const typedoc = join(apart, "node_modules", "typedoc", "bin", "typedoc");
if (!existsSync(typedoc))
	must("npm", [
		"install",
		"--prefix",
		apart,
		"--no-audit",
		"--no-fund",
		"--loglevel=error",
		"typedoc@0.28",
		"typescript@5.9",
	]);
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Entries that only the page and the command line use are left out.
const inner = ["./methods", "./compute", "./study", "./report"];
const entries = Object.entries(exports).flatMap(([name, { types }]) =>
	types && !inner.includes(name) ? [types] : [],
);
must(process.execPath, [
	typedoc,
	...entries,
	"--tsconfig",
	"tsconfig.api.json",
	"--out",
	join(root, ".build", "api"),
	"--readme",
	"docs/library.md",
	"--name",
	"Odentify",
	"--skipErrorChecking",
	"--excludeInternal",
]);
