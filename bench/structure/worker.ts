/** A process that does cases of the bench as they are sent to it. */
import { type CaseSpec, structureCase } from "./case.ts";
import { type PartialSpec, partialCase } from "./partial.ts";

process.on("message", async (spec: CaseSpec | PartialSpec) => {
	process.send!("partial" in spec ? await partialCase(spec) : await structureCase(spec));
});
