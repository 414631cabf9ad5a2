/** `odentify doctor`: what this machine has to compute with. Each is tried, not only looked for. */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Compute } from "../../compute/compute.ts";
import { inline } from "../../compute/inline.ts";
import { findCompiler } from "../../compute/node/c-compiler.ts";
import { cuda } from "../../compute/node/cuda/cuda.ts";
import { native } from "../../compute/node/native.ts";
import { probe } from "../../compute/node/probe.ts";
import { Threads } from "../../compute/node/threads.ts";
import { InputError } from "../../errors.ts";
import { counted } from "../../estimate/judge/words.ts";
import { formatNumber } from "../../report/format.ts";
import { version } from "../../version.ts";
import { queueToTry } from "../doctor-redis.ts";
import { nodeProblem, oldestNode } from "../node-version.ts";
import { probeSimd } from "../simd-probe.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

interface Finding {
	readonly name: string;
	readonly there: boolean;
	/** What was found. */
	readonly found: string;
	/** What it gives, or would give. */
	readonly gives: string;
}

interface DoctorOptions extends CommonOptions {
	readonly queue?: string;
}

export async function doctor(options: DoctorOptions): Promise<number> {
	const terminal = new Terminal(options);
	const { colors } = terminal;
	const findings = [node(), simd(), ...(await places(options.queue)), chromium()];
	terminal.say(`Odentify ${version} on ${process.platform} ${process.arch}`);
	terminal.say();
	for (const { name, there, found, gives } of findings) {
		const mark = there ? colors.green("yes") : colors.dim("no ");
		terminal.say(`  ${mark}  ${name.padEnd(17)} ${found}`);
		terminal.say(colors.dim(`       ${" ".repeat(17)} ${gives}`));
	}
	terminal.answer({ version, platform: process.platform, arch: process.arch, findings });
	const [runtime, lanes] = findings;
	if (runtime.there && lanes.there) return 0;
	terminal.say();
	terminal.say(
		`Odentify needs Node.js ${oldestNode} or newer with WebAssembly SIMD: install a current Node.js.`,
	);
	return 1;
}

function node(): Finding {
	const cores = availableParallelism();
	return {
		name: "Node.js",
		there: nodeProblem(process.versions.node) === undefined,
		found: `${process.version}, ${counted(cores, "core")}`,
		gives: "runs everything",
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
	};
}

/** Runs the small kernel on a place; unless it is near only by intent, the bits must be those of inline. */
async function tried(
	name: string,
	gives: string,
	make: () => Promise<Compute>,
	isExact = true,
): Promise<Finding> {
	const finding = { name, gives };
	try {
		const place = await make();
		try {
			const { rate, first, same } = await probe(place);
			if (!same && isExact)
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
async function places(queue: string | undefined): Promise<Finding[]> {
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
		await tried("cuda", "a graphics processor, for very large batches", () => cuda({ smallest: 0 }), false),
		await tried("cuda, exact", "the same with the bits of the other places", () =>
			cuda({ smallest: 0, exact: true }),
		),
		await tried(
			"redis",
			queue === undefined
				? "any number of machines at one study; tried with a server and one worker here"
				: "any number of machines at one study; tried with the workers there",
			() => queueToTry(queue),
		),
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

function chromium(): Finding {
	const found = ["chromium", "chromium-browser", "google-chrome"].find(
		(name) => firstLineOf(name, ["--version"]) !== undefined,
	);
	return {
		name: "Chromium",
		there: found !== undefined,
		found: found ?? "not on the path",
		gives: "any browser opens a report; with this one the tests look at it too",
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
