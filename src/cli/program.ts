/** The commands and their options. Only the chosen command is loaded, so that --help is there at once. */
import { Command, CommanderError, Option } from "commander";
import { version } from "../version.ts";
import { toErr, toOut } from "./terminal/screen.ts";
import type { CommonOptions } from "./terminal/terminal.ts";

type Action<A> = (argument: A, options: CommonOptions & Record<string, unknown>) => Promise<number>;

const program = new Command("odentify")
	.description("From measured data to ODE models that can be trusted.")
	.version(version, "-V, --version", "show the version")
	.helpOption("-h, --help", "show help")
	.helpCommand("help [command]", "show help for a command")
	.showSuggestionAfterError(true)
	.addHelpText(
		"after",
		`
To begin:
  odentify init --template oscillator   a study with a model and a record
  odentify init record.csv              a study for your own record
  odentify run study.yaml               the answer, in a new folder below runs/

Exit code: 0 an answer, 1 no answer (the outcome says why), 2 bad input.`,
	);

let exitCode = 0;

/** Loads a command when it is called. */
function runs<A>(load: () => Promise<Action<A>>) {
	return async (argument: A, options: CommonOptions & Record<string, unknown>): Promise<void> => {
		// What a script gives whose variable is not set: the folder of the day would be the wrong place.
		if (options.out === "") {
			const { InputError } = await import("../errors.ts");
			throw new InputError("--out", "is empty", "Name a place to write to.");
		}
		const action = await load();
		exitCode = await action(argument, options);
	};
}

/** Examples are pairs: what to type, and what it does. */
function command(usage: string, description: string, ...examples: readonly [string, string][]): Command {
	const width = Math.max(0, ...examples.map(([line]) => line.length));
	const lines = examples.map(([line, says]) => `  odentify ${line.padEnd(width)}   ${says}`);
	return program
		.command(usage)
		.description(description)
		.helpOption("-h, --help", "show help")
		.addHelpText("after", examples.length === 0 ? "" : `\nFor example:\n${lines.join("\n")}`)
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
	"init [file]",
	"write a study and a model to begin with: from a template, or for the columns of a file",
	["init --template dc-motor", "a study with a model and a simulated record, here"],
	["init rig.csv --template oscillator", "a study for your record; columns are matched by their names"],
	["init rig.csv --template oscillator --columns u=ch1,y=ch2", "where they are called otherwise"],
	["init log.xlsx --out mine", "a linear model of all columns, in the folder mine"],
)
	.option("--template <name>", "the model: oscillator, pendulum, dc-motor, … (init alone lists them)")
	.option("--columns <list>", "name in the model=column, as u=Force,y=Position")
	.option("--time <column>", "the column of times")
	.option("--rate <hz>", "samples a second, where no column has the times")
	.option("--dates <order>", "day-first or month-first, for dates that can be read either way")
	.option("--sheet <name>", "sheet of a workbook")
	.option("--out <dir>", "folder to write to (default: here); nothing is ever written over")
	.action(runs<string | undefined>(async () => (await import("./commands/init.ts")).init));
command(
	"check <file...>",
	"read models (.ode) or studies (.yaml, .zip): what is declared, and which methods apply",
	["check study.yaml", "what was understood of study, model and data, or all that is wrong"],
	["check model.ode", "the model alone"],
).action(runs<string[]>(async () => (await import("./commands/check.ts")).check));
command(
	"simulate <study>",
	"integrate the model with given values; writes trajectory.csv",
	["simulate study.yaml", "with the values of  set:  in the study, into a run folder"],
	["simulate study.yaml --csv record.csv", "into one file"],
)
	.option(...outFlag)
	.option("--csv <file>", "write only the trajectory, to this file, which must not be there yet")
	.option("--force", "with --csv: write over a file that is there")
	.option(...seedFlag)
	.action(runs<string>(async () => (await import("./commands/simulate.ts")).simulate));
command(
	"run <study>",
	"do the study: estimate, predict, report; writes a run folder",
	["run study.yaml", "the method that the study names"],
	["run study.yaml --method all", "every method that applies, held against one another"],
	["run study.zip --out results", "a packed study, results in the folder results"],
)
	.option("--method <name>", "fit, bayes, guaranteed, kriging, periodic, inversion or all, over the study's")
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
command(
	"pack <study>",
	"write study, model and records as one file (.zip), which run, check and the page take",
	["pack study.yaml", "writes study.zip"],
)
	.option("--out <file>", "file to write, which must not be there yet")
	.action(runs<string>(async () => (await import("./commands/pack.ts")).pack));
command(
	"import <file>",
	"write a model in SBML in the model language, or a PEtab problem as a study",
	["import model.xml", "writes model.ode"],
	["import problem.yaml --out mine", "a PEtab problem as a study, in the folder mine"],
)
	.option(
		"--out <file>",
		"file or folder to write, which must not be there yet (default: FILE.ode, FILE-study)",
	)
	.option("--force", "write over a file that is there")
	.action(runs<string>(async () => (await import("./commands/import.ts")).importModel));
command(
	"export <run>",
	"write the identified model, or a model file, for other tools, with its numbers",
	["export runs/study --to python", "code that runs by itself, in runs/study/export-python"],
	["export model.ode --to sbml", "a model whose parameters all have numbers"],
)
	.option("--to <language>", "sbml, petab, c, python, matlab, julia or js")
	.option("--out <dir>", "folder to write to (default: RUN/export-LANGUAGE)")
	.option("--force", "write over files that are there")
	.action(runs<string>(async () => (await import("./commands/export.ts")).exportRun));
command("resume <run>", "go on from the last checkpoint of a run that was stopped or killed", [
	"resume runs/study",
	"to the same end, bit for bit",
])
	.option(...computeFlag)
	.option(...fastFlag)
	.option(...exactFlag)
	.option(...checkpointFlag)
	.action(runs<string>(async () => (await import("./commands/resume.ts")).resume));
command(
	"prove <number>",
	"write a problem whose truth is known as a study: one of those that the methods are tried on",
	["prove 1234", "model, records, study and truth, in the folder problem-1234"],
	["prove 1234 --method bayes --out mine", "for another method, in another folder"],
)
	.option("--method <name>", "the method of the study (default: fit)")
	.option("--out <dir>", "folder to write to (default: problem-NUMBER); nothing is ever written over")
	.action(runs<string>(async () => (await import("./commands/prove.ts")).prove));
command("verify <run>", "check the certificate (proof.json) of a run with guaranteed", [
	"verify runs/study",
	"by arithmetic alone, without the solver",
]).action(runs<string>(async () => (await import("./commands/verify.ts")).verify));
command("report <run>", "draw the report again", [
	"report runs/study",
	"writes runs/study/report.html",
]).action(runs<string>(async () => (await import("./commands/report.ts")).report));
command("cite <run>", "print the references that a run used, as BibTeX", [
	"cite runs/study > used.bib",
	"for the paper that you write",
]).action(runs<string>(async () => (await import("./commands/cite.ts")).cite));
command("compare <run...>", "bayes: compare models of the same data by their log evidence", [
	"compare runs/linear runs/cubic",
	"which model the data speak for, and how clearly",
]).action(runs<string[]>(async () => (await import("./commands/compare.ts")).compare));
command(
	"reproduce [name...]",
	"repeat the papers' tables, with the paper's numbers beside ours",
	["reproduce --quick", "all of them, in small"],
	["reproduce inversion", "one of them, in full"],
)
	.option("--quick", "fewer seeds and smaller sizes")
	.option("--data <dir>", "folder of the public records, for the rows that need them")
	.option("--out <dir>", "folder to write to (default: runs/reproduce)")
	.option(...seedFlag)
	.option(...computeFlag)
	.action(runs<string[]>(async () => (await import("./commands/reproduce.ts")).reproduce));
command("worker", "join the queue that --compute redis://… feeds, until Ctrl-C", [
	"worker --queue redis://192.168.1.5:6379",
	"on every machine that should help",
])
	.requiredOption("--queue <url>", "redis://[:password@]host:port, or rediss:// for TLS")
	.option("--threads <n>", "batches at once (default: one a core)")
	.option("--lease <seconds>", "a worker that is silent for so long is taken for dead (default: 10)")
	.action(async (options) => {
		exitCode = await (await import("./commands/worker.ts")).worker(options);
	});
command("queue <url>", "show the workers, jobs and rates of a queue", [
	"queue redis://localhost:6379 --watch",
	"again and again",
])
	.option("--watch", "again every two seconds, until Ctrl-C")
	.action(runs<string>(async () => (await import("./commands/queue.ts")).queue));
command("serve", "open the workbench: the whole product in a page, on this machine", [
	"serve --runs results",
	"with the runs of that folder in its list",
])
	.option("--port <n>", "port to listen on (default: 7370, or any that is free)")
	.option("--host <address>", "let other machines reach it; needs --token")
	.option("--token <word>", "what the page must know to write (default: a new one each time)")
	.option("--runs <dir>", "folder of the runs to list", "runs")
	.option("--no-open", "do not open a browser")
	.action(async (options: CommonOptions) => {
		exitCode = await (await import("./commands/serve.ts")).serve(options);
	});
command("doctor", "say what this machine has to compute with, and try it", [
	"doctor --queue redis://localhost:6379",
	"a queue and its workers, too",
])
	.option("--queue <url>", "try this queue with its workers: redis://HOST:PORT")
	.action(async (options: CommonOptions) => {
		exitCode = await (await import("./commands/doctor.ts")).doctor(options);
	});

command(
	"completion <shell>",
	"print a script by which bash, zsh or fish complete commands and options",
	["completion bash >> ~/.bashrc", "then open a new shell"],
	["completion fish | source", "in config.fish"],
).action(async (shell: string) => {
	const own = program.commands.map((each) => ({
		name: each.name(),
		says: each.description(),
		options: each.options.map((option) => ({
			flag: option.long ?? option.flags,
			says: option.description,
			takesValue: option.required || option.optional,
		})),
	}));
	exitCode = await (await import("./commands/completion.ts")).completion(shell, own);
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
