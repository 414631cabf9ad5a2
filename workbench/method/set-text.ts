/** Values by name in a line of text: `k3: 4, x(0): 1`. */
export function setText(set: Readonly<Record<string, number>>): string {
	return Object.entries(set)
		.map(([name, value]) => `${name}: ${value}`)
		.join(", ");
}

/** What cannot be read as a name with a number is left out. */
export function setOf(text: string): Record<string, number> {
	const entries = text.split(/[,;]\s*(?![^(]*\))/).flatMap((part): [string, number][] => {
		const match = /^\s*([^:=]+?)\s*[:=]\s*(\S+)\s*$/.exec(part);
		return match && Number.isFinite(Number(match[2])) ? [[match[1], Number(match[2])]] : [];
	});
	return Object.fromEntries(entries);
}
