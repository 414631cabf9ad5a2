/** Columns of numbers to csv text, each number in the fewest digits that read back to the same bits. */

export interface CsvColumn {
	name: string;
	values: ArrayLike<number>;
	/** 1 where the field is left empty. */
	missing?: Uint8Array;
	/** -1 where the value is a limit from above (`<0.05`), 1 where it is one from below. */
	limits?: Int8Array;
}

export function csvText(columns: CsvColumn[]): string {
	let nRows = 0;
	for (const { values } of columns) nRows = Math.max(nRows, values.length);
	const lines: string[] = [columns.map(({ name }) => quoted(name)).join(",")];
	for (let row = 0; row < nRows; row++) {
		let line = "";
		for (let c = 0; c < columns.length; c++) {
			const { values, missing, limits } = columns[c];
			if (c > 0) line += ",";
			if (row < values.length && missing?.[row] !== 1)
				line += `${["<", "", ">"][1 + (limits?.[row] ?? 0)]}${numberText(values[row])}`;
			// A line that is blank would be passed over.
			else if (columns.length === 1) line += '""';
		}
		lines.push(line);
	}
	return `${lines.join("\n")}\n`;
}

function numberText(x: number): string {
	return x === 0 && 1 / x < 0 ? "-0" : `${x}`;
}

/** A name that would read as something else goes into quotes, on one line. */
function quoted(header: string): string {
	const name = header.replace(/[\r\n]+/g, " ");
	return /[",;|\t\r\n#%/]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
