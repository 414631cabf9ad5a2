/** The HDF5 library of this thread, loaded when it is first needed. A damaged file can stop it for good. */
import { InputError } from "../../errors.ts";

export type Hdf5 = typeof import("h5wasm");
export type Hdf5Host = Awaited<Hdf5["ready"]>;

let hasStopped = false;

export async function loadHdf5(): Promise<{ hdf5: Hdf5; host: Hdf5Host }> {
	const hdf5 = await import("h5wasm");
	const host = await atWork(hdf5.ready);
	// Its own handler writes to the terminal, and goes on without what could not be done.
	host.activate_throwing_error_handler();
	return { hdf5, host };
}

/**
 * While a module is compiled nothing in a thread of Node counts as at work. A thread that has nothing at work waits for the
 * compilers of all threads, which may go on for ever, and cannot be ended meanwhile: a timer keeps it from that.
 */
async function atWork<T>(loading: Promise<T>): Promise<T> {
	const timer = setInterval(() => {}, 1000);
	try {
		return await loading;
	} finally {
		clearInterval(timer);
	}
}

export function checkHdf5(file: string, done: "read" | "written"): void {
	if (hasStopped)
		throw new InputError(
			file,
			`cannot be ${done}: a damaged file before it stopped the HDF5 library`,
			"Start again.",
		);
}

/** To be told of every error: one in the middle of something leaves a library that cannot be trusted from now on. */
export function noteHdf5Error(error: unknown): void {
	if (error instanceof Error && error.name === "RuntimeError") hasStopped = true;
}
