/** The files of a run as one request takes them to `odentify serve`. */
type SentFile = { readonly name: string } & ({ readonly content: string } | { readonly base64: string });

/** Characters that go with one request: the server takes 64 MiB, and a letter may need more than a byte. */
const most = 4e7;
/** No run is kept without these. */
const needed = ["study.yaml", "summary.json", "result.json"];

/** Files as they are sent: bytes as base64. Those that are too large for one request stay behind. */
export function parcel(
	files: readonly { name: string; content: string | Uint8Array }[],
	room = most,
): { sent: readonly SentFile[]; leftOut: readonly string[] } {
	const sent: SentFile[] = [];
	const leftOut: string[] = [];
	let left = room;
	const last = ({ name }: { name: string }): number => (needed.includes(name) ? 0 : 1);
	for (const { name, content } of [...files].sort((a, b) => last(a) - last(b))) {
		const size = typeof content === "string" ? content.length : Math.ceil(content.length / 3) * 4;
		if (size > left) {
			leftOut.push(name);
			continue;
		}
		left -= size;
		sent.push(typeof content === "string" ? { name, content } : { name, base64: base64Of(content) });
	}
	return { sent, leftOut };
}

function base64Of(bytes: Uint8Array): string {
	let binary = "";
	for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
	return btoa(binary);
}
