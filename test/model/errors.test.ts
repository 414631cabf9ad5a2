/** Every error says where, what, and what to do; all of them come at once. */
import { describe, expect, test } from "vitest";
import { errorsOf, parse } from "./helpers.ts";

/** What the user reads, in full. */
const full: readonly (readonly [string, string, string])[] = [
	[
		"unknown name",
		"input u\nparam m, c, k3\nstate x\n\n# a comment\n\nm*x'' + c*x' + k2*x = u",
		`test.ode:7:16: unknown name "k2"
  7 | m*x'' + c*x' + k2*x = u
    |                ^^
  Did you mean "k3"? Declare it with:  param k2`,
	],
	[
		"wrong arity",
		"state x\nx' = sin(x, 2)",
		`test.ode:2:6: sin takes 1 argument, not 2
  2 | x' = sin(x, 2)
    |      ^^^^^^^^^
  Like this:  sin(x)`,
	],
	[
		"a name declared twice",
		"param a = 1\nparam a\nstate x\nx' = a",
		`test.ode:2:7: parameter "a" is declared twice
  2 | param a
    |       ^
  The first stands in line 1. Take one out, or choose another name.`,
	],
	[
		"an algebraic loop of lets",
		"let a = b + 1\nlet b = 2*a\nstate x\nx' = a",
		`test.ode:1:5: a loop of definitions
  1 | let a = b + 1
    |     ^
  Each uses the next: a, b, a. Write one of them without the others.`,
	],
	[
		"an unclosed bracket stops at the next declaration",
		"state x\nx' = (a + b\nparam a, b",
		`test.ode:2:6: bracket "(" is never closed
  2 | x' = (a + b
    |      ^
  Close it.`,
	],
];

/** Text, the lines of the messages, and a part of the remedy; the caret is checked by the words under it. */
const cases: readonly (readonly [string, string, string, string, string])[] = [
	// name, text, what the caret marks, message, remedy
	["undeclared state", "x' = 1", "x'", 'unknown name "x"', "state x"],
	["undeclared input", "state x\nx' = u", "u", 'unknown name "u"', "param u"],
	["undeclared condition", "param p(1, c)\nstate x\nx' = p", "c", 'unknown name "c"', "condition c"],
	[
		"undeclared function",
		"state x\nx' = foo(x, 1)",
		"foo",
		'unknown function "foo"',
		"unknown foo(x1, x2) ~",
	],
	["undeclared name on the left", "state x\nx' = 1\nyy = 2*x", "yy", 'unknown name "yy"', "let yy = …"],
	["derivative as in a paper", "state x\ndx/dt = 1", "dx", 'unknown name "dx"', "Write x' for"],
	["ln", "state x\nx' = ln(x)", "ln", 'unknown function "ln"', "Write log"],
	["a number called", "state x\nparam k\nx' = k(x)", "k", "a parameter, not a function", "Write k*(…)"],
	["function without brackets", "state x\nx' = sin", "sin", '"sin" is a function', "sin(…)"],
	["min of one", "state x\nx' = min(x)", "min(x)", "min takes 2 or more arguments, not 1", "min(x, 1)"],
	["declared as two things", "param x\nstate x\nx' = 1", "x", "declared already, as a parameter", "line 1"],
	["measure named as a state", "measure x = x\nstate x\nx' = 1", "x", "as a state", "measure xm"],
	[
		"initial value given twice",
		"state x, x' = 0, x' = 1\nx'' = x",
		"x'",
		'"x\'" is declared twice',
		"line 1",
	],
	["two equations", "state x\nx' = 1\nx' = 2", "x' = 2", 'state "x" has two equations', "line 2"],
	["no equation", "state x, y\nx' = 1", "y", 'state "y" has no equation', "y' = …"],
	["no derivative", "state x\nx' = 1\nx = 3*x", "x = 3*x", "no derivative of a state", "let x = …"],
	[
		"parameter set by an equation",
		"param k\nstate x\nx' = k\nk = 3",
		"k = 3",
		"no derivative",
		"param k = …",
	],
	["let of itself", "let d = d\nstate x\nx' = d", "d", '"d" is defined by itself', "Take it out"],
	["loop of derivatives", "state x, y\nx' = sin(y')\ny' = x'", "y'", "an algebraic loop: x', y'", "by hand"],
	["not linear", "state x\nx'^2 = x", "x'", "not linear in its highest derivative x'", "x' = …"],
	["under a sign", "state x\nsign(x') + x' = 1", "x'", "not linear in its highest derivative", "by hand"],
	["coefficient zero", "param m = 0\nstate x\nm*x'' + x' = 1", "x''", "coefficient of the highest", "Change"],
	["coefficient that cancels", "param a\nstate x\n((a + 1)^2 - a^2 - 2*a - 1)*x' = 1", "x'", "is zero", ""],
	["dependent equations", "state x, y\nx' + y' = 1\n2*x' + 2*y' = x", "x' + y' = 1", "do not determine", ""],
	[
		"order from elsewhere",
		"state x, y\nx' = y\ny' = x''",
		"x' = y",
		"x'' makes x a state of order 2",
		"line 3",
	],
	["beyond the order", "state x\nx' = -x\nmeasure y = x''", "x''", "beyond the order of x, which is 1", "x'"],
	["initial of a higher order", "state x, x' = 0\nx' = -x", "x'", "x is of order 1", "only x has"],
	["initial of a higher order", "state x, x'' = 0\nx'' = -x", "x''", "x is of order 2", "x, x' have"],
	["initial of nobody", "state x, q' = 0\nx' = -x", "q'", 'state "q" is not', "state q"],
	["initial from a state", "state x, y = x\nx' = 1\ny' = 2", "x", 'cannot use the state "x"', "parameters"],
	["initial from the time", "state x = t\nx' = 1", "t", "cannot use the time t", "parameters"],
	[
		"bounds the wrong way round",
		"param p in [2, 1]\nstate x\nx' = p",
		"in [2, 1]",
		"wrong way round",
		"[1, 2]",
	],
	["equal bounds", "param p in [1, 1]\nstate x\nx' = p", "in [1, 1]", "the bounds are equal", "= 1"],
	[
		"smoothness",
		"input u ~ matern(1, 1, 1)\nstate x\nx' = u",
		"1",
		"nu must be 0.5, 1.5 or 2.5",
		"Here it is 1.",
	],
	[
		"smoothness unknown",
		"input u ~ matern(n, 1, 1)\nparam n\nstate x\nx' = u",
		"n",
		"nu must be 0.5, 1.5 or 2.5",
		"not a constant",
	],
	[
		"length of a force",
		"input u ~ matern(1.5, 1, x)\nstate x\nx' = u",
		"x",
		"a random process cannot use",
		"parameters",
	],
	["radius", "param p in 1 +- 0\nstate x\nx' = p", "0", "the radius must be a positive number", ""],
	[
		"unknown distribution",
		"param p ~ norml(0, 1)\nstate x\nx' = p",
		"norml",
		"unknown distribution",
		'"normal"',
	],
	["no distribution", "param p ~ 3\nstate x\nx' = p", "3", "this is no distribution", "normal(mean, sd)"],
	["arity of a distribution", "param p ~ gamma(2)\nstate x\nx' = p", "gamma(2)", "takes 2 arguments", "rate"],
	["sd", "param s = -1\nparam p ~ normal(0, s)\nstate x\nx' = p", "s", "sd must be a positive number", "-1"],
	["uniform", "param p ~ uniform(2, 1)\nstate x\nx' = p", "1", "the wrong way round", "lower one"],
	[
		"argument named wrongly",
		"param p ~ normal(0, std: 1)\nstate x\nx' = p",
		"std",
		'no argument "std"',
		'"sd"',
	],
	["argument twice", "param p ~ normal(0, mean: 1)\nstate x\nx' = p", "mean", "given twice", ""],
	[
		"state in a prior",
		"param p ~ normal(x, 1)\nstate x\nx' = p",
		"x",
		'a distribution cannot use the state "x"',
		"",
	],
	[
		"parameter in a set",
		"param q, p in [0, q]\nstate x\nx' = p*q",
		"q",
		'a set cannot use the parameter "q"',
		"",
	],
	[
		"known by an unknown",
		"param q, p = 2*q\nstate x\nx' = p",
		"q",
		"exactly known parameter cannot use",
		"let",
	],
	[
		"through a let",
		"let w = x\nparam p = w\nstate x\nx' = p",
		"w",
		'cannot use "w", which uses the state "x"',
		"",
	],
	["unused input", "input u\nstate x\nx' = 1", "u", 'input "u" is not used', "take the declaration out"],
	["formula of a state", "input u = x\nstate x\nx' = u", "x", "the formula of an input cannot use", "let"],
	["input with arguments", "input u(1)\nstate x\nx' = u", "u", "neither data nor a formula", "sin(t)"],
	[
		"input in a set the wrong way round",
		"input u in [1, 0]\nstate x\nx' = u",
		"in [1, 0]",
		"the bounds stand the wrong way round",
		"in [0, 1]",
	],
	["derivative of an input", "input u\nstate x\nx' = u + u'", "u'", "it has no derivative here", "input du"],
	["derivative of a parameter", "param k\nstate x\nx' = k'", "k'", "it has no derivative here", "states"],
	["if without comparison", "state x\nx' = if(x, 1, 2)", "x", "if needs a comparison here", "if(x < 0"],
	["comparison outside if", "state x\nx' = (x < 2)", "x < 2", "a comparison outside if", "if(a < b"],
	["two comparisons", "state x\nx' = if(1 < x < 2, 1, 0)", "<", "two comparisons in a row", "and"],
	[
		"condition with a value",
		"condition c = 1\nstate x\nx' = c",
		"= 1",
		'condition "c" with a value',
		"study",
	],
	["term twice", "condition c\nparam p(1, c, c)\nstate x\nx' = p", "c", "this term stands twice", ""],
	["term zero", "condition c\nparam p(0, c)\nstate x\nx' = p", "0", "a term that is zero", ""],
	[
		"state in a term",
		"param p(1, x)\nstate x\nx' = p",
		"x",
		"a term of a combination cannot use",
		"conditions",
	],
	[
		"combination with knowledge",
		"param p(1) = 2\nstate x\nx' = p",
		"= 2",
		"unknown combination already",
		"alone",
	],
	["rate of nobody", "param q' in [0, 1]\nstate x\nx' = 1", "q'", 'param "q" is not', "param q"],
	[
		"known and drifting",
		"param q = 1, q' in [0, 1]\nstate x\nx' = q",
		"q'",
		"exactly known, and drifts",
		"as a set",
	],
	["second rate", "param q, q'' in [0, 1]\nstate x\nx' = q", "q''", "without primes", "one prime"],
	["no form", "unknown f(x)\nstate x\nx' = f(x)", "f", "nothing is said of the form", "spline"],
	["no arguments", "unknown f = spline(0, 1)\nstate x\nx' = f(x)", "f", "has no arguments", "f(x)"],
	["knots", "unknown f(x) = spline(1, 0)\nstate x\nx' = f(x)", "0", "the knots do not rise", ""],
	["degree", "unknown f(x) = polynomial(2.5)\nstate x\nx' = f(x)", "2.5", "degree must be a whole", "2.5"],
	[
		"kriging in a basis",
		"unknown f(x) = kriging(trend: 1)\nstate x\nx' = f(x)",
		"kriging",
		"unknown basis",
		"",
	],
	["trend", "unknown f(x) ~ kriging(trend: 7)\nstate x\nx' = f(x)", "7", "from 0 to 2", "7"],
	[
		"unknown function bare",
		"unknown f(x) = spline(0, 1)\nstate x\nx' = f",
		"f",
		"is an unknown function",
		"f(…)",
	],
	[
		"arity of an unknown",
		"unknown f(x) = spline(0, 1)\nstate x\nx' = f(x, 1)",
		"f(x, 1)",
		"1 argument, not 2",
		"",
	],
	["measure of nothing", "measure y\nstate x\nx' = 1", "y", "does not say what is measured", "normal"],
	["measure in a set", "measure y in [0, 1]\nstate x\nx' = 1", "in [0, 1]", "does not say what", "+- 0.1"],
	[
		"measure of a measure",
		"measure y = x\nmeasure z = y\nstate x\nx' = 1",
		"y",
		"is a measurement",
		"instead",
	],
	["spread", "measure y ~ normal(x, 0)\nstate x\nx' = 1", "0", "spread must be a positive number", "0"],
	["family of a measure", "measure y ~ beta(1, 1)\nstate x\nx' = 1", "beta", "of a measurement", "lognormal"],
	["let without a value", "let a\nstate x\nx' = a", "a", 'let "a" has no expression', "let a = …"],
	...["toString", "constructor", "valueOf", "hasOwnProperty"].map(
		(name): readonly [string, string, string, string, string] => [
			`reserved by JavaScript: ${name}`,
			`param ${name}\nstate x\nx' = 1`,
			name,
			`"${name}" is a name that JavaScript keeps`,
			"another name",
		],
	),
	["reserved", "param t\nstate x\nx' = 1", "t", '"t" is a word of the language', "another name"],
	[
		"function name declared",
		"param exp\nstate x\nx' = 1",
		"exp",
		"is a word of the language",
		"another name",
	],
	["keyword in an expression", "state x\nx' = 2 + in", "in", "where a number, a name or a bracket", ""],
	["mistyped keyword", "parm k = 1\nstate x\nx' = k", "parm", '"parm" begins no statement', '"param"'],
	[
		"missing operator",
		"param k\nstate x\nx' = k x",
		"x",
		"where the end of the statement",
		"* for a product",
	],
	["number and name", "state x\nx' = 2x", "2x", "without an operator", "2*x"],
	["power as in Python", "state x\nx' = x**2", "**", '"**" is not an operator', "^"],
	["equality as in C", "state x\nx' == x", "==", '"==" is not an operator', "="],
	["two signs", "state x\nx' = x = 2", "=", 'a second "="', "new line"],
	["a value and a set", "param k = 1 in [0, 5]\nstate x\nx' = -k*x", "in", "a second sign", "has one"],
	["semicolon", "state x\nx' = 1; 2", ";", 'unexpected character ";"', "new line"],
	["superscript", "state x\nx' = x²", "²", 'unexpected character "²"', "x^2"],
	["line that goes on above", "state x\nx' = x\n  + 3", "+", 'a statement begins with "+"', "line above"],
	["no right side", "state x\nx' = x +", " ", "the statement ends where", ""],
	["no equation sign", "state x\nx' + 1", " ", 'the statement ends where "="', "two sides"],
	["stray prime", "state x\nx ' = 1", "'", "a prime that follows no name", "without a space"],
	["division by zero", "param a = 0\nstate x\nx' = 1/a", "a", "a division by zero", "comes to 0"],
	["negative power of zero", "state x\nx' = 0^-2", "0^-2", "a division by zero", ""],
	["no finite value", "state x\nx' = log(-1)", "log(-1)", "no finite value", ""],
	["overflow", "state x\nx' = 1e300*1e300", "1e300*1e300", "no finite value", ""],
	["number too large", "state x\nx' = 1e999", "1e999", "too large", "1e308"],
	["number too small", "state x\nx' = 1e-400", "1e-400", "too small", "1e-308"],
	["exponent", "state x\nx' = x^1000000", "1000000", "an exponent that is too large", "1000"],
	["order", "state x\nx''''''''' = x", "x'''''''''", "a derivative of order 9", "8"],
];

describe("errors", () => {
	test.each(full)("%s, in full", (_, text, message) => {
		expect(errorsOf(text).message).toBe(message);
	});

	test.each(cases)("%s: %j", (_, text, marked, message, remedy) => {
		const { diagnostics, message: shown } = errorsOf(text);
		expect(diagnostics.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
		const [{ span, remedy: told }] = diagnostics;
		expect(text.slice(span.start, span.end) || " ").toBe(marked);
		expect(told).toContain(remedy);
		// The caret stands under what is marked.
		const [, line, carets] = shown.split("\n");
		const from = carets.indexOf("^");
		expect(line.slice(from, carets.lastIndexOf("^") + 1) || " ").toBe(marked);
	});

	test("all at once, in the order of the text, each with its place", () => {
		const { message, diagnostics } = errorsOf(
			[
				"param k ~ norml(0, 1), k = 2",
				"input u, v",
				"state x, y",
				"x' = -k*x + w + sin(u, 2)",
				"z = (1 + )",
				"measure q ~ normal(x''', -1)",
			].join("\n"),
		);
		expect(message.split("\n").filter((line) => line.startsWith("test.ode"))).toEqual([
			'test.ode:1:11: unknown distribution "norml"',
			'test.ode:1:24: parameter "k" is declared twice',
			'test.ode:2:10: input "v" is not used',
			'test.ode:3:10: state "y" has no equation',
			'test.ode:4:13: unknown name "w"',
			"test.ode:4:17: sin takes 1 argument, not 2",
			'test.ode:5:1: unknown name "z"',
			'test.ode:5:10: ")" where a number, a name or a bracket is expected',
			"test.ode:6:26: spread must be a positive number",
		]);
		expect(diagnostics).toHaveLength(9);
	});

	test.each([
		["numbers out of range", "x' = -x*1e999 + 1e-999", ["2:9: a number", "2:17: a number"]],
		[
			"an end that comes too soon",
			"x' = -x*kk + sin(x, 2) +",
			['2:9: unknown name "kk"', "2:14: sin takes 1 argument, not 2", "2:25: the statement ends"],
		],
		[
			"words of the language with values",
			"x' = -x\nstate t = 1, pi = 2, exp = 3",
			['3:7: "t" is a word', '3:14: "pi" is a word', '3:22: "exp" is a word'],
		],
		[
			"words of the language alone",
			"x' = -x\nparam if, in, param",
			['3:7: "if" is a word', '3:11: "in" is a word', '3:15: "param" is a word'],
		],
		[
			"signs that are no operators",
			"x' = -x·kk² + zz**2 + 2x",
			[
				'2:8: unexpected character "·"',
				'2:9: unknown name "kk"',
				'2:11: unexpected character "²"',
				'2:15: unknown name "zz"',
				'2:17: "**" is not an operator',
				"2:23: a number and a name",
			],
		],
		[
			"one item of several",
			"x' = -a*b*x\nparam a = 1e999, b = kk*2, if = 3",
			["3:11: a number", '3:22: unknown name "kk"', '3:28: "if" is a word'],
		],
		[
			"a number after the place where reading ends",
			"x' = -x ) + 1e999",
			['2:9: ")" where the end of the statement is expected', "2:13: a number"],
		],
		// And nothing that follows from the first error only.
		["a declaration that cannot be read", "x' = -k*x\nparam k = (1 + )", ['3:16: ")" where']],
		["a declaration of another kind", "x' = -k*x\ncondition c, param k", ['3:14: "param" is a word']],
		["a missing name", "x' = -x\nparam in [0, 1]", ['3:7: "in" where the name of the param']],
		["a family", "x' = -x*k\nparam k ~ normal(0, 1e999)", ["3:21: a number"]],
		["a formal argument", "x' = f(x)\nunknown f(z) ~ kriging(trend: 1e999)", ["3:31: a number"]],
		["no equation at all", "x' = -x\nk : 2", ['3:3: ":" where "="']],
	])("all of one statement: %s", (_, text, expected) => {
		const { message } = errorsOf(`state x = 1\n${text}\nmeasure y = x`);
		const found = message.split("\n").filter((line) => line.startsWith("test.ode"));
		expect(found).toEqual(expected.map((each) => expect.stringContaining(`test.ode:${each}`)));
	});

	test("names of one letter are not guessed, two exchanged letters are one slip", () => {
		const text = "param b, rate\nstate x = 1\nx' = -q*b*x*raet + B\nmeasure y = x";
		expect(errorsOf(text).diagnostics.map(({ remedy }) => remedy)).toEqual([
			"Declare it with:  param q",
			'Did you mean "rate"? Declare it with:  param raet',
			'Did you mean "b"? Declare it with:  param B',
		]);
	});

	test("what is wrong with solving comes with the rest", () => {
		const { diagnostics } = errorsOf("param k in [2, 1]\nstate x\nx'^2 = k");
		expect(diagnostics.map(({ message }) => message)).toEqual([
			"the bounds stand the wrong way round",
			"this equation is not linear in its highest derivative x'",
		]);
	});

	test("also when another equation has an unknown name, or there is one too many", () => {
		const { diagnostics } = errorsOf(
			["state x, y, z", "x' = -q*x", "y' = x", "y' = z", "z'^2 = y"].join("\n"),
		);
		expect(diagnostics.map(({ message }) => message)).toEqual([
			'unknown name "q"',
			'state "y" has two equations',
			"this equation is not linear in its highest derivative z'",
		]);
	});

	test("an unknown name is said once", () => {
		expect(errorsOf("state x\nx' = q + q*q\nmeasure y = q").diagnostics).toHaveLength(1);
	});

	test("what a broken statement declares is not missed elsewhere", () => {
		expect(errorsOf("param k = 2 3\nstate x\nx' = k*x").diagnostics).toHaveLength(1);
		expect(errorsOf("state x, y\nx' = 1 +* 2\ny' = x").diagnostics).toHaveLength(1);
	});

	test("more errors than anyone reads are counted", () => {
		const text = `state x\n${Array.from({ length: 80 }, (_, i) => `x' = q${i}`).join("\n")}`;
		const { message, diagnostics } = errorsOf(text);
		expect(diagnostics.length).toBeGreaterThan(100);
		expect(message).toMatch(/… and \d+ more errors$/);
	});

	test("a long line is shown around the place", () => {
		const { message } = errorsOf(`state x\nx' = ${"x + ".repeat(100)}q`);
		const [, line, carets] = message.split("\n");
		expect(line.length).toBeLessThan(120);
		expect(line[carets.indexOf("^")]).toBe("q");
	});

	test("tabs and carriage returns do not move the caret", () => {
		const { message } = errorsOf("state\tx\r\n\tx' =\tq\r\n");
		const [, line, carets] = message.split("\n");
		expect(line[carets.indexOf("^")]).toBe("q");
		expect(message).not.toContain("\r");
	});
});

describe("what is no error", () => {
	test.each([
		["no measurement", "state x\nx' = 1"],
		["lines that go on", "param a,\n  b\nstate x\nx' = a +\n  b*(\n 1\n + 2\n)\n"],
		["comments and blank lines", "# one\n\nstate x # two\n   # three\nx' = 1"],
		["carriage returns and tabs", "state\tx\r\nx' =\t1\r\n"],
		["declarations after use", "x' = w\nlet w = 2*k\nparam k\nstate x"],
		[
			"names of distributions",
			"param gamma, beta, normal ~ normal(0, 1)\nstate x\nx' = gamma + beta + normal",
		],
		["names from JavaScript", "param prototype, eval, arguments\nstate x\nx' = prototype*eval*arguments"],
		["Greek letters", "param α = 1, ωₙ".replace("ₙ", "n\nstate ξ\nξ' = α*ωn*ξ")],
		["an unused parameter", "param k\nstate x\nx' = 1"],
		["plus minus in an expression", "state x\nx' = 2 +-x"],
		["typographic signs", "param p in [0, 1]\nstate x\nx′ = if(x ≤ 1, p, 2)\nmeasure y in x ± 0.1"],
		["drifting parameter", "param p in [0.1, 0.5], p' in [-0.01, 0.01]\nstate x\nx' = -p*x"],
		["random input", "input u ~ matern(1.5, 1, length: 0.2)\nstate x\nx' = u"],
		["random input with parameters", "input u ~ matern(1.5, s, 2*l)\nparam s, l\nstate x\nx' = u"],
		[
			"unknown function of a derivative",
			"unknown f(x, x', u) ~ kriging(trend: 2)\ninput u\nstate x\nx'' = f(x, x', u)",
		],
		["zero to the power zero", "param n = 0\nstate x\nx' = x^n"],
	])("%s", (_, text) => {
		expect(() => parse(text)).not.toThrow();
	});

	test("unused declarations are worth a warning", () => {
		const { warnings } = parse(
			"param k\nlet w = 2\ncondition c\nunknown f(x) = spline(0, 1)\nstate x\nx' = 1",
		);
		expect(warnings!.map(({ message }) => message)).toEqual([
			'parameter "k" is not used',
			'let "w" is not used',
			'condition "c" is not used',
			'unknown function "f" is not used',
		]);
	});
});
