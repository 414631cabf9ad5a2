/** `odentify completion SHELL`: a script by which a shell completes commands and options. */
import { InputError } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { templates } from "../../templates/list.ts";
import { type CompletedCommand, completionScript, type Shell, shells } from "../completion.ts";
import { exitCodes } from "../failure.ts";
import { toOut } from "../terminal/screen.ts";

/** The commands without the words that some options take. */
export async function completion(shell: string, commands: readonly CompletedCommand[]): Promise<number> {
	if (!shells.includes(shell as Shell))
		throw new InputError(
			`completion ${shell}`,
			"is no shell that is known",
			`Known are ${shells.join(", ")}:  eval "$(odentify completion bash)"`,
		);
	const values: Readonly<Record<string, readonly string[]>> = {
		"--method": [...methods.keys()],
		"--template": templates.map(({ name }) => name),
		"--compute": ["inline", "threads", "native", "cuda"],
		"--dates": ["day-first", "month-first"],
		"--to": ["sbml", "petab", "c", "python", "matlab", "julia", "js"],
	};
	const whole = commands.map((command) => ({
		...command,
		options: command.options.map((option) =>
			Object.hasOwn(values, option.flag) ? { ...option, values: values[option.flag] } : option,
		),
	}));
	toOut(completionScript(shell as Shell, whole));
	return exitCodes.answer;
}
