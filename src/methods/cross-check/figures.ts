/** Each parameter's answers on one axis, a line a method. */
import type { Figure, Mark } from "../../estimate/figure.ts";
import type { Agreement, MethodAnswer } from "../../estimate/result.ts";

const halfHeight = 0.22;

export function comparisonFigures(
	answers: readonly MethodAnswer[],
	agreement: readonly Agreement[],
): Figure[] {
	return agreement.flatMap(({ parameter, verdict, why }): Figure[] => {
		const claims = answers.flatMap(({ method, intervalName, parameters }) => {
			const row = parameters.find(({ name }) => name === parameter);
			return row ? [{ method, intervalName, row }] : [];
		});
		if (claims.length < 2) return [];
		const marks = claims.flatMap(({ row }, i): Mark[] => {
			const y = claims.length - i;
			const { estimate, sd, proved } = row;
			const lo = row.lo ?? estimate - 2 * (sd ?? 0);
			const hi = row.hi ?? estimate + 2 * (sd ?? 0);
			const ends = Number.isFinite(lo) && Number.isFinite(hi);
			return [
				...(ends
					? [
							{
								type: "boxes" as const,
								x0: [lo],
								x1: [hi],
								y0: [y - halfHeight],
								y1: [y + halfHeight],
								role: proved ? ("accent" as const) : ("model" as const),
							},
						]
					: []),
				...(proved
					? []
					: [
							{
								type: "points" as const,
								x: [estimate],
								y: [y],
								role: "data" as const,
							},
						]),
			];
		});
		const lines = claims.map(
			({ method, intervalName }) => `${method} (${intervalName || "2 standard deviations"})`,
		);
		return [
			{
				name: `agreement-${parameter}`,
				title: `${parameter}: ${verdict === "contradict" ? "the methods contradict one another" : "the methods agree"}`,
				caption: `From the top: ${lines.join(", ")}. ${why}`,
				xLabel: parameter,
				yLabel: "",
				marks,
				yNames: claims.map(({ method }, i) => ({ at: claims.length - i, name: method })),
				section: "sure",
				small: true,
			},
		];
	});
}
