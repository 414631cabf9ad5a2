/** One look a role of a mark, so that data always look like data. The accent is that of the method. */

/** Style of plots. Text keeps a contrast of 4.5 to 1 on both grounds. */
export const plotStyle = `
svg.plot{display:block;width:100%;height:auto;font:11px system-ui,sans-serif;touch-action:pan-y}
svg.plot text{fill:var(--muted)}
svg.plot .grid{stroke:var(--grid);stroke-width:1}
svg.plot .axis,svg.plot .tick{stroke:var(--axis);stroke-width:1}
svg.plot .name{fill:var(--ink)}
.line,.rule{fill:none;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.points{fill:none;stroke:currentColor;stroke-width:2.6;stroke-linecap:round}
svg.plot .points.few{stroke-width:5}
.area{fill:currentColor;stroke:none;fill-opacity:.18}
.area.solid{fill-opacity:.75}
.boxes{fill:currentColor;fill-opacity:.18;stroke:currentColor;stroke-width:.5}
.boxes.r-accent{fill-opacity:.85}.boxes.r-data{fill-opacity:.6}.boxes.r-muted{fill-opacity:.08;stroke-width:.8}
.rule{stroke-width:1;stroke-dasharray:5 4}
.line.r-data{stroke-width:1}
.line.r-truth{stroke-dasharray:6 3}
.line.r-guide{stroke-width:1;stroke-dasharray:5 4}
.r-data{color:var(--data)}.r-model,.r-accent{color:var(--accent)}.r-band{color:var(--accent)}
.r-truth{color:var(--truth)}.r-guide,.r-muted{color:var(--muted)}
svg.plot .t-data{fill:var(--data)}svg.plot .t-model,svg.plot .t-accent,svg.plot .t-band{fill:var(--accent)}
svg.plot .t-truth{fill:var(--truth)}svg.plot .t-guide,svg.plot .t-muted{fill:var(--muted)}
`;
