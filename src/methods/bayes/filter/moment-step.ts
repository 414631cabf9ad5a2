/** The step of the second moments in the form that a filter keeps them in. */
import { CovarianceStep, type MomentStep, type RootAlgebra, type Symmetric } from "./covariance.ts";
import type { FilterSpec } from "./filter-spec.ts";
import type { Layout } from "./layout.ts";
import { RootStep } from "./square-root.ts";

export function momentStep<V>(
	form: FilterSpec["form"],
	algebra: RootAlgebra<V>,
	layout: Layout,
	moments: Symmetric<V>,
	g: readonly V[] | undefined,
): MomentStep<V> {
	return form === "root"
		? new RootStep(algebra, layout, moments, g)
		: new CovarianceStep(algebra, layout, moments, g);
}
