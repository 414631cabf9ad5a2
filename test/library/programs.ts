/** Programs one after the other in one process of Node: the package is loaded once, which is most of the time of a short one. */
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const runner = `
const write = process.stdout.write.bind(process.stdout);
const ended = [];
for (const url of process.argv.slice(1)) {
	let printed = "";
	process.stdout.write = (text) => ((printed += text), true);
	let failed;
	await import(url).catch((error) => { failed = String(error?.stack ?? error); });
	ended.push({ printed, failed });
}
write(JSON.stringify(ended));
`;

export interface Program {
	readonly printed: string;
	/** What it threw. */
	readonly failed?: string;
}

/** What became of each file. That they come to an end is what the process's own end shows. */
export function runPrograms(files: readonly string[]): Map<string, Program> {
	const urls = files.map((file) => pathToFileURL(file).href);
	const out = execFileSync(process.execPath, ["--input-type=module", "-e", runner, ...urls], {
		encoding: "utf8",
	});
	const ended: Program[] = JSON.parse(out);
	return new Map(files.map((file, i) => [file, ended[i]]));
}
