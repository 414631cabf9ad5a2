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
export { divExtendedInto, divInto, recipInto } from "./division.ts";
export { domain } from "./domain.ts";
export {
	acosInto,
	asinInto,
	atanInto,
	coshInto,
	cosInto,
	cotInto,
	cscInto,
	expInto,
	logInto,
	powIntInto,
	powInto,
	secInto,
	sinhInto,
	sinInto,
	tanhInto,
	tanInto,
} from "./elementary/functions.ts";
export { sqrtInto } from "./elementary/root.ts";
export { fromDecimal, fromRational, pi } from "./exact.ts";
export { fmaInto } from "./fma.ts";
export { entire, type Interval, interval } from "./interval.ts";
export { matrixMultiplyInto, numberMatrixMultiplyInto } from "./matrix.ts";
export { down, up } from "./rounding.ts";
export * from "./set/arithmetic.ts";
export * as decorated from "./set/decorated.ts";
export * from "./set/elementary.ts";
export { pown as powInt } from "./set/elementary.ts";
export * from "./set/numbers.ts";
export * from "./set/reductions.ts";
export * from "./set/relations.ts";
export { absRev, coshRev, mulRev, mulRevToPair, pownRev, sqrRev } from "./set/reverse.ts";
export { powRev1, powRev2 } from "./set/reverse-powers.ts";
export { cosRev, sinRev, tanRev } from "./set/reverse-waves.ts";
export { cbrt, rootn } from "./set/roots.ts";
export {
	convexHull,
	convexHull as hull,
	empty,
	intersection,
	isEmpty,
	type Operand,
} from "./set/set-interval.ts";
export { signals } from "./set/signals.ts";
export { intervalToExact, intervalToText, numsToInterval, textToInterval } from "./set/text.ts";
export type { JetFunction } from "./taylor/jets.ts";
export { TaylorFunctions } from "./taylor/taylor-functions.ts";
export { type TaylorModel, TaylorSpace } from "./taylor/taylor-model.ts";
export { addDown, addUp, divDown, divUp, mulDown, mulUp } from "./tightest.ts";
