/**
 * `doses` of a record: `{ depot: AMT }` names a column of amounts, `{ depot: { amount: AMT, compartment: 1 } }` also which of
 * them, and `{ depot: [{ time: 0, amount: 320 }] }` lists them.
 */
import type { Dose, DoseColumn } from "../../data/doses.ts";
import type { StudyRecord } from "../study.ts";
import { boolean, integer, mapping, number, oneOrMany, type Shape, text } from "../text/schema.ts";

const listed = mapping("a dose, like { time: 0, amount: 320 }", {
	time: number(),
	amount: number(),
	duration: number({ min: 0, open: true }),
	rate: number({ min: 0, open: true }),
	more: integer({ min: 0, max: 10_000 }),
	every: number({ min: 0, open: true }),
	steady: boolean,
});
const inFile = mapping("a column of amounts, like { amount: AMT, compartment: 1 }", {
	amount: text,
	compartment: integer(),
});

export type GivenDoses =
	| { readonly kind: "columns"; readonly column: DoseColumn }
	| { readonly kind: "list"; readonly doses: readonly Dose[] };

export const doseShape: Shape<GivenDoses> = {
	expects: "a column of amounts like AMT, or a list of doses like [{ time: 0, amount: 320 }]",
	read(place) {
		const { tree } = place;
		const has = (key: string): boolean =>
			tree.kind === "map" && tree.entries.some((entry) => entry.key === key);
		if (tree.kind === "list" || has("time")) {
			const doses = oneOrMany(listed).read(place);
			if (!doses) return undefined;
			if (doses.some(({ time, amount }) => time === undefined || amount === undefined))
				return place.wrong(
					`${place.path}: a dose needs its time and its amount`,
					"For example  { time: 0, amount: 320 }",
				);
			return { kind: "list", doses: doses as Dose[] };
		}
		if (tree.kind === "map") {
			const { amount, compartment } = inFile.read(place) ?? {};
			if (amount === undefined) return place.expected(this.expects);
			return {
				kind: "columns",
				column: { amount, ...(compartment === undefined ? {} : { compartment }) },
			};
		}
		if (tree.kind !== "scalar" || typeof tree.value !== "string") return place.expected(this.expects);
		const amount = text.read(place);
		return amount === undefined ? undefined : { kind: "columns", column: { amount } };
	},
};

/** As a record keeps them. `doses: {}` says that nothing is given, whatever the file holds. */
export function dosesOf(
	given: Readonly<Record<string, GivenDoses>> | undefined,
): Pick<StudyRecord, "doses" | "doseColumns"> {
	if (!given) return {};
	const lists = Object.entries(given).flatMap(([name, own]) =>
		own.kind === "list" ? [[name, own.doses]] : [],
	);
	const columns = Object.entries(given).flatMap(([name, own]) =>
		own.kind === "columns" ? [[name, own.column]] : [],
	);
	return {
		...(lists.length > 0 || columns.length === 0 ? { doses: Object.fromEntries(lists) } : {}),
		...(columns.length > 0 ? { doseColumns: Object.fromEntries(columns) } : {}),
	};
}

/** As a study file says them. */
export function dosesText({ doses, doseColumns = {} }: Pick<StudyRecord, "doses" | "doseColumns">): {
	doses?: Record<string, unknown>;
} {
	const all = {
		...Object.fromEntries(Object.entries(doses ?? {}).map(([name, list]) => [name, [...list]])),
		...Object.fromEntries(
			Object.entries(doseColumns).map(([name, { amount, compartment }]) => [
				name,
				compartment === undefined ? amount : { amount, compartment },
			]),
		),
	};
	return doses || Object.keys(all).length > 0 ? { doses: all } : {};
}
