/** Whether a result names what is wrong with a problem. */
import type { Result } from "../../src/estimate/result.ts";
import { families } from "../../src/prove/families.ts";
import type { ProvedProblem } from "../../src/prove/problem.ts";

/** By codes of doubts, where the doubt is the fault's name. */
const codes: Readonly<Record<string, readonly string[]>> = {
	"correlated noise": ["dependent-residuals"],
	outliers: ["outliers"],
	"heavy tails": ["outliers"],
	"wrong declared noise": ["noise-larger"],
	"bound too small": ["noise-larger", "contradiction"],
	"unidentifiable pair": ["unidentifiable"],
	"open as measured": ["unidentifiable"],
};
const words: Readonly<Record<string, RegExp>> = {
	"shifted clock": /samples were taken \S+ (later|earlier) than their times say/,
	drift: / drifted (up|down) by /,
};

/** Undefined where nothing is wrong. */
export function isNamed({ doubts, message }: Result, { fault, family }: ProvedProblem): boolean | undefined {
	if (!fault) return undefined;
	const said = [message, ...doubts.map(({ title }) => title)].join("\n");
	const own = families.find(({ name }) => name === family);
	const equation =
		fault.name === "missing term" ? own?.missing[0] : fault.name === "wrong term" ? own?.wrong[0] : undefined;
	if (equation !== undefined) return said.includes(`in the equation of ${equation}`);
	return (
		(codes[fault.name]?.some((code) => doubts.some((each) => each.code === code)) ?? false) ||
		(words[fault.name]?.test(said) ?? false)
	);
}
