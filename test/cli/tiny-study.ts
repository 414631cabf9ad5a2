/** A study that is done in a moment: exponential decay with a known answer. */
import { stream } from "../../src/num/random.ts";

export const decayModel = `# decay
param   k ~ lognormal(0, 1)
state   x = 2
x' = -k*x
measure y ~ normal(x, 0.01)
`;

/** k = 0.7, noise of 0.01, 60 samples at 10 Hz. */
export function decayCsv(nSamples = 60): string {
	const noise = stream(1, "decay");
	const rows = Array.from({ length: nSamples }, (_, i) => {
		const t = i / 10;
		return `${t},${2 * Math.exp(-0.7 * t) + 0.01 * noise.normal(i)}`;
	});
	return `t,y\n${rows.join("\n")}\n`;
}

export const decayStudy = `model: decay.ode
data: { file: decay.csv, time: t }
train: 0..40
test: 40..60
`;

/** The test rows start in the middle of the decay: the start of the state must not be 0. */
export const decayFiles = {
	"decay.ode": decayModel.replace("state   x = 2", "state   x ~ normal(1, 1)"),
	"decay.csv": decayCsv(),
	"study.yaml": decayStudy,
};
