/** Files for the user, made in the page. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>): void {
	saveBlob(name, new Blob([content], { type: typeOf(name) }));
}

export function saveBlob(name: string, blob: Blob): void {
	const url = URL.createObjectURL(blob);
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function typeOf(name: string): string {
	const types: Record<string, string> = {
		json: "application/json",
		csv: "text/csv",
		html: "text/html",
		yaml: "application/yaml",
		svg: "image/svg+xml",
	};
	return types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
}
