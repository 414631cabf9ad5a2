/** Cases spread over processes, each with a processor time of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";

export async function overProcesses<Spec extends object, Outcome>(
	specs: readonly Spec[],
	processes: number,
	tell: (outcome: Outcome) => void,
): Promise<void> {
	const waiting = [...specs];
	await Promise.all(
		Array.from({ length: Math.min(processes, specs.length) }, async () => {
			const child = fork(new URL("./worker.js", import.meta.url));
			const ended = once(child, "exit").then(() => undefined);
			for (let spec = waiting.shift(); spec; spec = waiting.shift()) {
				child.send(spec);
				const answer = await Promise.race([once(child, "message"), ended]);
				if (!answer) throw new Error(`The process that did ${JSON.stringify(spec)} has ended.`);
				tell(answer[0] as Outcome);
			}
			child.disconnect();
			await ended;
		}),
	);
}
