/** The plot of a record: any number of samples, thinned to what the screen shows; a drag zooms or chooses rows. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { indexAt, thin } from "./thin.ts";

export interface PlotSeries {
	readonly name: string;
	readonly values: Float64Array;
	readonly kind: "output" | "input";
}

export interface Span {
	readonly from: number;
	readonly to: number;
	readonly kind: "train" | "test";
}

export interface PlotContent {
	readonly times: Float64Array;
	readonly series: readonly PlotSeries[];
	readonly spans: readonly Span[];
	readonly timeName: string;
}

const height = 190;

/** Colours come from the page's style, so that light and dark are one. */
function colour(name: string): string {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const inks = ["--data", "--series2", "--series3", "--series4"];

export class RecordPlot {
	#plot: uPlot | undefined;
	#content: PlotContent | undefined;
	#window: readonly [number, number] = [0, 1];
	/** Milliseconds that the last whole drawing took. */
	lastDraw = 0;

	constructor(
		private readonly holder: HTMLElement,
		/** Rows that were dragged over, or `undefined` to let the drag zoom. */
		private readonly onDrag: (from: number, to: number) => boolean,
		private readonly onZoom: (zoomed: boolean) => void,
	) {}

	show(content: PlotContent): void {
		const start = performance.now();
		const same = this.#content?.times === content.times;
		this.#content = content;
		const { times } = content;
		if (!same) this.#window = [times[0], times[times.length - 1]];
		this.#plot?.destroy();
		this.#plot = new uPlot(this.#options(content), this.#data(), this.holder);
		this.#plot.root.querySelector("canvas")?.setAttribute("aria-hidden", "true");
		this.onZoom(this.#isZoomed);
		this.lastDraw = performance.now() - start;
	}

	resize(): void {
		const width = this.#width;
		if (!this.#plot || !this.#content || this.#plot.width === width) return;
		this.#plot.setSize({ width, height });
		this.#redraw();
	}

	zoom(from: number, to: number): void {
		if (!this.#content || !(to > from)) return;
		const { times } = this.#content;
		const [first, last] = [times[0], times[times.length - 1]];
		const width = Math.min(to - from, last - first);
		const left = Math.max(first, Math.min(from, last - width));
		this.#window = [left, left + width];
		this.#redraw();
		this.onZoom(this.#isZoomed);
	}

	/** Keys: + and − zoom, arrows move, 0 shows all. True when the key was one of these. */
	key(key: string): boolean {
		const [from, to] = this.#window;
		const width = to - from;
		if (key === "+" || key === "=") this.zoom(from + width / 4, to - width / 4);
		else if (key === "-") this.zoom(from - width / 2, to + width / 2);
		else if (key === "ArrowLeft") this.zoom(from - width / 4, to - width / 4);
		else if (key === "ArrowRight") this.zoom(from + width / 4, to + width / 4);
		else if (key === "0") this.showAll();
		else return false;
		return true;
	}

	showAll(): void {
		this.zoom(-Infinity, Infinity);
	}

	destroy(): void {
		this.#plot?.destroy();
	}

	get #isZoomed(): boolean {
		const times = this.#content!.times;
		return this.#window[0] > times[0] || this.#window[1] < times[times.length - 1];
	}

	get #width(): number {
		return Math.max(280, this.holder.clientWidth);
	}

	#redraw(): void {
		this.#plot?.setData(this.#data(), false);
		this.#plot?.setScale("x", { min: this.#window[0], max: this.#window[1] });
	}

	#data(): uPlot.AlignedData {
		const { times, series } = this.#content!;
		const from = Math.max(0, indexAt(times, this.#window[0]) - 1);
		const to = Math.min(times.length, indexAt(times, this.#window[1]) + 2);
		const { x, columns } = thin(
			times,
			series.map(({ values }) => values),
			from,
			to,
			Math.ceil(this.#width * Math.min(2, devicePixelRatio)),
		);
		return [x, ...columns.map((values) => Array.from(values, (v) => (Number.isNaN(v) ? null : v)))];
	}

	#options({ series, timeName }: PlotContent): uPlot.Options {
		const axis = (extra: uPlot.Axis): uPlot.Axis => ({
			stroke: colour("--muted"),
			font: "11px system-ui, sans-serif",
			grid: { show: false },
			ticks: { show: false },
			...extra,
		});
		const hasInput = series.some(({ kind }) => kind === "input");
		const hasOutput = series.some(({ kind }) => kind === "output");
		let outputs = 0;
		let inputs = 0;
		return {
			width: this.#width,
			height,
			padding: [8, hasInput ? 0 : 44, 0, hasOutput ? 0 : 44],
			legend: { show: false },
			cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
			scales: {
				x: { time: false, range: () => [this.#window[0], this.#window[1]] },
				// Outputs above, inputs below, each with its own scale and none on top of the other.
				output: { range: (_, min, max) => (hasInput ? shifted(min, max, 0.42, 1) : shifted(min, max, 0, 1)) },
				input: { range: (_, min, max) => (hasOutput ? shifted(min, max, 0, 0.36) : shifted(min, max, 0, 1)) },
			},
			axes: [
				axis({ label: timeName, labelSize: 13, labelFont: "11px system-ui, sans-serif", size: 18, gap: 3 }),
				...(hasOutput
					? [
							axis({
								scale: "output",
								size: 52,
								values: inRange,
								grid: { stroke: colour("--grid"), width: 1 },
							}),
						]
					: []),
				...(hasInput
					? [axis({ scale: "input", size: 52, space: 14, side: hasOutput ? 1 : 3, values: inRange })]
					: []),
			],
			series: [
				{},
				...series.map(({ name, kind }): uPlot.Series => {
					const ink = kind === "input" ? ["--muted", "--axis"][inputs++ % 2] : inks[outputs++ % inks.length];
					return {
						label: name,
						scale: kind,
						stroke: colour(ink),
						width: 1,
						points: { show: false },
						spanGaps: false,
					};
				}),
			],
			hooks: {
				drawClear: [(plot) => this.#shade(plot)],
				draw: [(plot) => this.#label(plot)],
				setSelect: [(plot) => this.#select(plot)],
			},
		};
	}

	#select(plot: uPlot): void {
		const { left, width } = plot.select;
		if (!(width > 3)) return;
		const from = plot.posToVal(left, "x");
		const to = plot.posToVal(left + width, "x");
		plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
		const { times } = this.#content!;
		if (!this.onDrag(indexAt(times, from), indexAt(times, to))) this.zoom(from, to);
	}

	/** Rows for training and for testing, behind the lines. */
	#shade({ ctx, bbox, valToPos }: uPlot): void {
		const { times, spans } = this.#content!;
		for (const { from, to, kind } of spans) {
			const left = Math.max(bbox.left, valToPos(times[from], "x", true));
			const right = Math.min(
				bbox.left + bbox.width,
				valToPos(times[Math.min(to, times.length) - 1], "x", true),
			);
			if (!(right > left)) continue;
			const ink = colour(kind === "train" ? "--accent" : "--truth");
			ctx.save();
			ctx.fillStyle = ink;
			ctx.globalAlpha = 0.09;
			ctx.fillRect(left, bbox.top, right - left, bbox.height);
			ctx.globalAlpha = 1;
			ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
			ctx.textBaseline = "top";
			ctx.fillText(kind, left + 5 * devicePixelRatio, bbox.top + 3 * devicePixelRatio);
			ctx.restore();
		}
	}

	/** Names beside the ends of the lines. */
	#label(plot: uPlot): void {
		const { ctx, bbox } = plot;
		const { series } = this.#content!;
		const taken: number[] = [];
		for (const [i, { name, kind }] of series.entries()) {
			const values = plot.data[i + 1];
			let last: number | null = null;
			for (let k = values.length - 1; k >= 0 && last === null; k--) last = values[k] ?? null;
			if (last === null) continue;
			// Outputs have their axis on the left and their name on the right, inputs the other way round.
			const output = kind === "output";
			const lineHeight = 13 * devicePixelRatio;
			let y = output ? plot.valToPos(last, kind, true) : middleOf(plot, i + 1, kind);
			while (taken.some((other) => Math.abs(other - y) < lineHeight)) y += lineHeight;
			if (output) taken.push(y);
			ctx.save();
			ctx.fillStyle = (plot.series[i + 1].stroke as () => string)();
			ctx.font = `600 ${11 * devicePixelRatio}px system-ui, sans-serif`;
			ctx.textAlign = output ? "left" : "right";
			ctx.textBaseline = "middle";
			const gap = 6 * devicePixelRatio;
			ctx.fillText(name, output ? bbox.left + bbox.width + gap : bbox.left - gap, y);
			ctx.restore();
		}
	}
}

/** Height in the middle of a series. */
function middleOf(plot: uPlot, index: number, scale: string): number {
	let least = Infinity;
	let most = -Infinity;
	for (const value of plot.data[index]) {
		if (value === null || value === undefined) continue;
		if (value < least) least = value;
		if (value > most) most = value;
	}
	return plot.valToPos((least + most) / 2, scale, true);
}

/** A range in which the values fill the part from `low` to `high` of the height. */
function shifted(min: number, max: number, low: number, high: number): [number, number] {
	if (!(max > min)) {
		const half = Math.abs(min) * 0.1 || 1;
		return shifted((min || 0) - half, (min || 0) + half, low, high);
	}
	const size = ((max - min) * 1.06) / (high - low);
	const from = min - 0.03 * (max - min) - low * size;
	return [from, from + size];
}

/** Ticks only where there are values of that scale; the rest of the height belongs to the other. */
function inRange(plot: uPlot, splits: number[], axis: number): (string | null)[] {
	const scale = plot.axes[axis].scale!;
	let least = Infinity;
	let most = -Infinity;
	plot.series.forEach((series, i) => {
		if (i === 0 || series.scale !== scale) return;
		for (const value of plot.data[i]) {
			if (value === null || value === undefined) continue;
			if (value < least) least = value;
			if (value > most) most = value;
		}
	});
	const slack = 0.04 * (most - least);
	const largest = Math.max(Math.abs(least), Math.abs(most));
	return splits.map((split) => {
		if (!(split >= least - slack && split <= most + slack)) return null;
		if (largest >= 1e5 || largest < 1e-3) return split === 0 ? "0" : split.toExponential(1).replace("-", "−");
		return String(Number(split.toPrecision(6))).replace("-", "−");
	});
}
