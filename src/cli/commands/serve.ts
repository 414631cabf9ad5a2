/** `odentify serve`: the workbench on this machine, with the runs of a folder. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { InputError } from "../../errors.ts";
import { serve as startServer } from "../serve/server.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

interface ServeFlags extends CommonOptions {
	readonly host?: string;
	readonly port?: string;
	readonly token?: string;
	readonly runs?: string;
	/** Off with --no-open. */
	readonly open?: boolean;
}

const usualPort = 7370;
const shortestToken = 16;

export async function serve(options: ServeFlags): Promise<number> {
	const terminal = new Terminal(options);
	const { host, token } = options;
	if (host !== undefined && token === undefined)
		throw new InputError(
			`--host ${host}`,
			"lets other machines reach the server, and needs --token",
			`For example  --token ${randomBytes(18).toString("base64url")}`,
		);
	if (token !== undefined && !new RegExp(`^[\\w-]{${shortestToken},200}$`).test(token))
		throw new InputError("--token", `is not a word of at least ${shortestToken} letters, digits, - and _`);
	const secret = token ?? randomBytes(24).toString("base64url");
	const page = fileURLToPath(new URL("../../workbench/", import.meta.url));
	const start = (port: number) =>
		startServer({ page, runs: options.runs ?? "runs", port, host, token: secret });
	// The usual port may be taken by another workbench; one that was asked for must be free.
	const serving = await (options.port === undefined
		? start(usualPort).catch(() => start(0))
		: start(portOf(options.port)));
	const link = `${serving.url}#token=${secret}`;
	terminal.say(`\n  Workbench  ${link}`);
	terminal.say(`  Runs       ${options.runs ?? "runs"}`);
	terminal.say("  Nothing leaves this machine. Stop with Ctrl-C.");
	terminal.answer({ url: serving.url, token: secret, link });
	if (options.open !== false && process.stdout.isTTY && host === undefined) openBrowser(link);
	await new Promise<void>((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
	});
	await serving.close();
	return 0;
}

function portOf(text: string): number {
	const port = Number(text);
	if (!/^\d+$/.test(text) || !(port <= 65_535))
		throw new InputError(
			`--port ${text}`,
			"is not a number from 0 to 65535",
			"Leave it out, or write  --port 8080",
		);
	return port;
}

/** As the system opens links; where it cannot, the link stands in the terminal. */
function openBrowser(link: string): void {
	const [command, ...args] =
		process.platform === "darwin"
			? ["open"]
			: process.platform === "win32"
				? ["cmd", "/c", "start", ""]
				: ["xdg-open"];
	const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
	child.on("error", () => {});
	child.unref();
}
