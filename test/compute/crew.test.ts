/** Worker threads for work that is no kernel: what becomes of it where a thread cannot do it. */
import { describe, expect, it } from "vitest";
import { CrewThreads } from "../../src/compute/node/crew-threads.ts";

describe("a crew", () => {
	it("is none where there is one thread", () => {
		expect(new CrewThreads(1).crew("nothing", {})).toBeUndefined();
	});

	it("gives work back that it cannot do, and can be asked again", async () => {
		const threads = new CrewThreads(2);
		const crew = threads.crew<number, number>("no/such/module", {})!;
		expect(crew.size).toBe(2);
		await expect(Promise.all([crew.do(1), crew.do(2), crew.do(3)])).rejects.toThrow("no/such/module");
		await expect(crew.do(4)).rejects.toThrow("no/such/module");
		crew.close();
		await threads.close();
	});

	it("gives back what a thread was at when the threads are ended", async () => {
		const threads = new CrewThreads(2);
		const crew = threads.crew<number, number>("no/such/module", {})!;
		const asked = [1, 2, 3, 4].map((item) => crew.do(item).catch((error: Error) => error.message));
		await threads.close();
		for (const answer of await Promise.all(asked)) expect(answer).toBe("a worker thread was ended");
		expect(threads.threads).toEqual([]);
	});
});
