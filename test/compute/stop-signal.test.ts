/** A signal that comes twice at once is one wish to stop; one that comes later ends the process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { build, root } from "../cli/odentify.ts";

beforeAll(build, 300_000);

test("a repetition within a moment is ignored, a second wish is not", async () => {
	const module = pathToFileURL(join(root, "dist/cli/stop-signal.js"));
	const script = `
		import { StopSignal } from "${module}";
		const stop = new StopSignal({ clear() {} });
		console.log("ready");
		setInterval(() => stop.asked && console.log("asked"), 20);`;
	const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = once(child, "exit");
	await once(child.stdout!, "data");
	child.kill("SIGINT");
	const [told] = await once(child.stderr!, "data");
	expect(String(told)).toMatch(/stopping after this step/);
	child.kill("SIGINT");
	// It lives on, past the moment.
	const heard = await Promise.race([once(child.stdout!, "data"), ended]);
	expect(String(heard[0])).toMatch(/asked/);
	child.kill("SIGINT");
	expect(await ended).toEqual([null, "SIGINT"]);
}, 30_000);
