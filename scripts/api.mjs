// Pages of the library's interface: npm run api, then open .build/api/index.html.
// Typedoc reads an older TypeScript than the one that builds us, so both are installed apart, once.
import { existsSync } from "node:fs";
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
const entries = ["index", ...["model", "data", "solve", "interval"].map((part) => `${part}/index`)];
const methods = ["fit", "bayes", "guaranteed", "periodic", "inversion", "kriging"];
must(process.execPath, [
	typedoc,
	...[...entries, ...methods.map((name) => `library/${name}`)].map((entry) => `dist/${entry}.d.ts`),
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
