/** What the parameter vectors for which a model blows up have in common, in words. */

import type { PosteriorUnknown } from "../likelihood/unknowns.ts";
import type { Cloud } from "../smc/cloud.ts";

/** `Most of them have k3 above 40.`; empty when no single parameter tells them apart. */
export function divergenceHint(unknowns: readonly PosteriorUnknown[], { z, n, logLik }: Cloud): string {
	const dead: number[] = [];
	const alive: number[] = [];
	for (let b = 0; b < n; b++) (logLik[b] === Number.NEGATIVE_INFINITY ? dead : alive).push(b);
	if (dead.length === 0 || alive.length < 5) return "";
	let best = { score: 0.8, text: "" };
	for (const [i, { name, prior }] of unknowns.entries()) {
		const values = alive.map((b) => z[i * n + b]).sort((a, b) => a - b);
		const [low, high] = [0.1, 0.9].map((q) => values[Math.floor(q * (values.length - 1))]);
		for (const [edge, word] of [
			[low, "below"],
			[high, "above"],
		] as const) {
			const beyond = dead.filter((b) =>
				word === "below" ? z[i * n + b] < edge : z[i * n + b] > edge,
			).length;
			const score = beyond / dead.length;
			if (score > best.score)
				best = {
					score,
					text: `Most of them have ${name} ${word} ${Number(prior.fromSampled(edge).toPrecision(2))}.`,
				};
		}
	}
	return best.text;
}
