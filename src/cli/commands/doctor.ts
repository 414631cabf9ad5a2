/** `odentify doctor`: what this machine has to compute with. Each is tried, not only looked for. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { inline } from "../../compute/inline.ts";
import { findCompiler } from "../../compute/node/c-compiler.ts";
import { native } from "../../compute/node/native.ts";
import { type ClosableCompute, probe } from "../../compute/node/probe.ts";
import { Threads } from "../../compute/node/threads.ts";
import { InputError } from "../../errors.ts";
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
	const findings = [node(), simd(), ...(await places()), cuda(), redis(), chromium()];
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
		gives: "what inline and threads stand on",
		used: true,
	};
}

/** Runs the small kernel on a place; the bits must be those of inline. */
async function tried(name: string, gives: string, make: () => Promise<ClosableCompute>): Promise<Finding> {
	const finding = { name, gives, used: true };
	try {
		const place = await make();
		try {
			const { rate, first, same } = await probe(place);
			if (!same)
				return { ...finding, there: false, found: "gives other numbers than inline: not to be used" };
			const begin = first > 0.1 ? `; ${formatNumber(first, 2)} s to begin with` : "";
			return {
				...finding,
				there: true,
				found: `${formatNumber(rate / 1e6, 3)} million steps a second${begin}`,
			};
		} finally {
			await place.close?.();
		}
	} catch (error) {
		if (error instanceof InputError) return { ...finding, there: false, found: error.problem };
		return { ...finding, there: false, found: error instanceof Error ? error.message : String(error) };
	}
}

/** All places that this version has; the steps are those of a Runge–Kutta run of the Duffing oscillator. */
async function places(): Promise<Finding[]> {
	const own = await cCompiler();
	return [
		await tried("inline", "one core: batches of parameter values at once", async () => inline),
		await tried("threads, 1", "the same, as a check", async () => new Threads({ threads: 1 })),
		await tried(
			"threads, 2",
			`all cores at once (here ${availableParallelism()})`,
			async () => new Threads({ threads: 2 }),
		),
		await tried("native", `machine code of this processor, on all cores, by ${own}`, () => native()),
		await tried("native, 1 thread", "the same on one core", () => native({ threads: 1 })),
	];
}

async function cCompiler(): Promise<string> {
	try {
		const { version, width } = await findCompiler();
		return `${version} (${width} lanes a register)`;
	} catch {
		return "a C compiler";
	}
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
