/** Where the terms of what the page contains are to be read: in the page itself where that is one file, else beside it. */
export function licencesAddress(): string {
	const inside = document.getElementById("licences")?.textContent;
	if (inside === undefined || inside === null) return "licences.txt";
	return URL.createObjectURL(new Blob([inside], { type: "text/plain;charset=utf-8" }));
}
