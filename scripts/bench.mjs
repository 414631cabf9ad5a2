// Speed and statistics over many seeds: npm run bench [-- NAME…]. Without names: the quick ones.
import { must, mustPackage, setUp } from "./setup.mjs";

setUp();
mustPackage("typescript", "-p", "tsconfig.test.json");
must(process.execPath, [".build/bench/main.js", ...process.argv.slice(2)]);
