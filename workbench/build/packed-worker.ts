/** A worker whose script stands in the page, packed: the file is a third as large, and unpacked only where it is used. */
import { inflateSync, strFromU8 } from "fflate";

export function startPacked(base64: string): Worker {
	const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
	const script = strFromU8(inflateSync(packed));
	// It gives its own address back as soon as it runs: earlier is too early, later is never.
	const parts = ["URL.revokeObjectURL(self.location.href);", script];
	const blob = new Blob(parts, { type: "text/javascript;charset=utf-8" });
	return new Worker(URL.createObjectURL(blob));
}
