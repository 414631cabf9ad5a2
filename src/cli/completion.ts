/** What shells complete: commands, their options, and words that an option takes. Made from the commands themselves. */

export interface CompletedOption {
	readonly flag: string;
	readonly says: string;
	/** What may follow; files where it is absent and something has to. */
	readonly values?: readonly string[];
	readonly takesValue: boolean;
}

export interface CompletedCommand {
	readonly name: string;
	readonly says: string;
	readonly options: readonly CompletedOption[];
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Variables of shells begin as ours do inside a text. */
const $ = "$";

export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
	if (shell === "bash") return bash(commands);
	return shell === "zsh" ? zsh(commands) : fish(commands);
}

function bash(commands: readonly CompletedCommand[]): string {
	const words = (command: CompletedCommand): string => command.options.map(({ flag }) => flag).join(" ");
	const values = distinctValues(commands);
	return [
		'# odentify: completion for bash. Add to ~/.bashrc:  eval "$(odentify completion bash)"',
		"_odentify() {",
		`  local word="${$}{COMP_WORDS[COMP_CWORD]}" before="${$}{COMP_WORDS[COMP_CWORD-1]}"`,
		"  COMPREPLY=()",
		'  case "$before" in',
		...[...values].map(
			([flag, list]) => `    ${flag}) COMPREPLY=($(compgen -W "${list.join(" ")}" -- "$word")); return;;`,
		),
		"  esac",
		'  if [ "$COMP_CWORD" -eq 1 ]; then',
		`    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$word"))`,
		"    return",
		"  fi",
		`  if [ "${$}{word:0:1}" != "-" ]; then COMPREPLY=($(compgen -f -- "$word")); return; fi`,
		`  case "${$}{COMP_WORDS[1]}" in`,
		...commands.map(
			(command) => `    ${command.name}) COMPREPLY=($(compgen -W "${words(command)}" -- "$word"));;`,
		),
		"  esac",
		"}",
		"complete -o filenames -F _odentify odentify",
		"",
	].join("\n");
}

function zsh(commands: readonly CompletedCommand[]): string {
	const quoted = (text: string): string =>
		text.replaceAll("'", "").replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "");
	const option = ({ flag, says, values, takesValue }: CompletedOption): string => {
		const value = values ? `:value:(${values.join(" ")})` : takesValue ? ":value:_files" : "";
		return `'${flag}[${quoted(says)}]${value}'`;
	};
	return [
		"#compdef odentify",
		'# odentify: completion for zsh. Add to ~/.zshrc:  eval "$(odentify completion zsh)"',
		"_odentify() {",
		"  local -a commands",
		"  commands=(",
		...commands.map(({ name, says }) => `    '${name}:${quoted(says)}'`),
		"  )",
		"  if (( CURRENT == 2 )); then",
		"    _describe command commands",
		"    return",
		"  fi",
		`  case "${$}{words[2]}" in`,
		...commands.map(
			({ name, options }) => `    ${name}) _arguments ${options.map(option).join(" ")} '*:file:_files';;`,
		),
		"  esac",
		"}",
		"compdef _odentify odentify",
		"",
	].join("\n");
}

function fish(commands: readonly CompletedCommand[]): string {
	const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
	return [
		"# odentify: completion for fish. Add to config.fish:  odentify completion fish | source",
		...commands.map(
			({ name, says }) => `complete -c odentify -n __fish_use_subcommand -f -a ${name} -d ${quoted(says)}`,
		),
		...commands.flatMap(({ name, options }) =>
			options.map(({ flag, says, values, takesValue }) =>
				[
					`complete -c odentify -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${flag.slice(2)} -d ${quoted(says)}`,
					...(takesValue ? ["-r"] : []),
					...(values ? [`-f -a ${quoted(values.join(" "))}`] : []),
				].join(" "),
			),
		),
		"",
	].join("\n");
}

function distinctValues(commands: readonly CompletedCommand[]): Map<string, readonly string[]> {
	const all = commands.flatMap(({ options }) => options);
	return new Map(all.flatMap(({ flag, values }) => (values ? [[flag, values] as const] : [])));
}
