/**
 * The best bounds of x·y + z, rounded once.
 *
 * x·y = p + e exactly; p + z = s + t and t + e = u + v exactly, so the truth is s + u + v. s + u = h + l exactly. v is at most half
 * a unit of u's last place, of which s, u, h and l are multiples. So where l ≠ 0 it has the sign of l + v, which is less than the distance from h to
 * the next double; where l = 0 the truth is the sum h + v. Products that are no exact pairs, and sums near the ends of the range, are done in
 * whole numbers.
 */
import { productError, sumError } from "./double-double.ts";
import { addDyadic, dyadic, dyadicToward, mulDyadic } from "./dyadic.ts";
import { after, before, type Side } from "./rounding.ts";
import { addDown, addUp } from "./tightest.ts";

const LEAST = 1e-270;
const MOST = 1e300;

/** Bound of x·y + z; 0·Inf is 0, and z is not the infinity opposite to a product that is one. */
export function fmaToward(x: number, y: number, z: number, side: Side): number {
	if (x === 0 || y === 0) return z;
	const p = x * y;
	if (!Number.isFinite(x) || !Number.isFinite(y)) return p + z;
	if (!Number.isFinite(z)) return z;
	const e = productError(x, y, p);
	const size = Math.abs(p);
	if (!(size > LEAST && size < MOST && Math.abs(z) < MOST) || Number.isNaN(e))
		return dyadicToward(addDyadic(mulDyadic(dyadic(x), dyadic(y)), dyadic(z)), side);
	const s = p + z;
	const t = sumError(p, z, s);
	const u = t + e;
	const v = sumError(t, e, u);
	const h = s + u;
	const l = sumError(s, u, h);
	if (l === 0) return side < 0 ? addDown(h, v) : addUp(h, v);
	if (side < 0) return l < 0 ? before(h) : h;
	return l > 0 ? after(h) : h;
}
