/** A model as Julia, for OrdinaryDiffEq. */
import { type Binding, bindings, blockOf, quoted, titleText } from "./block.ts";
import { julia } from "./dialects.ts";
import { type Identified, layoutOf, refuseEvents } from "./identified.ts";

const binding: Binding = {
	state: (i) => `state[${i + 1}]`,
	param: (name) => `par.${name}`,
	input: (i) => `recorded(${i + 1}, t)`,
	line: (name, value) => `    ${name} = ${value}`,
};

export function juliaProgram(identified: Identified): string {
	refuseEvents(identified, "Julia");
	const layout = layoutOf(identified);
	const { states, params, outputs } = layout;
	const rhs = blockOf(layout, layout.rhs, julia);
	const values = blockOf(layout, layout.values, julia);
	const start = blockOf(layout, layout.start, julia);
	const { from, to } = identified.span;
	return `# ${titleText(identified.title)}: written by Odentify. Needs OrdinaryDiffEq. Run it: julia FILE.jl [TIME ...]
using OrdinaryDiffEq

const states = [${quoted(states)}]
const outputs = String[${quoted(outputs)}]
# Just before and after each instant at which a condition of the time changes.
const knots = Float64[${identified.knots.join(", ")}]
const parameters = (${params.map(({ name, value }) => `${name} = ${value}, `).join("")})
${inputTables(identified)}
"The state at the start."
function initial(par = parameters)
${bindings(start, layout, binding)}    return Float64[${start.results.join(", ")}]
end

"Time derivatives of the states."
function rhs!(out, state, par, t)
${bindings(rhs, layout, binding)}${rhs.results.map((text, i) => `    out[${i + 1}] = ${text}\n`).join("")}    return nothing
end

"What is measured of a state."
function measured(t, state, par = parameters)
${bindings(values, layout, binding)}    return Float64[${values.results.join(", ")}]
end

"States at times, which begin with that of the initial state: a column each."
function simulate(times, par = parameters; method = Rodas5P(), reltol = 1e-9, abstol = 1e-12)
    problem = ODEProblem(rhs!, initial(par), (first(times), last(times)), par)
    return Array(solve(problem, method; saveat = times, tstops = knots, reltol, abstol))
end

if abspath(PROGRAM_FILE) == @__FILE__
    times = isempty(ARGS) ? collect(range(${from}, ${to}; length = 11)) : parse.(Float64, ARGS)
    solved = simulate(times)
    println(join(["t"; outputs; states], ","))
    for (i, t) in enumerate(times)
        println(join([t; measured(t, solved[:, i]); solved[:, i]], ","))
    end
end
`;
}

function inputTables({ inputs }: Identified): string {
	if (inputs.length === 0) return "";
	const rows = inputs.map(
		({ times, values, isHeld }) =>
			`    (times = Float64[${times.join(", ")}], values = Float64[${values.join(", ")}], held = ${isHeld}),\n`,
	);
	return `
# Inputs as recorded: held between samples, or straight.
const recordings = [
${rows.join("")}]
function recorded(which, t)
    (; times, values, held) = recordings[which]
    t <= first(times) && return first(values)
    t >= last(times) && return last(values)
    lo = searchsortedlast(times, t)
    held && return values[lo]
    return values[lo] + (values[lo + 1] - values[lo]) * (t - times[lo]) / (times[lo + 1] - times[lo])
end
`;
}
