/** An experiment on its way to another thread: inputs travel as their samples and are joined there as they were here. */
import type { Experiment } from "../experiment.ts";
import { type Interpolation, type Signal, signalFrom } from "../signal/signal.ts";
import { SignalCubic } from "../signal/signal-cubic.ts";
import { SignalLinear } from "../signal/signal-linear.ts";
import { SignalSinc } from "../signal/signal-sinc.ts";
import { SignalZoh } from "../signal/signal-zoh.ts";

interface PlainSignal {
	readonly times: Float64Array;
	readonly values: Float64Array;
	readonly interpolation: Interpolation;
}

export type PlainExperiment = Omit<Experiment, "inputs"> & { readonly inputs: Map<string, PlainSignal> };

/** Undefined where an input is no function of samples. */
export function plainExperiment({ inputs, ...rest }: Experiment): PlainExperiment | undefined {
	const plain = new Map<string, PlainSignal>();
	for (const [name, signal] of inputs) {
		const found = plainSignal(signal);
		if (!found) return undefined;
		plain.set(name, found);
	}
	return { ...rest, inputs: plain };
}

export function adoptedExperiment({ inputs, ...rest }: PlainExperiment): Experiment {
	return {
		...rest,
		inputs: new Map(
			[...inputs].map(([name, { times, values, interpolation }]) => [
				name,
				signalFrom(times, values, interpolation),
			]),
		),
	};
}

const kinds = [
	["zoh", SignalZoh],
	["linear", SignalLinear],
	["cubic", SignalCubic],
	["sinc", SignalSinc],
] as const;

function plainSignal(signal: Signal): PlainSignal | undefined {
	for (const [interpolation, Kind] of kinds)
		if (signal instanceof Kind) return { times: signal.times, values: signal.values, interpolation };
	return undefined;
}
