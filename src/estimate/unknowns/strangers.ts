/** Test records of what was not fitted: where values differ from record to record, nothing is known of theirs. */
import { type Experiment, unitOf } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { ownInEachRecord } from "../../model/population.ts";

export function refuseStrangers(
	model: Model,
	train: readonly Experiment[],
	test: readonly Experiment[],
): void {
	const [own] = ownInEachRecord(model);
	const known = new Set(train.map(unitOf));
	const stranger = own && test.find((experiment) => !known.has(unitOf(experiment)));
	if (stranger)
		throw new InputError(
			`test record ${stranger.name}`,
			`is of no record that is fitted, and ${own.keyword} ${own.name} differs from record to record`,
			"Hold back rows of the records that are fitted, as  train: 0..100  and  test: 100..200 .",
		);
}
