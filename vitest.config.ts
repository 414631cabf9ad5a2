import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL(".", import.meta.url));

/**
 * `npm test` tests what was built: a source that a test imports is then the compiled file of the same name in `dist`, loaded
 * by Node itself. Loops run as they do for a user, not through the getters that a transformed import becomes, and no file
 * is transformed again. Without it (`npx vitest`, which watches the sources) they are taken as they stand.
 */
const built = {
	name: "built",
	enforce: "pre" as const,
	resolveId(source: string, importer: string | undefined): string | undefined {
		if (!importer || !source.startsWith(".") || !source.endsWith(".ts")) return undefined;
		const inside = relative(join(root, "src"), resolve(dirname(importer), source));
		return inside.startsWith("..") ? undefined : join(root, "dist", inside.replace(/\.ts$/, ".js"));
	},
};
const isBuilt = process.env.ODENTIFY_TEST === "built";
/** Files in `dist`, whatever characters the way to the checkout has. */
const inDist = new RegExp(`^${join(root, "dist", sep).replace(/[^\w/]/g, "\\$&")}`);

/**
 * Folders whose tests change nothing that another could see: no environment, no global, no module. They share their threads and
 * what was loaded there, which saves a quarter of their time.
 */
const pure = [
	"architecture",
	"estimate",
	"help",
	"interval",
	"lower",
	"methods",
	"model",
	"num",
	"papers",
	"prove",
	"report",
	"solve",
	"templates",
].map((folder) => `test/${folder}/**/*.test.ts`);
// A damaged file stops the HDF5 library for its whole thread.
pure.push("test/data/**/!(mat73|hdf5-library|read-elsewhere).test.ts");
// Exports are run by programs of the system, which may still be on their way when these begin.
pure.push("test/formats/**/!(export).test.ts");

/** Folders whose tests start processes or take the files' own folder, and leave the process that they run in as they found it. */
const shared = ["cli", "docs", "library", "package", "random", "serve", "study"].map(
	(folder) => `test/${folder}/**/*.test.ts`,
);

shared.push(
	"test/formats/export.test.ts",
	"test/compute/(breathing|deployment|inline|job-sizes|kernel-cache|pace|state-forms|stop-signal|validate-kernel).test.ts",
);

const pages = ["test/workbench/**/*.test.ts"];

/** Tests that wait for programs and browsers leave room for one more; those that only compute come after them, or beside (scripts/test.mjs). */
const waiting = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };
const computing = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };

/**
 * Where nothing is known of earlier runs, files run by size, the largest first. These take long though they are small: as the last of
 * all, one would keep the others' processors waiting.
 */
const long = [
	"prove/mended",
	"methods/guaranteed/truth",
	"methods/kriging/hard-records",
	"methods/fit/cut-rounds",
].map((file) => join(root, "test", `${file}.test.ts`));
class LongFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const isLong = ({ moduleId }: TestSpecification): boolean => long.includes(moduleId);
		return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
	}
}

export default defineConfig({
	plugins: isBuilt ? [built] : [],
	test: {
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// A spy of one test is not for the next.
		restoreMocks: true,
		sequence: { sequencer: LongFirst },
		server: isBuilt ? { deps: { external: [inDist] } } : {},
		projects: [
			{
				extends: true,
				test: {
					name: "pure",
					include: pure,
					pool: "threads",
					isolate: false,
					// They give way to the others, which may take a while.
					testTimeout: 600_000,
					...computing,
				},
			},
			{
				extends: true,
				test: {
					name: "apart",
					include: ["test/**/*.test.ts"],
					exclude: [...pure, ...shared, ...pages],
					...waiting,
				},
			},
			{ extends: true, test: { name: "shared", include: shared, isolate: false, ...waiting } },
			// They share a browser. On a busy machine it may answer later than a test looks: once more, then it counts.
			{ extends: true, test: { name: "pages", include: pages, retry: 1, isolate: false, ...waiting } },
		],
	},
});
