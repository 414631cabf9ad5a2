import { defineConfig } from "vitest/config";

/**
 * Folders whose tests change nothing that another could see: no environment, no global, no module. They share their threads and
 * what was loaded there, which saves a quarter of their time; every other file has a process of its own.
 */
const pure = [
	"architecture",
	"interval",
	"lower",
	"model",
	"num",
	"report",
	"solve",
	"estimate",
	"methods",
].map((folder) => `test/${folder}/**/*.test.ts`);
// A damaged file stops the HDF5 library for its whole thread.
pure.push("test/data/**/!(mat73|read-elsewhere).test.ts");

const pages = ["test/workbench/**/*.test.ts"];

export default defineConfig({
	test: {
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// All of them: a third of the tests waits for programs and browsers.
		maxWorkers: "100%",
		// A spy of one test is not for the next.
		restoreMocks: true,
		projects: [
			{ extends: true, test: { name: "pure", include: pure, pool: "threads", isolate: false } },
			{
				extends: true,
				test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...pure, ...pages] },
			},
			// A browser on a busy machine may answer later than a test looks: once more, then it counts.
			{ extends: true, test: { name: "pages", include: pages, retry: 1 } },
		],
	},
});
