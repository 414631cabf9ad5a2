// The compiled modules of the library without white space, and with short names of local variables: the package would be 4 % larger with the
// one, and as much with the others. Of the command little is packed as it is compiled.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { minifySync } from "vite";

const folder = fileURLToPath(new URL("../dist", import.meta.url));
for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
	if (!file.endsWith(".js") || /^(workbench|papers|cli)/.test(file)) continue;
	const path = join(folder, file);
	const text = readFileSync(path, "utf8");
	// What is computed stays as it is, and names of functions and classes, which traces show.
	const mangle = { toplevel: false, keepNames: true };
	const { code, errors } = minifySync(path, text, { compress: false, mangle, codegen: true });
	if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
	if (code !== text) writeFileSync(path, code);
}
