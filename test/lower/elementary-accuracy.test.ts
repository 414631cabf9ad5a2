import { describe, expect, test } from "vitest";
import * as elementary from "../../src/num/elementary/number.ts";
import * as truth from "./support/big-real.ts";
import { RandomDoubles } from "./support/random-doubles.ts";

/** Points of one kind for a function. */
type Draw = (r: RandomDoubles) => number;
const perKind = 2400;
const { pow, ...unary } = elementary;
const implementations: Readonly<Record<string, (x: number) => number>> = unary;

/** Doubles that lie nearest to multiples of π/2 (found by continued fractions), and others that are hard to reduce. */
const hardAngles = [
	6381956970095103 * 2 ** 797,
	5319372648326541 * 2 ** -50,
	6411027962775774 * 2 ** -47,
	1e22,
	2 ** 1023,
	1.7976931348623157e308,
	2 ** 20,
	2 ** 20 - 2 ** -32,
	Math.PI,
	Math.PI / 2,
	355,
	52174 * Math.PI,
	710,
	103993,
];
const angles: Draw[] = [
	(r) => r.between(-0.8, 0.8),
	(r) => r.between(-10, 10),
	(r) => r.between(-1.05e6, 1.05e6),
	(r) => r.magnitude(-60, 1023.9),
	(r) => (r.whole(2e6) - 1e6) * (Math.PI / 2),
	(r) => hardAngles[r.whole(hardAngles.length)] * (r.next() < 0.5 ? -1 : 1),
];
const hyperbolic: Draw[] = [
	(r) => r.between(-711, 711),
	(r) => r.between(-3, 3),
	(r) => r.magnitude(-60, 4),
	(r) => r.magnitude(-1070, -30),
];
const arcs: Draw[] = [
	(r) => r.between(-1, 1),
	(r) => r.magnitude(-60, 0),
	(r) => 1 - 2 ** r.between(-53, -1),
	(r) => -1 + 2 ** r.between(-53, -1),
	(r) => (0.5 + r.magnitude(-40, -5)) * (r.next() < 0.5 ? -1 : 1),
];

/** Each function: its bound in units of the last place, its points, its truth given a double that is near. */
const functions: Record<
	string,
	{ bound: number; draws: Draw[]; of: (x: truth.Big, near: number) => truth.Big }
> = {
	exp: {
		bound: 1,
		draws: [
			(r) => r.between(-745, 710),
			(r) => r.between(-2, 2),
			(r) => r.magnitude(-60, 3),
			(r) => r.between(-746, -707),
		],
		of: truth.exp,
	},
	log: {
		bound: 1,
		draws: [
			(r) => 2 ** r.between(-1074, 1023.9),
			(r) => r.between(0.5, 2),
			(r) => 1 + r.magnitude(-52, -2),
			(r) => 2 ** -1074 * (1 + r.whole(1000)),
		],
		of: truth.log,
	},
	sin: { bound: 1, draws: angles, of: truth.sin },
	cos: { bound: 1, draws: angles, of: truth.cos },
	tan: { bound: 1.2, draws: angles, of: truth.tan },
	asin: { bound: 1, draws: arcs, of: truth.asin },
	acos: { bound: 1, draws: arcs, of: truth.acos },
	atan: {
		bound: 1,
		draws: [
			(r) => r.between(-5, 5),
			(r) => r.magnitude(-60, 60),
			(r) => r.between(-0.5, 0.5),
			(r) => r.magnitude(-1, 1.5),
		],
		of: truth.atan,
	},
	sinh: { bound: 2, draws: hyperbolic, of: truth.sinh },
	cosh: { bound: 1, draws: hyperbolic, of: truth.cosh },
	tanh: { bound: 1.5, draws: [...hyperbolic.slice(1), (r) => r.between(-22, 22)], of: truth.tanh },
};

function worstOf(value: number, exact: truth.Big): number {
	if (truth.overflows(exact)) return Number.isFinite(value) ? Number.POSITIVE_INFINITY : 0;
	return Number.isFinite(value) ? truth.ulpError(value, exact) : Number.POSITIVE_INFINITY;
}

describe("elementary functions are within 2 ulp of the truth", () => {
	test("the truth itself agrees with published digits", () => {
		const digits = (x: truth.Big): string => {
			const scaled = x.e >= 0 ? x.m << BigInt(x.e) : (x.m * 10n ** 40n) >> BigInt(-x.e);
			return scaled.toString().slice(0, 38);
		};
		expect(digits(truth.pi)).toBe("31415926535897932384626433832795028841");
		expect(digits(truth.exp(truth.big(1)))).toBe("27182818284590452353602874713526624977");
		expect(digits(truth.log(truth.big(10), Math.log(10)))).toBe("23025850929940456840179914546843642076");
		expect(digits(truth.sin(truth.big(1)))).toBe("84147098480789650665250232163029899962");
		expect(digits(truth.tan(truth.big(1)))).toBe("15574077246549022305069748074583601730");
		expect(digits(truth.atan(truth.big(0.5), Math.atan(0.5)))).toBe("46364760900080611621425623146121440202");
		expect(digits(truth.asin(truth.big(0.5), Math.asin(0.5)))).toBe("52359877559829887307710723054658381403");
		expect(digits(truth.acos(truth.big(0.5), Math.acos(0.5)))).toBe("10471975511965977461542144610931676280");
		expect(digits(truth.tanh(truth.big(1)))).toBe("76159415595576488811945828260479359041");
	});

	for (const [name, { bound, draws, of }] of Object.entries(functions))
		test(`${name}: ${bound} ulp`, () => {
			const r = new RandomDoubles(name.length * 1000 + name.charCodeAt(0));
			const f = implementations[name];
			let worst = 0;
			let where = 0;
			for (const draw of draws)
				for (let i = 0; i < perKind; i++) {
					const x = draw(r);
					const value = f(x);
					const error = worstOf(value, of(truth.big(x), value));
					if (!(error <= worst)) {
						worst = error;
						where = x;
					}
				}
			expect(worst, `${name}(${where}) = ${f(where)}`).toBeLessThanOrEqual(bound);
		});

	test("pow: 1 ulp", () => {
		const r = new RandomDoubles(77);
		let worst = 0;
		let where = [0, 0];
		const check = (x: number, y: number): void => {
			const value = pow(x, y);
			const exact = truth.pow(truth.big(Math.abs(x)), Math.log(Math.abs(x)), truth.big(y));
			const signed = x < 0 && y % 2 !== 0 ? truth.negate(exact) : exact;
			const error = worstOf(value, signed);
			if (!(error <= worst)) {
				worst = error;
				where = [x, y];
			}
		};
		for (let i = 0; i < 2 * perKind; i++) {
			const large = 2 ** r.between(-1074, 1023.9);
			check(large, r.between(-745, 709.7) / Math.log(large));
			check(r.between(0, 10), r.between(-30, 30));
			const nearOne = 1 + r.magnitude(-50, -2);
			check(nearOne, r.between(-740, 709) / Math.log(nearOne));
			check(-r.between(0, 20), Math.round(r.between(-40, 40)));
		}
		expect(worst, `pow(${where})`).toBeLessThanOrEqual(1);
	});
});
