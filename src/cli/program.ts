/** The commands and their options. Only the chosen command is loaded, so that --help is there at once. */
import { Command, CommanderError, Option } from "commander";
import { version } from "../version.ts";
import { toErr, toOut } from "./screen.ts";
import type { CommonOptions } from "./terminal.ts";

type Action<A> = (argument: A, options: CommonOptions & Record<string, unknown>) => Promise<number>;

const program = new Command("odentify")
	.description("From measured data to ODE models that can be trusted.")
	.version(version, "-V, --version", "show the version")
	.helpOption("-h, --help", "show help")
	.helpCommand("help [command]", "show help for a command")
	.showSuggestionAfterError(true)
	.addHelpText("after", "\nExit code: 0 an answer, 1 no answer (the outcome says why), 2 bad input.");

let exitCode = 0;

/** Loads a command when it is called. */
function runs<A>(load: () => Promise<Action<A>>) {
	return async (argument: A, options: CommonOptions & Record<string, unknown>): Promise<void> => {
		const action = await load();
		exitCode = await action(argument, options);
	};
}

function command(usage: string, description: string): Command {
	return program
		.command(usage)
		.description(description)
		.helpOption("-h, --help", "show help")
		.option("--json", "one JSON document on standard output, everything else on standard error")
		.option("--quiet", "say only what went wrong");
}

const seedFlag = ["--seed <n>", "seed of all random numbers, over the study's"] as const;
const outFlag = ["--out <dir>", "folder to write to (default: runs/NAME)"] as const;
const computeFlag = [
	"--compute <where>",
	"where to compute: inline, threads, native, cuda, redis://HOST:PORT (default: the fastest here)",
] as const;
const fastFlag = [
	"--fast",
	"native: allow fused multiply-add; faster, but not bit for bit the same",
] as const;
const exactFlag = [
	"--exact",
	"cuda: no fused multiply-add; slower, bit for bit what the other places give",
] as const;
/** Cases of each design with a bare --design. */
const usualDesign = "20";
const checkpointFlag = ["--checkpoint <seconds>", "seconds between checkpoints (default: 5)"] as const;

command(
	"check <file...>",
	"read models (.ode) or studies (.yaml): what is declared, and which methods apply",
).action(runs<string[]>(async () => (await import("./commands/check.ts")).check));
command("simulate <study>", "integrate the model with given values; writes trajectory.csv")
	.option(...outFlag)
	.option("--csv <file>", "write only the trajectory, to this file, which must not be there yet")
	.option("--force", "with --csv: write over a file that is there")
	.option(...seedFlag)
	.action(runs<string>(async () => (await import("./commands/simulate.ts")).simulate));
command("run <study>", "do the study: estimate, predict, report; writes a run folder")
	.option(...outFlag)
	.option(...seedFlag)
	.option(...computeFlag)
	.option(...fastFlag)
	.option(...exactFlag)
	.option(...checkpointFlag)
	.option("--follow", "bayes: take samples in as they arrive, and print the posterior as it changes")
	.addOption(
		new Option(
			"--design [n]",
			`inversion: simulate data from the answer, n times (${usualDesign}) for each of several designs, and say how often its terms are found`,
		).preset(usualDesign),
	)
	.action(runs<string>(async () => (await import("./commands/run.ts")).run));
command("import <file>", "write a model in SBML in the model language, or a PEtab problem as a study")
	.option(
		"--out <file>",
		"file or folder to write, which must not be there yet (default: FILE.ode, FILE-study)",
	)
	.option("--force", "write over a file that is there")
	.action(runs<string>(async () => (await import("./commands/import.ts")).importModel));
command("resume <run>", "go on from the last checkpoint of a run that was stopped or killed")
	.option(...computeFlag)
	.option(...fastFlag)
	.option(...exactFlag)
	.option(...checkpointFlag)
	.action(runs<string>(async () => (await import("./commands/resume.ts")).resume));
command("verify <run>", "check the certificate (proof.json) of a run with guaranteed").action(
	runs<string>(async () => (await import("./commands/verify.ts")).verify),
);
command("report <run>", "draw the report again").action(
	runs<string>(async () => (await import("./commands/report.ts")).report),
);
command("cite <run>", "print the references that a run used, as BibTeX").action(
	runs<string>(async () => (await import("./commands/cite.ts")).cite),
);
command("compare <run...>", "bayes: compare models of the same data by their log evidence").action(
	runs<string[]>(async () => (await import("./commands/compare.ts")).compare),
);
command("reproduce [name...]", "repeat the papers' tables, with the paper's numbers beside ours")
	.option("--quick", "fewer seeds and smaller sizes")
	.option("--data <dir>", "folder of the public records, for the rows that need them")
	.option("--out <dir>", "folder to write to (default: runs/reproduce)")
	.option(...seedFlag)
	.option(...computeFlag)
	.action(runs<string[]>(async () => (await import("./commands/reproduce.ts")).reproduce));
command("worker", "join the queue that --compute redis://… feeds, until Ctrl-C")
	.requiredOption("--queue <url>", "redis://[:password@]host:port, or rediss:// for TLS")
	.option("--threads <n>", "batches at once (default: one a core)")
	.option("--lease <seconds>", "a worker that is silent for so long is taken for dead (default: 10)")
	.action(async (options) => {
		exitCode = await (await import("./commands/worker.ts")).worker(options);
	});
command("queue <url>", "show the workers, jobs and rates of a queue")
	.option("--watch", "again every two seconds, until Ctrl-C")
	.action(runs<string>(async () => (await import("./commands/queue.ts")).queue));
command("serve", "open the workbench: the whole product in a page, on this machine")
	.option("--port <n>", "port to listen on (default: 7370, or any that is free)")
	.option("--host <address>", "let other machines reach it; needs --token")
	.option("--token <word>", "what the page must know to write (default: a new one each time)")
	.option("--runs <dir>", "folder of the runs to list", "runs")
	.option("--no-open", "do not open a browser")
	.action(async (options: CommonOptions) => {
		exitCode = await (await import("./commands/serve.ts")).serve(options);
	});
command("doctor", "say what this machine has to compute with, and try it")
	.option("--queue <url>", "try this queue with its workers: redis://HOST:PORT")
	.action(async (options: CommonOptions) => {
		exitCode = await (await import("./commands/doctor.ts")).doctor(options);
	});

/** `run --design study.yaml`: what follows the flag is the study, not its number. */
function bareDesign(word: string, at: number, all: readonly string[]): string {
	return word === "--design" && /\.ya?ml$/i.test(all[at + 1] ?? "") ? `--design=${usualDesign}` : word;
}

for (const each of [program, ...program.commands]) {
	each.exitOverride();
	each.configureOutput({ writeOut: toOut, writeErr: toErr, outputError: () => {} });
}

// A reader that has seen enough (`odentify check x | head`) is no error; a full disk is, and nobody got the answer.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
	if (code === "EPIPE") process.exit(exitCode);
	const why = code === "ENOSPC" ? "the disk is full" : (code ?? message);
	toErr(`standard output: cannot be written: ${why}\n`);
	process.exit(1);
});
// Where nobody can be told what went wrong, the exit code still says it.
process.stderr.on("error", () => {});

// What fails outside of the command's own way is a bug too, and told as one.
process.on("uncaughtException", async (error) => {
	const { fail } = await import("./failure.ts");
	process.exit(fail(error, process.argv.includes("--json")));
});

try {
	if (process.argv.length <= 2) program.outputHelp();
	else await program.parseAsync(process.argv.map(bareDesign));
} catch (error) {
	const shown = error instanceof CommanderError && error.exitCode === 0;
	if (!shown) {
		const { fail } = await import("./failure.ts");
		exitCode = fail(
			error instanceof CommanderError ? await usageError(error) : error,
			process.argv.includes("--json"),
		);
	}
}
process.exitCode = exitCode;

async function usageError(error: CommanderError): Promise<Error> {
	const { InputError } = await import("../errors.ts");
	const [problem, ...rest] = error.message.replace(/^error: /, "").split("\n");
	const suggestion = rest.join(" ").replace(/^\(|\)$/g, "");
	return new InputError("odentify", problem, `${suggestion ? `${suggestion}  ` : ""}See  odentify --help`);
}
