/** Doses of a record: listed in the study, or as rows of its file the way that pharmacologists write them. */
import type { Model } from "../../src/model/model.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";
import type { Row } from "./data-files.ts";

/** Unknown functions and combinations are for methods that take neither doses nor limits, and say so: that is tried seldom. */
export function hasNumbersOnly({ unknowns, params, measures }: Model): boolean {
	const isLaw = measures.every(({ kind }) => kind === "distribution");
	return isLaw && unknowns.length === 0 && params.every(({ terms }) => !terms);
}

/** What is dosed, where anything is: an input of the data, or a state. */
export function dosedPlace(d: Draws, model: Model): string | undefined {
	const [input] = model.inputs.filter(({ knowledge }) => knowledge.kind === "none");
	// A bolus into an equation of higher order is refused.
	const isTaken = model.states[0].order === 1 && hasNumbersOnly(model);
	if (!d.chance(!isTaken ? 0.02 : input ? 0.35 : 0.04)) return undefined;
	return input && d.chance(0.8) ? input.name : d.pick(model.components);
}

/** As the study lists them. */
export function listedDoses(d: Draws, place: string, from: number, to: number): string {
	const list = Array.from({ length: d.whole(1, 3) }, () => {
		const more = d.either(
			() => "",
			() => `, duration: ${d.decimal(0.1, 1)}`,
			() => `, rate: ${d.decimal(0.5, 5)}`,
			() => `, more: ${d.whole(0, 3)}, every: ${d.decimal(0.1, 1)}`,
		);
		return `{ time: ${timeWithin(d, from, to)}, amount: ${d.decimal(0.1, 2)}${more} }`;
	});
	return `doses: { ${place}: [${list.join(", ")}] }`;
}

/** Adds rows of doses, and the columns that say what a row is. */
export function dosesInRows(d: Draws, place: string, rows: Row[], time: string): string {
	const times = rows.map((row) => Number(row[time]));
	const has = {
		EVID: d.chance(0.6),
		MDV: d.chance(0.3),
		CMT: d.chance(0.3),
		ADDL: d.chance(0.3),
	};
	const lasting = d.pick(["", "RATE", "DUR"]);
	for (const row of rows)
		Object.assign(row, {
			AMT: d.pick(["", "0", "."]),
			...(has.EVID && { EVID: "0" }),
			...(has.MDV && { MDV: "0" }),
			...(has.CMT && { CMT: "1" }),
			...(lasting && { [lasting]: "0" }),
			...(has.ADDL && { ADDL: "0", II: "0" }),
		});
	for (let k = d.whole(1, 3); k > 0; k--) {
		const isReset = has.EVID && d.chance(0.1);
		rows.push({
			[time]: timeWithin(d, times[0], times[times.length - 1]),
			AMT: d.decimal(0.1, 2),
			...(has.EVID && { EVID: isReset ? d.pick(["3", "4"]) : d.pick(["1", "1", "1", "2"]) }),
			...(has.MDV && { MDV: "1" }),
			...(has.CMT && { CMT: d.chance(0.9) ? "1" : "2" }),
			...(lasting && { [lasting]: d.pick(["0", d.decimal(0.1, 2)]) }),
			...(has.ADDL && { ADDL: String(d.whole(0, 2)), II: d.decimal(0.1, 1) }),
		});
	}
	rows.sort((a, b) => Number(a[time]) - Number(b[time]));
	return `doses: { ${place}: ${d.chance(0.7) ? "AMT" : "{ amount: AMT, compartment: 1 }"} }`;
}

/** Sometimes before the record begins, which is an error; often at its very start. */
function timeWithin(d: Draws, from: number, to: number): string {
	return d.either(
		() => String(from),
		() => String(Number((from + d.between(0, 0.9) * (to - from)).toPrecision(6))),
		() => String(Number((from + d.between(d.chance(0.1) ? -0.5 : 0, 0.5) * (to - from)).toPrecision(3))),
	);
}
