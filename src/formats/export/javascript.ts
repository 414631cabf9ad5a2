/** A model as a module of JavaScript that needs nothing else. */
import { blockOf, quoted, titleText } from "./block.ts";
import { curlyBody } from "./curly.ts";
import { javascript } from "./dialects.ts";
import { type Identified, type Layout, layoutOf, refuseEvents } from "./identified.ts";

export function javascriptProgram(identified: Identified): string {
	refuseEvents(identified, "JavaScript");
	const layout = layoutOf(identified);
	const { states, params, outputs } = layout;
	const body = (roots: Layout["rhs"]): string =>
		curlyBody(blockOf(layout, roots, javascript), layout, "const");
	const { from, to } = identified.span;
	return `// ${titleText(identified.title)}: written by Odentify. A module that needs nothing else. Run it: node FILE.mjs [TIME ...]
export const states = [${quoted(states)}];
export const outputs = [${quoted(outputs)}];
export const parameterNames = [${quoted(params.map(({ name }) => name))}];
export const parameters = [${params.map(({ value }) => value).join(", ")}];
// Just before and after each instant at which a condition of the time changes.
const knots = [${identified.knots.join(", ")}];
${inputTables(identified)}
/** The state at the start. */
export function initial(par = parameters, out = new Float64Array(${states.length})) {
${body(layout.start)}  return out;
}

/** Time derivatives of the states. */
export function rhs(t, state, par = parameters, out = new Float64Array(${states.length})) {
${body(layout.rhs)}  return out;
}

/** What is measured of a state. */
export function measured(t, state, par = parameters, out = new Float64Array(${outputs.length})) {
${body(layout.values)}  return out;
}

/** States at times, which begin with that of the initial state. Runge-Kutta of order 4: not for stiff models. */
export function simulate(times, par = parameters, steps = 2000) {
  let state = initial(par);
  let t = times[0];
  const moved = (slope, part) => state.map((value, n) => value + part * slope[n]);
  return times.map((next) => {
    const longest = (next - t) / steps;
    for (const stop of [...knots.filter((knot) => knot > t && knot < next), next]) {
      const count = Math.ceil((stop - t) / longest);
      const h = (stop - t) / count;
      for (let step = 0; step < count; step++) {
        const at = t + step * h;
        const k1 = rhs(at, state, par);
        const k2 = rhs(at + h / 2, moved(k1, h / 2), par);
        const k3 = rhs(at + h / 2, moved(k2, h / 2), par);
        const k4 = rhs(at + h, moved(k3, h), par);
        state = state.map((value, n) => value + (h / 6) * (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n]));
      }
      t = stop;
    }
    return state;
  });
}

// Where this file is what was started, and not imported: wherever it lies, and by whatever link.
if (typeof process !== "undefined" && process.argv[1]) {
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all(["node:fs", "node:url"].map((name) => import(name)));
  if (realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) {
    const words = process.argv.slice(2).map(Number);
    const times = words.length > 0 ? words : Array.from({ length: 11 }, (_, i) => ${from} + (${to - from} * i) / 10);
    console.log(["t", ...outputs, ...states].join(","));
    simulate(times).forEach((state, i) => {
      console.log([times[i], ...measured(times[i], state), ...state].join(","));
    });
  }
}
`;
}

function inputTables({ inputs }: Identified): string {
	if (inputs.length === 0) return "";
	const rows = inputs.map(
		({ times, values, isHeld }) =>
			`  { times: [${times.join(", ")}], values: [${values.join(", ")}], isHeld: ${isHeld} },\n`,
	);
	return `
// Inputs as recorded: held between samples, or straight.
const recordings = [
${rows.join("")}];
function odentify_input(which, t) {
  const { times, values, isHeld } = recordings[which];
  let [lo, hi] = [0, times.length - 1];
  if (t <= times[0]) return values[0];
  if (t >= times[hi]) return values[hi];
  while (hi - lo > 1) {
    const middle = (lo + hi) >> 1;
    if (times[middle] <= t) lo = middle;
    else hi = middle;
  }
  return isHeld ? values[lo] : values[lo] + ((values[hi] - values[lo]) * (t - times[lo])) / (times[hi] - times[lo]);
}
`;
}
