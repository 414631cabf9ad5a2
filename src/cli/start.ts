/**
 * The program: in few files where these were made after it was compiled, which starts in half the time, else file by file.
 * A package has no record of when it was compiled: there they always serve.
 */
import { statSync } from "node:fs";

const joined = new URL("./joined/program.js", import.meta.url);
const changed = (place: URL): number => statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed(joined) > changed(new URL("../.tsbuildinfo", import.meta.url))) await import(joined.href);
else await import("./program.ts");
