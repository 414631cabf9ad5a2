/**
 * P(|T| > t) of Student's law, by Wallace's transformation to a normal variable.
 *
 * Reference: Wallace, "Bounds on normal approximations to Student's and the chi-square distributions", Ann. Math. Stat. 30,
 * 1959.
 */
import { log } from "../elementary/number.ts";
import { normalTail } from "./incomplete-gamma.ts";

export function studentTails(t: number, degrees: number): number {
	const z = ((8 * degrees + 1) / (8 * degrees + 3)) * Math.sqrt(degrees * log(1 + (t * t) / degrees));
	return 2 * normalTail(z);
}
