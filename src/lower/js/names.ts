/** What generated JavaScript may call. */
import * as elementary from "../../num/elementary/number.ts";
import { copysign, exponent, mantissa, pow2 } from "../../num/elementary/primitives.ts";

export const names: Readonly<Record<string, unknown>> = { ...elementary, copysign, exponent, mantissa, pow2 };
