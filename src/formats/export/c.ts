/** A model as C: plain functions, and a small program to try them. */
import { blockOf, quoted, titleText } from "./block.ts";
import { curlyBody } from "./curly.ts";
import { c } from "./dialects.ts";
import { type Identified, type Layout, layoutOf, refuseEvents } from "./identified.ts";

export function cProgram(identified: Identified): string {
	refuseEvents(identified, "C");
	const layout = layoutOf(identified);
	const { states, params, outputs } = layout;
	const body = (roots: Layout["rhs"]): string => curlyBody(blockOf(layout, roots, c), layout, "const double");
	const array = (name: string, values: readonly (number | string)[]): string =>
		`const double ${name}[${Math.max(values.length, 1)}] = {${values.length > 0 ? values.join(", ") : "0"}};`;
	const { from, to } = identified.span;
	return `/* ${titleText(identified.title)}: written by Odentify. Plain functions of C99; link with -lm.
   To try them:  cc -DODENTIFY_MAIN -o model FILE.c -lm && ./model [TIME ...] */
#include <math.h>

enum { ODENTIFY_STATES = ${states.length}, ODENTIFY_PARAMETERS = ${params.length}, ODENTIFY_OUTPUTS = ${outputs.length} };

const char *const odentify_state_names[] = {${quoted(states)}};
const char *const odentify_output_names[] = {${quoted(outputs)}${outputs.length === 0 ? "0" : ""}};
const char *const odentify_parameter_names[] = {${quoted(params.map(({ name }) => name))}${params.length === 0 ? "0" : ""}};
${array(
	"odentify_parameters",
	params.map(({ value }) => value),
)}

static inline double sign(double value) { return (value > 0) - (value < 0); }
${inputTables(identified)}
/* The state at the start. */
void odentify_initial(const double *par, double *out) {
  (void)par;
${body(layout.start)}}

/* Time derivatives of the states. */
void odentify_rhs(double t, const double *state, const double *par, double *out) {
  (void)t; (void)state; (void)par;
${body(layout.rhs)}}

/* What is measured of a state. */
void odentify_measured(double t, const double *state, const double *par, double *out) {
  (void)t; (void)state; (void)par; (void)out;
${body(layout.values)}}

#ifdef ODENTIFY_MAIN
#include <stdio.h>
#include <stdlib.h>

/* Just before and after each instant at which a condition of the time changes. */
static const double knots[] = {${[...identified.knots, "HUGE_VAL"].join(", ")}};

/* Runge-Kutta of order 4 with so many steps from one time to the next: for a try, not for stiff models. */
enum { ODENTIFY_STEPS = 2000 };

static void advance(double t, double h, double *state) {
  double k[4][ODENTIFY_STATES], at[ODENTIFY_STATES];
  odentify_rhs(t, state, odentify_parameters, k[0]);
  for (int stage = 1; stage < 4; stage++) {
    const double part = stage < 3 ? h / 2 : h;
    for (int n = 0; n < ODENTIFY_STATES; n++) at[n] = state[n] + part * k[stage - 1][n];
    odentify_rhs(t + part, at, odentify_parameters, k[stage]);
  }
  for (int n = 0; n < ODENTIFY_STATES; n++) state[n] += h / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
}

int main(int count, char **words) {
  double state[ODENTIFY_STATES], out[ODENTIFY_OUTPUTS + 1];
  const int times = count > 1 ? count - 1 : 11;
  double t = count > 1 ? atof(words[1]) : ${from};
  odentify_initial(odentify_parameters, state);
  printf("t");
  for (int n = 0; n < ODENTIFY_OUTPUTS; n++) printf(",%s", odentify_output_names[n]);
  for (int n = 0; n < ODENTIFY_STATES; n++) printf(",%s", odentify_state_names[n]);
  printf("\\n");
  for (int at = 0; at < times; at++) {
    const double next = count > 1 ? atof(words[at + 1]) : ${from} + ${to - from} * at / 10.0;
    const double longest = (next - t) / ODENTIFY_STEPS;
    for (int knot = 0; next > t;) {
      while (knots[knot] <= t) knot++;
      const double stop = knots[knot] < next ? knots[knot] : next;
      const int steps = (int)ceil((stop - t) / longest);
      const double h = (stop - t) / steps;
      for (int step = 0; step < steps; step++) advance(t + step * h, h, state);
      t = stop;
    }
    odentify_measured(t, state, odentify_parameters, out);
    printf("%.17g", t);
    for (int n = 0; n < ODENTIFY_OUTPUTS; n++) printf(",%.17g", out[n]);
    for (int n = 0; n < ODENTIFY_STATES; n++) printf(",%.17g", state[n]);
    printf("\\n");
  }
  return 0;
}
#endif
`;
}

function inputTables({ inputs }: Identified): string {
	if (inputs.length === 0) return "";
	const lists = inputs.map(
		({ times, values }, i) =>
			`static const double odentify_times_${i}[] = {${times.join(", ")}};\nstatic const double odentify_values_${i}[] = {${values.join(", ")}};\n`,
	);
	const all = (write: (i: number) => string): string => inputs.map((_, i) => write(i)).join(", ");
	return `
/* Inputs as recorded: held between samples, or straight. */
${lists.join("")}static double odentify_input(int which, double t) {
  static const double *const times[] = {${all((i) => `odentify_times_${i}`)}};
  static const double *const values[] = {${all((i) => `odentify_values_${i}`)}};
  static const int counts[] = {${all((i) => String(inputs[i].times.length))}};
  static const int held[] = {${all((i) => (inputs[i].isHeld ? "1" : "0"))}};
  int lo = 0, hi = counts[which] - 1;
  if (t <= times[which][0]) return values[which][0];
  if (t >= times[which][hi]) return values[which][hi];
  while (hi - lo > 1) {
    const int middle = (lo + hi) / 2;
    if (times[which][middle] <= t) lo = middle;
    else hi = middle;
  }
  if (held[which]) return values[which][lo];
  return values[which][lo] + (values[which][hi] - values[which][lo]) * (t - times[which][lo]) / (times[which][hi] - times[which][lo]);
}
`;
}
