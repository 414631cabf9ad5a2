/** `odentify doctor`: what this machine has to compute with. Each is tried, not only looked for. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { Worker } from "node:worker_threads";
import { formatNumber } from "../../report/format.ts";
import { version } from "../../version.ts";
import { probeSimd } from "../simd-probe.ts";
import { type CommonOptions, Terminal } from "../terminal.ts";

interface Finding {
	readonly name: string;
	readonly there: boolean;
	/** What was found. */
	readonly found: string;
	/** What it gives, or would give. */
	readonly gives: string;
	/** Whether this version makes use of it. */
	readonly used: boolean;
}

export async function doctor(options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const { colors } = terminal;
	const findings = [node(), simd(), await threads(), compiler(), cuda(), redis(), chromium()];
	terminal.say(`Odentify ${version} on ${process.platform} ${process.arch}`);
	terminal.say();
	for (const { name, there, found, gives, used } of findings) {
		const mark = there ? colors.green("yes") : colors.dim("no ");
		terminal.say(`  ${mark}  ${name.padEnd(17)} ${found}`);
		terminal.say(
			colors.dim(`       ${" ".repeat(17)} ${gives}${used ? "" : " (not used by this version yet)"}`),
		);
	}
	terminal.answer({ version, platform: process.platform, arch: process.arch, findings });
	const [runtime, lanes] = findings;
	if (runtime.there && lanes.there) return 0;
	terminal.say();
	terminal.say("Odentify needs Node.js 20 or newer with WebAssembly SIMD: install a current Node.js.");
	return 1;
}

function node(): Finding {
	const cores = availableParallelism();
	return {
		name: "Node.js",
		there: Number(process.versions.node.split(".")[0]) >= 20,
		found: `${process.version}, ${cores} core${cores === 1 ? "" : "s"}`,
		gives: "runs everything",
		used: true,
	};
}

function simd(): Finding {
	const { there, rate } = probeSimd();
	return {
		name: "WebAssembly SIMD",
		there,
		found: there
			? `works: ${formatNumber(rate / 1e9, 2)} billion operations a second on one core`
			: "does not work",
		gives: "compute inline: batches of parameter values at once",
		used: true,
	};
}

async function threads(): Promise<Finding> {
	const works = await new Promise<boolean>((resolve) => {
		const shared = new SharedArrayBuffer(4);
		const source = "require('node:worker_threads').workerData[0] = 42";
		const worker = new Worker(source, { eval: true, workerData: new Int32Array(shared) });
		worker.once("exit", () => resolve(new Int32Array(shared)[0] === 42));
		worker.once("error", () => resolve(false));
	});
	return {
		name: "threads",
		there: works && availableParallelism() > 1,
		found: works ? `work, with shared memory; ${availableParallelism()} can run at once` : "do not work",
		gives: "all cores at once",
		used: false,
	};
}

function compiler(): Finding {
	const answer = firstLineOf("cc", ["--version"]);
	return {
		name: "native compiler",
		there: answer !== undefined,
		found: answer ?? "no cc on the path",
		gives: "kernels compiled for this processor",
		used: false,
	};
}

function cuda(): Finding {
	const folders = [
		...(process.env.LD_LIBRARY_PATH ?? "").split(delimiter),
		"/usr/lib/x86_64-linux-gnu",
		"/usr/lib/aarch64-linux-gnu",
		"/usr/lib64",
		"/usr/lib",
		"/usr/lib/wsl/lib",
		"C:\\Windows\\System32",
	];
	const names = process.platform === "win32" ? ["nvcuda.dll"] : ["libcuda.so.1", "libcuda.so"];
	const driver = folders
		.filter((folder) => folder !== "")
		.flatMap((folder) => names.map((name) => join(folder, name)))
		.find((path) => existsSync(path));
	const card = driver ? firstLineOf("nvidia-smi", ["--query-gpu=name", "--format=csv,noheader"]) : undefined;
	return {
		name: "CUDA",
		there: driver !== undefined,
		found: driver ? `driver ${driver}${card ? `, ${card}` : ""}` : "no driver library (libcuda)",
		gives: "a graphics card for very large batches",
		used: false,
	};
}

function redis(): Finding {
	const answer = firstLineOf("redis-server", ["--version"]);
	return {
		name: "redis-server",
		there: answer !== undefined,
		found: answer ?? "not on the path",
		gives: "many machines at one study",
		used: false,
	};
}

function chromium(): Finding {
	const found = ["chromium", "chromium-browser", "google-chrome"].find(
		(name) => firstLineOf(name, ["--version"]) !== undefined,
	);
	return {
		name: "Chromium",
		there: found !== undefined,
		found: found ?? "not on the path",
		gives: "any browser opens a report; with this one the tests look at it too",
		used: true,
	};
}

/** First line that a program prints, or `undefined` when it cannot be run. */
function firstLineOf(program: string, args: readonly string[]): string | undefined {
	const { status, stdout } = spawnSync(program, args, {
		encoding: "utf8",
		timeout: 10_000,
		stdio: ["ignore", "pipe", "ignore"],
	});
	return status === 0 ? stdout.split("\n")[0].trim().slice(0, 70) : undefined;
}
