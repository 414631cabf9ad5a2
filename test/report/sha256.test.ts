import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { sha256Base64 } from "../../src/report/sha256.ts";

it.each([0, 1, 55, 56, 63, 64, 65, 119, 1000])("agrees with Node's digest of %d characters", (length) => {
	const text = Array.from({ length }, (_, i) => String.fromCharCode(32 + ((i * 7) % 90))).join("");
	expect(sha256Base64(text)).toBe(createHash("sha256").update(text).digest("base64"));
});

it("takes text beyond ASCII", () => {
	expect(sha256Base64("θ ≤ ∞ 🙂")).toBe(createHash("sha256").update("θ ≤ ∞ 🙂").digest("base64"));
});
