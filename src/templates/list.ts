/** All templates, in the order in which they are shown. */
import { dcMotor } from "./list/dc-motor.ts";
import { fitzhughNagumo } from "./list/fitzhugh-nagumo.ts";
import { heating } from "./list/heating.ts";
import { logisticGrowth } from "./list/logistic-growth.ts";
import { michaelisMenten } from "./list/michaelis-menten.ts";
import { oneCompartment } from "./list/one-compartment.ts";
import { oscillator } from "./list/oscillator.ts";
import { pendulum } from "./list/pendulum.ts";
import { predatorPrey } from "./list/predator-prey.ts";
import { rcCircuit } from "./list/rc-circuit.ts";
import { sir } from "./list/sir.ts";
import { tank } from "./list/tank.ts";
import { twoCompartments } from "./list/two-compartments.ts";
import type { Template } from "./template.ts";

export const templates: readonly Template[] = [
	oscillator,
	pendulum,
	dcMotor,
	rcCircuit,
	tank,
	heating,
	logisticGrowth,
	sir,
	predatorPrey,
	michaelisMenten,
	oneCompartment,
	twoCompartments,
	fitzhughNagumo,
];
