/** Random expressions and models, as text of the language. */
import fc from "fast-check";

const number = fc.oneof(
	fc.integer({ min: 0, max: 20 }).map(String),
	fc.integer({ min: 1, max: 999 }).map((n) => String(n / 100)),
	fc.constantFrom("1e-3", "2.5e2", ".5", "1.", "3e0"),
);

/** Smooth functions that are defined everywhere, so that values can be compared at any point. */
const wrap = (inner: string, name: string): string =>
	name === "cosh"
		? `cosh(sin(${inner}))`
		: name === "log"
			? `log(2 + (${inner})^2)`
			: name === "sqrt"
				? `sqrt(1 + (${inner})^2)`
				: `${name}(${inner})`;
const smooth = ["sin", "cos", "tanh", "atan", "log", "sqrt", "cosh"];
const kinked = ["abs", "sign"];

export interface ExpressionOptions {
	readonly symbols: readonly string[];
	/** With abs, sign, min, max and if. */
	readonly kinks: boolean;
}

/** Expressions with a bounded depth; values stay moderate for symbols of moderate size. */
export function expression({ symbols, kinks }: ExpressionOptions): fc.Arbitrary<string> {
	const { tree } = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
		leaf: fc.oneof(number, fc.constantFrom(...symbols), fc.constant("pi")),
		tree: fc.oneof(
			{ maxDepth: 4, depthSize: "small" },
			tie("leaf"),
			fc
				.array(fc.tuple(fc.constantFrom("+", "-"), tie("tree")), { minLength: 2, maxLength: 4 })
				.map((terms) => `(${terms.map(([sign, term]) => `${sign} ${term}`).join(" ")})`),
			fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => `${a}*${b}`),
			fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => `${a}/(1 + (${b})^2)`),
			fc.tuple(tie("tree"), fc.integer({ min: 0, max: 4 })).map(([a, n]) => `(${a})^${n}`),
			tie("tree").map((a) => `-(${a})`),
			fc
				.tuple(tie("tree"), fc.constantFrom(...smooth, ...(kinks ? kinked : [])))
				.map(([a, name]) => wrap(a, name)),
			...(kinks
				? [
						fc
							.tuple(tie("tree"), tie("tree"), fc.constantFrom("min", "max"))
							.map(([a, b, name]) => `${name}(${a}, ${b})`),
						fc
							.tuple(tie("tree"), tie("tree"), tie("tree"), fc.constantFrom("<", "<=", ">", ">="))
							.map(([a, b, c, sign]) => `if(${a} ${sign} ${b}, ${c}, ${a})`),
					]
				: []),
		),
	}));
	return tree;
}

const distribution = fc.constantFrom(
	"~ normal(0, 1)",
	"~ lognormal(log(3), 0.5)",
	"~ uniform(-1, 2)",
	"~ halfnormal(2)",
	"~ loguniform(1/100, 10)",
	"~ student(4, 0, 1) > 0",
	"~ cauchy(0, 1) < 2^3",
	"~ laplace(0, 1) in [-1, exp(1)]",
	"~ gamma(2, 1.5)",
	"~ beta(2, 3)",
	"~ normal(mean: 1/3, sd: exp(-1))",
	"in [-1, 2.5]",
	"in 1 +- 0.25",
	"",
);

/** Whole models: parameters of all kinds, a second-order and a first-order state, lets, inputs, unknowns, measures. */
export const model: fc.Arbitrary<string> = fc
	.record({
		known: number,
		free: fc.array(distribution, { minLength: 3, maxLength: 3 }),
		rest: expression({ symbols: ["x", "x'", "z", "a", "b", "g", "u", "t", "w"], kinks: true }),
		rate: expression({ symbols: ["x", "z", "b", "g", "w"], kinks: true }),
		named: expression({ symbols: ["x", "a", "g"], kinks: true }),
		formula: expression({ symbols: ["t", "g"], kinks: false }),
		seen: expression({ symbols: ["x", "x'", "x''", "z", "w", "a"], kinks: true }),
		shape: fc.constantFrom("explicit", "mass", "reversed"),
		measure: fc.constantFrom("=", "in", "~ normal", "~ lognormal"),
		start: fc.constantFrom("= 0", "= a", "in [0, 1]", "~ normal(0, 1)", "= p*c", ""),
	})
	.map((parts) => {
		const { shape, rest, seen } = parts;
		const second =
			shape === "explicit"
				? `x'' = ${rest}`
				: shape === "mass"
					? `(1 + a^2)*x'' + b*x' + ${rest} = u`
					: `u = ${rest} - 3*x''`;
		const measure =
			parts.measure === "="
				? `= ${seen}`
				: parts.measure === "in"
					? `in ${seen} +- (0.5 + b^2)`
					: `${parts.measure}(${seen}, 0.1)`;
		return [
			"input u",
			`input v = ${parts.formula}`,
			"condition c",
			`param g = ${parts.known}`,
			`param a ${parts.free[0]}, b ${parts.free[1]}`,
			"param p(1, c, c^2)",
			`param d ${parts.free[2] || "in [0, 1]"}, d' in [-0.1, 0.1]`,
			"unknown f(x, y) = polynomial(2)",
			"unknown h(x) ~ kriging(trend: 2)",
			"unknown s(x) = fourier(3, period: 2*pi)",
			`state x ${parts.start}, x' = 0`,
			`state z ${parts.start}`,
			`let w = ${parts.named}`,
			second,
			`z' = ${parts.rate} + u + v + p + d + f(x, z) - h(x)*s(z)`,
			`measure y ${measure}`,
		].join("\n");
	});
