/** A model as a function file of MATLAB (and Octave). */
import { type Binding, bindings, blockOf, titleText } from "./block.ts";
import { matlab } from "./dialects.ts";
import { type Identified, layoutOf, refuseEvents } from "./identified.ts";

const binding: Binding = {
	state: (i) => `state(${i + 1})`,
	param: (name) => `par.${name}`,
	input: (i) => `recorded(${i + 1}, t)`,
	line: (name, value) => `${name} = ${value};`,
};

export function matlabProgram(identified: Identified): string {
	refuseEvents(identified, "MATLAB");
	const layout = layoutOf(identified);
	const { states, params, outputs } = layout;
	const rhs = blockOf(layout, layout.rhs, matlab);
	const values = blockOf(layout, layout.values, matlab);
	const start = blockOf(layout, layout.start, matlab);
	const { from, to } = identified.span;
	const cell = (list: readonly string[]): string => `{${list.map((name) => `'${name}'`).join(", ")}}`;
	const column = (list: readonly string[]): string => `[${list.join("; ")}]`;
	return `function [state, output] = odentify_model(times, par)
% ${titleText(identified.title)}: written by Odentify.
% [state, output] = odentify_model(times, par): a column for each time; times begin with that of the initial state.
% States:  ${states.join(", ")}
% Outputs: ${outputs.join(", ")}
% Without arguments it prints a table. A model that is not stiff is quicker with ode45 in place of ode15s.
if nargin < 1, times = linspace(${from}, ${to}, 11); end
if nargin < 2, par = parameters(); end
options = odeset('RelTol', 1e-9, 'AbsTol', 1e-12);
slope = @(t, state) rhs(t, state, par);
state = repmat(initial(par), 1, numel(times));
% Just before and after each instant at which a condition of the time changes.
knots = [${identified.knots.join(", ")}];
start = times(1);
last = state(:, 1);
for stop = [knots(knots > start & knots < times(end)), times(end)]
  inside = find(times > start & times <= stop);
  if stop > start
    % With two times a solver would answer at every step of its own: one in the middle is asked for, too.
    asked = unique([start, (start + stop)/2, times(inside), stop]);
    try
      [~, solved] = ode15s(slope, asked, last, options);
    catch
      % Octave's solver of stiff models gives up at some of these tolerances.
      [~, solved] = ode45(slope, asked, last, options);
    end
    [~, place] = ismember(times(inside), asked);
    state(:, inside) = solved(place, :).';
    last = solved(end, :).';
  end
  start = stop;
end
output = zeros(${outputs.length}, numel(times));
for k = 1:numel(times)
  output(:, k) = measured(times(k), state(:, k), par);
end
if nargout == 0
  disp(strjoin([{'t'}, ${cell(outputs)}, ${cell(states)}], ','));
  for k = 1:numel(times)
    disp(strjoin(arrayfun(@(value) sprintf('%.17g', value), [times(k); output(:, k); state(:, k)].', 'UniformOutput', false), ','));
  end
  clear state output
end
end

function par = parameters()
par = struct();
${params.map(({ name, value }) => `par.${name} = ${value};\n`).join("")}end

function out = initial(par)
${bindings(start, layout, binding)}out = ${column(start.results)};
end

function out = rhs(t, state, par)
${bindings(rhs, layout, binding)}out = ${column(rhs.results)};
end

function out = measured(t, state, par)
${bindings(values, layout, binding)}out = ${column(values.results)};
end

function out = choose(condition, yes, no)
if condition, out = yes; else, out = no; end
end
${inputTables(identified)}`;
}

function inputTables({ inputs }: Identified): string {
	if (inputs.length === 0) return "";
	const cases = inputs.map(
		({ times, values, isHeld }, i) =>
			`  case ${i + 1}\n    times = [${times.join(", ")}]; values = [${values.join(", ")}]; method = '${isHeld ? "previous" : "linear"}';\n`,
	);
	return `
function out = recorded(which, t)
% Inputs as recorded: held between samples, or straight.
switch which
${cases.join("")}end
out = interp1(times, values, min(max(t, times(1)), times(end)), method);
end
`;
}
