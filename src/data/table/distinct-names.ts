/** Names of records, made different where several share one: `a.csv`, `a.csv (2)`. Results are told apart by them. */
export function distinctNames(names: readonly string[]): string[] {
	const taken = new Set<string>();
	// Where to look on, so that many of one name do not each begin anew.
	const next = new Map<string, number>();
	return names.map((name) => {
		let i = next.get(name) ?? 1;
		const numbered = (): string => (i === 1 ? name : `${name} (${i})`);
		while (taken.has(numbered())) i++;
		next.set(name, i + 1);
		taken.add(numbered());
		return numbered();
	});
}
