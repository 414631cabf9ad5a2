#!/usr/bin/env node
/**
 * The command `odentify`. What it needs of Node is looked at before anything is loaded that an older one cannot read; so
 * this file and the one that it imports keep to what any Node with modules knows.
 */
import { nodeProblem } from "./node-version.ts";

const problem = nodeProblem(process.versions.node);
if (problem === undefined) import("./start.ts");
else {
	process.stderr.write(problem + "\n");
	process.exitCode = 2;
}
