/** A model as a Python program: scipy solves it. */
import { type Binding, bindings, blockOf, quoted, titleText } from "./block.ts";
import { python } from "./dialects.ts";
import { type Identified, layoutOf, refuseEvents } from "./identified.ts";

const binding: Binding = {
	state: (i) => `state[${i}]`,
	param: (name) => `par["${name}"]`,
	input: (_, name) => `recorded("${name}", t)`,
	line: (name, value) => `    ${name} = ${value}`,
};

export function pythonProgram(identified: Identified): string {
	refuseEvents(identified, "Python");
	const layout = layoutOf(identified);
	const { states, params, outputs, inputs } = layout;
	const rhs = blockOf(layout, layout.rhs, python);
	const values = blockOf(layout, layout.values, python);
	const start = blockOf(layout, layout.start, python);
	const { from, to } = identified.span;
	return `"""${titleText(identified.title)}: written by Odentify. Needs numpy and scipy. Run it: python FILE.py [TIME ...]"""
import math
import sys

import numpy as np
from scipy.integrate import solve_ivp

states = [${quoted(states)}]
outputs = [${quoted(outputs)}]
# Just before and after each instant at which a condition of the time changes.
knots = [${identified.knots.join(", ")}]
parameters = {
${params.map(({ name, value }) => `    "${name}": ${value},\n`).join("")}}
${inputTables(identified)}

def sign(value):
    return 1.0 if value > 0 else -1.0 if value < 0 else 0.0


def initial(par=parameters):
    """The state at the start."""
${bindings(start, layout, binding)}    return [${start.results.join(", ")}]


def rhs(t, state, par=parameters):
    """Time derivatives of the states."""
${bindings(rhs, layout, binding)}    return [${rhs.results.join(", ")}]


def measured(t, state, par=parameters):
    """What is measured of a state."""
${bindings(values, layout, binding)}    return [${values.results.join(", ")}]


def simulate(times, par=parameters, method="LSODA", rtol=1e-9, atol=1e-12):
    """States and outputs at times, which begin with that of the initial state."""
    times = np.asarray(times, dtype=float)
    state = np.array(initial(par), dtype=float)
    found = [state for t in times if t == times[0]]
    stops = [t for t in knots if times[0] < t < times[-1]] + [times[-1]]
    for start, stop in zip([times[0]] + stops, stops):
        if stop == start:
            continue
        asked = np.unique([t for t in times if start < t <= stop] + [stop])
        solution = solve_ivp(rhs, (start, stop), state, method=method, t_eval=asked, args=(par,),
                             rtol=rtol, atol=atol${inputs.length > 0 ? ", max_step=largest_step" : ""})
        if not solution.success:
            raise RuntimeError(solution.message)
        state = solution.y[:, -1]
        found += [solution.y[:, np.searchsorted(asked, t)] for t in times if start < t <= stop]
    found = np.array(found).T
    return found, np.array([measured(t, x, par) for t, x in zip(times, found.T)]).T


if __name__ == "__main__":
    wanted = [float(word) for word in sys.argv[1:]] or np.linspace(${from}, ${to}, 11)
    state, output = simulate(wanted)
    print(",".join(["t"] + outputs + states))
    for i, t in enumerate(wanted):
        print(",".join(repr(float(value)) for value in [t, *output[:, i], *state[:, i]]))
`;
}

function inputTables(identified: Identified): string {
	const { inputs } = identified;
	if (inputs.length === 0) return "";
	const layout = layoutOf(identified);
	const tables = inputs
		.map(
			({ times, values, isHeld }, i) =>
				`    "${layout.inputs[i]}": (np.array([${times.join(", ")}]), np.array([${values.join(", ")}]), ${isHeld ? "True" : "False"}),\n`,
		)
		.join("");
	return `# Inputs as recorded: times, values, and whether they are held between samples.
recordings = {
${tables}}
largest_step = min(float(np.min(np.diff(times))) for times, _, _ in recordings.values())


def recorded(name, t):
    times, values, is_held = recordings[name]
    if is_held:
        return values[max(0, min(len(values) - 1, int(np.searchsorted(times, t, side="right")) - 1))]
    return float(np.interp(t, times, values))
`;
}
