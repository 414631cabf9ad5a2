/** Labels beside the lines that they name, moved apart so that none covers another. */

export interface EndLabel {
	readonly text: string;
	readonly role: string;
	/** Where the mark ends. */
	y: number;
}

/** Shifts labels (sorted by height) so that each has its line, as little as possible, inside [top, bottom]. */
export function spread(labels: EndLabel[], height: number, top: number, bottom: number): EndLabel[] {
	labels.sort((a, b) => a.y - b.y);
	for (const label of labels) label.y = Math.min(bottom, Math.max(top, label.y));
	for (let i = 1; i < labels.length; i++) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + height);
	const last = labels.length - 1;
	if (last >= 0 && labels[last].y > bottom) {
		labels[last].y = bottom;
		for (let i = last - 1; i >= 0; i--) labels[i].y = Math.min(labels[i].y, labels[i + 1].y - height);
	}
	return labels;
}

/** Width of a text in pixels, about: nothing can be measured where there is no screen. */
export function textWidth(text: string, fontSize: number): number {
	return [...text].length * fontSize * 0.56;
}
