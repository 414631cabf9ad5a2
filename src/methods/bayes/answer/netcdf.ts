/**
 * A netCDF-4 file: an HDF5 file whose dimensions are datasets of their own, attached to the variables that have them.
 */
import type { Group, Writer } from "h5wasm";
import { checkHdf5, loadHdf5, noteHdf5Error } from "../../../data/mat/hdf5-library.ts";

export interface NetcdfVariable {
	/** Where a dimension has that name, in whichever group, it gets a _ behind it, or as many as it needs to be no other's. */
	readonly name: string;
	/** Names of its dimensions, in the order of `values` (the last one runs fastest). */
	readonly dimensions: readonly string[];
	readonly values: Float64Array;
}

export interface NetcdfGroup {
	readonly name: string;
	/** Coordinates of each dimension: whole numbers from 0 where a length is given. */
	readonly dimensions: Readonly<Record<string, number | Float64Array>>;
	readonly variables: readonly NetcdfVariable[];
	readonly attributes: Readonly<Record<string, string | number>>;
}

let nWritten = 0;

export async function netcdf(groups: readonly NetcdfGroup[]): Promise<Uint8Array<ArrayBuffer>> {
	const { hdf5, host: ready } = await loadHdf5();
	const host = ready as unknown as Writer;
	checkHdf5("posterior.nc", "written");
	const path = `/odentify-netcdf-${nWritten++}.nc`;
	const now = Date.now;
	// HDF5 writes down when each dataset was made. The same result is to give the same bytes, whenever that is.
	Date.now = () => 0;
	try {
		const file = new hdf5.File(path, "w");
		const names = freeNames(groups);
		for (const group of groups) writeGroup(file.create_group(group.name, true), group, names);
		file.close();
		return host.FS.readFile(path).slice();
	} catch (error) {
		noteHdf5Error(error);
		throw error;
	} finally {
		Date.now = now;
		remove(host, path);
	}
}

function remove(host: Writer, path: string): void {
	try {
		host.FS.unlink(path);
	} catch {
		// It was never made: what says why is on its way.
	}
}

function writeGroup(
	target: Group,
	{ name, dimensions, variables, attributes }: NetcdfGroup,
	names: ReadonlyMap<string, string>,
): void {
	for (const [key, value] of Object.entries(attributes)) target.create_attribute(key, value);
	for (const [dimension, coordinates] of Object.entries(dimensions)) {
		const data =
			typeof coordinates === "number"
				? BigInt64Array.from({ length: coordinates }, (_, i) => BigInt(i))
				: coordinates;
		const scale = target.create_dataset({ name: dimension, data, shape: [data.length], track_order: true });
		scale.make_scale(dimension);
	}
	for (const { name: wanted, dimensions: own, values } of variables) {
		const variable = names.get(wanted)!;
		const shape = own.map((dimension) => lengthOf(dimensions[dimension]));
		const dataset = target.create_dataset({ name: variable, data: values, shape, track_order: true });
		if (variable !== wanted) dataset.create_attribute("long_name", wanted);
		for (const [i, dimension] of own.entries()) dataset.attach_scale(i, `/${name}/${dimension}`);
	}
}

/** Names that netCDF allows, one for each variable in all groups: only those that dimensions have are changed, and none is another's. */
function freeNames(groups: readonly NetcdfGroup[]): Map<string, string> {
	const dimensions = new Set(groups.flatMap((group) => Object.keys(group.dimensions)));
	const wanted = [...new Set(groups.flatMap(({ variables }) => variables.map(({ name }) => name)))];
	const plain = (name: string): boolean => !name.includes("/") && !dimensions.has(name);
	const names = new Map(wanted.filter(plain).map((name) => [name, name]));
	const taken = new Set([...dimensions, ...names.values()]);
	for (const name of wanted) {
		if (names.has(name)) continue;
		let free = name.replaceAll("/", "_");
		while (taken.has(free)) free += "_";
		taken.add(free);
		names.set(name, free);
	}
	return names;
}

function lengthOf(coordinates: number | Float64Array): number {
	return typeof coordinates === "number" ? coordinates : coordinates.length;
}
