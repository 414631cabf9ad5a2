/** Starting points: the given one, and the best of many drawn ones. */
import type { Compute } from "../../../compute/compute.ts";
import { toSearch, type Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { stream } from "../../../num/random.ts";
import { sumsOfSquares } from "../observer/batch.ts";
import type { Representation } from "../observer/representation.ts";
import type { Objective } from "./search.ts";

const candidatesPerStart = 25;

export async function startingPoints(
	objective: Objective,
	representation: Representation,
	unknowns: readonly Unknown[],
	linear: readonly number[],
	count: number,
	seed: number,
	/** Where the candidates are tried in one batch; without it one after the other. */
	compute: Compute | undefined,
): Promise<Float64Array[]> {
	const given = Float64Array.from(unknowns, (unknown) => toSearch(unknown, unknown.start));
	const streams = unknowns.map(({ name }) => stream(seed, `periodic start ${name}`));
	// Where nothing is searched for, all candidates would be one point.
	const nDrawn = count > 1 && unknowns.length > 0 ? candidatesPerStart * count : 0;
	const drawn = Array.from({ length: nDrawn }, (_, k) =>
		Float64Array.from(unknowns, (unknown, i) => toSearch(unknown, unknown.draw(streams[i], k))),
	);
	const costs =
		!compute || linear.length > 0 || drawn.length === 0
			? drawn.map((z) => objective.cost(objective.bestLinear(z, linear)))
			: await batchCosts(objective, representation, drawn, compute);
	const order = drawn.map((_, k) => k).filter((k) => costs[k] < Number.POSITIVE_INFINITY);
	order.sort((a, b) => costs[a] - costs[b]);
	// A level that nobody gave is best put where it fits best with the other starts.
	const guessed = linear.filter((j) => !unknowns[j].informed);
	return [given, ...order.slice(0, count - 1).map((k) => drawn[k])].map((z) =>
		objective.bestLinear(z, guessed),
	);
}

/** All candidates in one batch, one a lane. */
async function batchCosts(
	objective: Objective,
	representation: Representation,
	points: readonly Float64Array[],
	compute: Compute,
): Promise<Float64Array> {
	const batch = points.length;
	const lambda = new Float64Array(representation.nUnknowns * batch);
	points.forEach((z, b) => {
		objective.natural(z).forEach((value, i) => {
			lambda[i * batch + b] = value;
		});
	});
	return sumsOfSquares(compute, representation, lambda);
}
