/** Whether a YAML text is a PEtab problem and not a study. */
export function looksLikePetab(text: string): boolean {
	return /^format_version\s*:/m.test(text) && /^(problems|parameter_files?|model_files)\s*:/m.test(text);
}
