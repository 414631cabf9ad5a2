/** Verified arithmetic: enclosures that hold the truth whatever rounding does. */
export {
	absInto,
	addInto,
	addProductInto,
	type Bounds,
	hullInto,
	intersectInto,
	maxInto,
	minInto,
	mulInto,
	negInto,
	scaleInto,
	sqrInto,
	subInto,
} from "./arithmetic.ts";
export {
	type Box,
	box,
	boxBisect,
	boxContains,
	boxHull,
	boxInside,
	boxIntersect,
	boxMid,
	boxOfPoint,
	boxSide,
	boxStrictlyInside,
	boxVolume,
	boxWidestSide,
	boxWidth,
} from "./box.ts";
export { divExtendedInto, divInto } from "./division.ts";
export { domain } from "./domain.ts";
export { fromDecimal, fromRational, pi } from "./exact.ts";
export {
	acosInto,
	asinInto,
	atanInto,
	coshInto,
	cosInto,
	expInto,
	logInto,
	powIntInto,
	powInto,
	sinhInto,
	sinInto,
	sqrtInto,
	tanhInto,
	tanInto,
} from "./functions.ts";
export { entire, type Interval, interval } from "./interval.ts";
export type { JetFunction } from "./jets.ts";
export { matrixMultiplyInto, numberMatrixMultiplyInto } from "./matrix.ts";
export * from "./operations.ts";
export * from "./relations.ts";
export { divDown, divUp, down, mulDown, mulUp, up } from "./rounding.ts";
export { TaylorFunctions } from "./taylor-functions.ts";
export { type TaylorModel, TaylorSpace } from "./taylor-model.ts";
