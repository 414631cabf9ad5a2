/** Every method, stopped after some steps on one place and gone on with on another: the answer of an undisturbed run. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { Threads } from "../../src/compute/node/threads.ts";
import { build } from "../cli/odentify.ts";
import { repetitions } from "../repetitions.ts";
import { answerInHalves, answerOn, studies } from "./small-studies.ts";

const threads = new Threads({ threads: 2, smallest: 0 });
beforeAll(build, 300_000);
afterAll(() => threads.close());

describe.each(Object.keys(studies))("%s", (method) => {
	test("after 1, 4, 16 … steps", async () => {
		const { text } = await answerOn(inline, method);
		let cuts = 0;
		for (let cut = 1; cut <= 64; cut *= repetitions(4, 2)) {
			const [first, second] = cuts % 2 === 0 ? [inline, threads] : [threads, inline];
			const halves = await answerInHalves(first, second, method, cut);
			if (halves.ended) break;
			expect(halves.text === text, `${method}, cut after ${cut}`).toBe(true);
			cuts++;
		}
		expect(cuts).toBeGreaterThan(0);
	}, 180_000);
});
