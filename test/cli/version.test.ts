import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "../../src/version.ts";

it("is that of the package", () => {
	const { version: ofPackage } = JSON.parse(
		readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
	);
	expect(version).toBe(ofPackage);
});
