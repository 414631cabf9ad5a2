/**
 * The only script of a report: zoom. Drag across a plot to zoom, double click to go back; with the keyboard + and -
 * zoom, the arrows move, 0 goes back. Plots are whole without it. It reads the block `zoom-data` (zoom-data.ts) and redraws
 * the paths that plot.ts drew.
 */
export const zoomScript = String.raw`"use strict";
(() => {
const svgNS = "http://www.w3.org/2000/svg";
const figures = JSON.parse(document.getElementById("zoom-data").textContent);
const raised = (n) => "×10" + [...String(n)].map((d) => d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[+d]).join("");
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
const p = (v) => Math.round(v * 100) / 100;

function decode(figure) {
	if (figure.x) return;
	figure.x = figure.times.map((t) => {
		if (t.f32 === undefined) return { n: t.n, at: (i) => t.from + i * t.step };
		const view = new DataView(bytesOf(t.f32));
		return { n: view.byteLength / 4, at: (i) => t.from + view.getFloat32(4 * i, true) };
	});
	const heights = (h) => {
		const view = new DataView(bytesOf(h.u16));
		return (i) => {
			const code = view.getUint16(2 * i, true);
			return code === 65535 ? NaN : h.lo + (h.hi - h.lo) * code / 65534;
		};
	};
	for (const mark of figure.marks)
		for (const key of ["y", "lo", "hi"]) if (mark[key] && mark[key].u16) mark[key + "At"] = heights(mark[key]);
}

/* First index of a mark at or after x. */
function search(times, x) {
	let lo = 0, hi = times.n;
	while (lo < hi) { const m = (lo + hi) >> 1; if (times.at(m) < x) lo = m + 1; else hi = m; }
	return lo;
}

function ticks(lo, hi, count) {
	if (!(hi > lo)) return { list: [], exponent: 0 };
	const raw = (hi - lo) / count, power = 10 ** Math.floor(Math.log10(raw));
	const step = power * [1, 2, 5, 10][[Math.SQRT2, Math.sqrt(10), Math.sqrt(50)].filter((b) => raw > b * power).length];
	const largest = Math.max(Math.abs(lo), Math.abs(hi));
	const exponent = largest >= 1e5 || largest < 1e-2 ? Math.floor(Math.log10(largest)) : 0;
	const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step / 10 ** exponent * 1.001))));
	const list = [];
	for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) {
		const label = (k * step / 10 ** exponent).toFixed(decimals);
		list.push([k * step, /^-0\.?0*$/.test(label) ? label.slice(1) : label.replace("-", "−")]);
	}
	return { list, exponent };
}

function add(parent, name, attributes, text) {
	const element = document.createElementNS(svgNS, name);
	for (const key in attributes) element.setAttribute(key, attributes[key]);
	if (text !== undefined) element.textContent = text;
	parent.append(element);
}

function draw(figure, from, to) {
	decode(figure);
	const svg = document.getElementById(figure.id), L = figure.layout;
	const right = L.width - L.right, base = L.height - L.bottom;
	const X = (v) => L.left + (v - from) / (to - from) * (right - L.left);
	let lo = Infinity, hi = -Infinity;
	const see = (v) => { if (v < lo) lo = v; if (v > hi) hi = v; };
	for (const mark of figure.marks) {
		if (mark.type === "rule") { if (mark.axis === "y") see(mark.at); continue; }
		const times = figure.x[mark.x];
		mark.from = Math.max(0, search(times, from) - 1);
		mark.to = Math.min(times.n, search(times, to) + 1);
		for (let i = mark.from; i < mark.to; i++) {
			if (mark.yAt) see(mark.yAt(i)); else { see(mark.loAt(i)); see(mark.hiAt(i)); }
		}
	}
	if (!(lo <= hi)) { lo = 0; hi = 1; }
	const margin = hi > lo ? (hi - lo) * 0.05 : Math.abs(lo) * 0.1 || 1;
	lo -= margin; hi += margin;
	const Y = (v) => base + (v - lo) / (hi - lo) * (L.top - base);

	for (const mark of figure.marks) {
		const path = svg.querySelector('[data-mark="' + mark.index + '"]');
		if (mark.type === "rule") {
			path.setAttribute("d", mark.axis === "x" ? "M" + p(X(mark.at)) + " " + L.top + "V" + base : "M" + L.left + " " + p(Y(mark.at)) + "H" + right);
			continue;
		}
		const times = figure.x[mark.x];
		const many = mark.to - mark.from > 2 * (right - L.left);
		const column = many ? (i) => Math.floor(X(times.at(i))) : (i) => i;
		/* Lowest and highest of each pixel column, in the order in which they come. */
		const pick = (at) => {
			const keep = [];
			for (let i = mark.from; i < mark.to;) {
				const c = column(i);
				let low = i, high = i, end = i;
				for (; end < mark.to && column(end) === c; end++) {
					if (!(at(end) >= at(low))) low = end;
					if (!(at(end) <= at(high))) high = end;
				}
				for (const k of [i, Math.min(low, high), Math.max(low, high), end - 1]) if (keep[keep.length - 1] !== k) keep.push(k);
				i = end;
			}
			return keep;
		};
		let d = "";
		if (mark.type === "band") {
			const keep = [...new Set([...pick(mark.loAt), ...pick(mark.hiAt)])].sort((a, b) => a - b).filter((i) => mark.loAt(i) <= mark.hiAt(i));
			if (keep.length) d = "M" + keep.map((i) => p(X(times.at(i))) + " " + p(Y(mark.hiAt(i)))).join("L") + "L" + keep.reverse().map((i) => p(X(times.at(i))) + " " + p(Y(mark.loAt(i)))).join("L") + "Z";
		} else {
			let pen = "M";
			for (const i of pick(mark.yAt)) {
				const y = mark.yAt(i);
				if (Number.isNaN(y)) { pen = "M"; continue; }
				d += (mark.type === "points" ? "M" : pen) + p(X(times.at(i))) + " " + p(Y(y)) + (mark.type === "points" ? "h0" : "");
				pen = "L";
			}
		}
		path.setAttribute("d", d);
	}

	const xGroup = svg.querySelector(".x-ticks"), yGroup = svg.querySelector(".y-ticks");
	xGroup.replaceChildren(); yGroup.replaceChildren();
	const xTicks = ticks(from, to, 8), yTicks = ticks(lo, hi, 5);
	for (const [v, label] of xTicks.list) {
		add(xGroup, "line", { class: "tick", x1: p(X(v)), x2: p(X(v)), y1: base, y2: base + 4 });
		add(xGroup, "text", { x: p(X(v)), y: base + 16, "text-anchor": "middle" }, label);
	}
	for (const [v, label] of yTicks.list) {
		add(yGroup, "line", { class: "grid", x1: L.left, x2: right, y1: p(Y(v)), y2: p(Y(v)) });
		add(yGroup, "text", { x: L.left - 6, y: p(Y(v) + 3.5), "text-anchor": "end" }, label);
	}
	for (const [name, t] of [[".x-name", xTicks], [".y-name", yTicks]]) {
		const element = svg.querySelector(name);
		if (element.dataset.plain === undefined) element.dataset.plain = element.textContent.replace(/\s+×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+$/, "");
		element.textContent = element.dataset.plain + (t.exponent ? "  " + raised(t.exponent) : "");
	}
	figure.view = [from, to];
}

function show(figure, from, to) {
	const [lo, hi] = figure.domain, width = Math.min(to - from, hi - lo);
	if (!(width > (hi - lo) * 1e-6)) return;
	from = Math.max(lo, Math.min(from, hi - width));
	for (const other of figures) if (other.group === figure.group) {
		draw(other, from, from + width);
		other.button.hidden = width >= hi - lo;
	}
}

for (const figure of figures) {
	const svg = document.getElementById(figure.id), holder = svg.parentElement, L = figure.layout;
	figure.view = figure.domain;
	const reset = () => show(figure, figure.domain[0], figure.domain[1]);
	const button = figure.button = document.createElement("button");
	button.type = "button"; button.textContent = "Whole record"; button.className = "reset"; button.hidden = true;
	button.addEventListener("click", () => { reset(); holder.focus(); });
	holder.append(button);
	holder.tabIndex = 0;
	holder.setAttribute("role", "group");
	holder.setAttribute("aria-label", "Zoomable plot. Keys: plus and minus zoom, arrows move, 0 shows all.");

	const toValue = (event) => {
		const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * L.width;
		const share = (Math.min(L.width - L.right, Math.max(L.left, x)) - L.left) / (L.width - L.right - L.left);
		return { pixel: x, value: figure.view[0] + share * (figure.view[1] - figure.view[0]) };
	};
	let start = null, shade = null;
	svg.addEventListener("pointerdown", (event) => {
		if (event.button !== 0) return;
		start = toValue(event);
		svg.setPointerCapture(event.pointerId);
		add(svg, "rect", { class: "shade", y: L.top, height: L.height - L.top - L.bottom, x: start.pixel, width: 0 });
		shade = svg.lastElementChild;
	});
	svg.addEventListener("pointermove", (event) => {
		if (!start) return;
		const now = toValue(event);
		shade.setAttribute("x", p(Math.min(start.pixel, now.pixel)));
		shade.setAttribute("width", p(Math.abs(now.pixel - start.pixel)));
	});
	const end = (event) => {
		if (!start) return;
		const now = toValue(event), first = start;
		start = null; shade.remove();
		if (event.type === "pointerup" && Math.abs(now.pixel - first.pixel) > 5) show(figure, Math.min(first.value, now.value), Math.max(first.value, now.value));
	};
	svg.addEventListener("pointerup", end);
	svg.addEventListener("pointercancel", end);
	svg.addEventListener("dblclick", reset);
	holder.addEventListener("keydown", (event) => {
		if (event.target !== holder || event.ctrlKey || event.metaKey || event.altKey) return;
		const [from, to] = figure.view, width = to - from;
		if (event.key === "+" || event.key === "=") show(figure, from + width / 4, to - width / 4);
		else if (event.key === "-") show(figure, from - width / 2, to + width / 2);
		else if (event.key === "ArrowLeft") show(figure, from - width / 4, to - width / 4);
		else if (event.key === "ArrowRight") show(figure, from + width / 4, to + width / 4);
		else if (event.key === "0" || event.key === "Escape") reset();
		else return;
		event.preventDefault();
	});
}
})();
`;
