/** The examples in the order of the menu: the models of the papers, each on a simulated record. */
export const exampleList: readonly { readonly id: string; readonly title: string; readonly says: string }[] =
	[
		{
			id: "silverbox",
			title: "Duffing oscillator",
			says: "A mass on a hardening spring: how sure are its four numbers?",
		},
		{
			id: "bouc-wen",
			title: "Bouc–Wen hysteresis",
			says: "A spring with a memory, seen through its acceleration alone.",
		},
		{
			id: "emps",
			title: "Positioning system",
			says: "Inertia and dry friction of a motor on a ball screw.",
		},
		{
			id: "lotka-volterra-field",
			title: "Unknown laws of growth",
			says: "Two species whose equations are learned, not given.",
		},
		{
			id: "morris-lecar",
			title: "Morris–Lecar neuron",
			says: "Nine numbers and a hidden state from a voltage that spikes.",
		},
		{
			id: "predator-prey",
			title: "Predator and prey",
			says: "Rates from the prey's cycle; the predators are never seen.",
		},
		{
			id: "operating-conditions",
			title: "Operating conditions",
			says: "Which of 24 weights are there, from six experiments?",
		},
		{
			id: "spline-terms",
			title: "Curved or straight",
			says: "Which of four unknown functions are there, and which are bent?",
		},
		{
			id: "compartments",
			title: "Two compartments",
			says: "Every value that agrees with the data, enclosed with proof.",
		},
	];
