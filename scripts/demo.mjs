// The main job on the embedded example, from a bare clone.
import { must, setUp } from "./setup.mjs";

setUp();
must(process.execPath, [
	"dist/cli/main.js",
	"run",
	"examples/demo/study.yaml",
	"--out",
	"runs/demo",
	...process.argv.slice(2),
]);
