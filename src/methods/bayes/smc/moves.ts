/**
 * Metropolis–Hastings moves of a whole cloud at once.
 *
 * The independent kernel of [longbottom2024] accepts with eq. (25), which lacks the ratio q(θ)/q(θ̃): as printed, its
 * stationary law is about the square of the posterior. Here the ratio is there, in sampled coordinates.
 */
import { log } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";
import { effectiveSampleSize, normalisedWeights } from "../../../num/statistics/log-weights.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Kinds } from "./chart.ts";
import { type Cloud, particleCopier } from "./cloud.ts";
import { Proposal } from "./proposal.ts";
import { memory, travels } from "./travel.ts";

export interface MoveTask extends Kinds {
	readonly cloud: Cloud;
	/** Fitted to the weighted cloud before it was resampled. */
	readonly proposal: Proposal;
	/** Log target density of a particle, up to a constant. */
	logTarget(cloud: Cloud, b: number): number;
	/** A cloud at the points z, everything evaluated. */
	evaluate(z: Float64Array): Promise<Cloud>;
	/** The cloud that is shown in the end: its proposals are fitted anew to what came of the first ones, until they fit. */
	readonly last?: boolean;
	/** The target may be wider than the one before it. */
	readonly widens?: boolean;
	readonly seed: number;
	/** Names the streams: no two moves may share it. */
	readonly purpose: string;
}

/** Share of unmoved particles at which a cloud counts as rejuvenated, and the most independent moves for it. */
const restless = 0.1;
const mostIndependent = 8;
/**
 * Steps that a cloud of another shape takes at least, and at most; and the correlation of where particles are with where they
 * were that steps have to bring it to: on the way, and in the end.
 */
const fewestSteps = 12;
const mostSteps = 24;
const mostStepsInTheEnd = 40;
const forgotten = 0.5;
const forgottenInTheEnd = 0.25;
/** Steps in which it has to fall, and by how much: between modes that are far apart no steps lead. */
const look = 6;
const leastForgotten = 0.05;
/** Below this acceptance independent proposals miss the shape of the target, and steps follow it better. */
const poorAcceptance = 0.15;
/** Sweeps that a cloud which lags behind its target may take to catch up, and how much wider its proposals are then. */
const mostSweeps = 30;
const wider = 1.5;
/** In the end: proposals that are too narrow would leave the cloud too narrow. */
const widerInTheEnd = 1.1;
/** Particles a coordinate: with fewer, a fitted width is so uncertain that all proposals need heavy tails. */
const fewParticles = 20;
/** Effective share of proposals that fit: a normal target in 10 dimensions leaves 0.7. */
const fittingShare = 0.6;
/** Below it the target has another shape: what is fitted anew fits no better, and steps do the moving. */
const hopelessShare = 0.15;
/** Sweeps in the end, at most, for a target of another shape; and proposals, at least, that a small cloud needs. */
const mostSweepsInTheEnd = 6;
const fewestProposals = 300;

export interface MoveReport {
	readonly moves: number;
	/** Mean acceptance of the independent moves. */
	readonly acceptance: number;
	/** Random-walk moves that were needed beside them. */
	readonly steps: number;
	/**
	 * Effective share of the independent proposals of the last sweep as importance samples of the target, 1 at best. They
	 * have heavy tails, so they also see what the cloud does not hold: a small share says that the cloud may lack it.
	 */
	readonly share: number;
}

/** What samplers are given to move their clouds with: `rejuvenate`, or a rule to hold beside it. */
export type Moves = (task: MoveTask) => Promise<MoveReport>;

/**
 * Moves until few particles are left where they were, and until the cloud has come to rest: a cloud that still climbs
 * lags behind its target, however many proposals it accepts, and is moved again with proposals fitted anew. In the end
 * it must also be as wide as its target, which is told by how well the proposals weigh, not by the cloud itself; and along
 * a ridge it may travel and widen without a climb.
 */
export async function rejuvenate(task: MoveTask): Promise<MoveReport> {
	const total: Total = { moves: 0, accepted: 0, steps: 0, logWeights: [] };
	const { cloud, last } = task;
	let proposal = firstProposal(task);
	let before = targetLevel(task);
	let share = 0;
	let bestShare = 0;
	for (let sweep = 0; ; sweep++) {
		total.logWeights = [];
		const places = cloud.z.slice();
		await moveOnce({ ...task, proposal, purpose: `${task.purpose} sweep ${sweep}` }, total);
		share = effectiveShare(total.logWeights);
		const after = targetLevel(task);
		const noise = 4 * Math.sqrt(squared(before.error) + squared(after.error));
		const climbs = after.mean - before.mean > noise || (last && travels(places, cloud.z, cloud.n));
		const atEnd =
			sweep > 0 &&
			(share > fittingShare ||
				share < Math.max(hopelessShare, 1.1 * bestShare) ||
				sweep + 1 >= mostSweepsInTheEnd) &&
			total.moves * cloud.n >= fewestProposals;
		const again = climbs || (last && !atEnd);
		if (!again || sweep + 1 >= mostSweeps) break;
		before = after;
		bestShare = Math.max(bestShare, share);
		const even = new Float64Array(cloud.n).fill(1 / cloud.n);
		const fitted = Proposal.fit(cloud.z, even, proposal.mean.length, task);
		proposal = fitted.heavy(climbs ? wider : widerInTheEnd);
	}
	const { moves, accepted, steps } = total;
	return { moves, acceptance: accepted / moves, steps, share };
}

function firstProposal({ proposal, last, widens }: MoveTask): Proposal {
	if (last) return proposal.heavy(widerInTheEnd);
	return widens || proposal.size < fewParticles * proposal.mean.length ? proposal.heavy(1) : proposal;
}

interface Total {
	moves: number;
	accepted: number;
	steps: number;
	logWeights: number[];
}

/** Mean log target of the cloud and its standard error. */
function targetLevel({ cloud, logTarget }: MoveTask): { mean: number; error: number } {
	const { n } = cloud;
	let mean = 0;
	let spread = 0;
	for (let b = 0; b < n; b++) {
		const value = logTarget(cloud, b);
		const off = value - mean;
		mean += off / (b + 1);
		spread += off * (value - mean);
	}
	return { mean, error: Math.sqrt(spread) / n };
}

async function moveOnce(task: MoveTask, total: Total): Promise<void> {
	const { cloud, proposal, last } = task;
	const { n } = cloud;
	const before = proposal.straightened(cloud.z, n);
	const unmoved = await independentMoves(task, total, hastingsRatio);
	const share = effectiveShare(total.logWeights);
	const misses = share < hopelessShare;
	if (unmoved <= restless && !misses && !(last && share < fittingShare)) return;
	const wanted = last ? forgottenInTheEnd : forgotten;
	const most = last ? mostStepsInTheEnd : mostSteps;
	let scale = 2.38 / Math.sqrt(proposal.mean.length);
	const memories: number[] = [];
	for (let step = 0; step < most; step++) {
		memories.push(memory(before, proposal.straightened(cloud.z, n), n));
		const leadsOn = step < look || memories[step - look] - memories[step] > leastForgotten;
		if ((!misses || step >= fewestSteps) && (memories[step] <= wanted || !leadsOn)) break;
		const rate = await randomWalkMove(task, step, scale);
		total.steps++;
		// The cloud is never tuned on the move that uses the tuning.
		scale *= rate < 0.15 ? 0.6 : rate > 0.4 ? 1.5 : 1;
	}
}

function effectiveShare(logWeights: readonly number[]): number {
	return effectiveSampleSize(normalisedWeights(logWeights)) / logWeights.length;
}

/** What the proposal adds to the log acceptance of a move to a point of log density `there`. */
type LogRatio = (task: MoveTask, b: number, there: number) => number;

const hastingsRatio: LogRatio = ({ proposal, cloud }, b, there) =>
	proposal.logDensity(cloud.z, cloud.n, b) - there;

/** Until few particles are left where they were, or hardly any moves: the share that is left. */
export async function independentMoves(task: MoveTask, total: Total, logRatio: LogRatio): Promise<number> {
	let unmoved = 1;
	for (let move = 0; unmoved > restless && move < mostIndependent; move++) {
		const rate = await independentMove(task, move, total.logWeights, logRatio);
		total.accepted += rate;
		total.moves++;
		unmoved *= 1 - rate;
		if (move >= 1 && (rate < poorAcceptance || effectiveShare(total.logWeights) < hopelessShare)) break;
	}
	return unmoved;
}

async function independentMove(
	task: MoveTask,
	number: number,
	logWeights: number[],
	logRatio: LogRatio,
): Promise<number> {
	const { cloud, proposal, seed, purpose } = task;
	const { n } = cloud;
	const z = new Float64Array(cloud.z.length);
	const random = stream(seed, `bayes propose ${purpose} ${number}`);
	const isInside = Array.from({ length: n }, (_, b) => proposal.drawInto(z, n, b, random));
	const candidate = await task.evaluate(z);
	const there = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
	for (let b = 0; b < n; b++) {
		if (isInside[b]) there[b] = proposal.logDensity(z, n, b);
		logWeights.push(task.logTarget(candidate, b) - there[b]);
	}
	return accept(task, candidate, `accept ${purpose} ${number}`, (b) => logRatio(task, b, there[b]));
}

async function randomWalkMove(task: MoveTask, number: number, scale: number): Promise<number> {
	const { cloud, proposal, seed, purpose } = task;
	const { n } = cloud;
	const z = new Float64Array(cloud.z.length);
	const random = stream(seed, `bayes step ${purpose} ${number}`);
	const isInside = Array.from({ length: n }, (_, b) => proposal.stepInto(z, cloud.z, n, b, random, scale));
	return accept(task, await task.evaluate(z), `accept step ${purpose} ${number}`, (b) =>
		isInside[b] ? proposal.logSlope(cloud.z, n, b) - proposal.logSlope(z, n, b) : Number.NEGATIVE_INFINITY,
	);
}

/** Share of the particles that moved. */
function accept(
	{ cloud, logTarget, seed }: MoveTask,
	candidate: Cloud,
	purpose: string,
	logRatio: (b: number) => number,
): number {
	const random = stream(seed, `bayes ${purpose}`);
	const copy = particleCopier(cloud, candidate);
	let accepted = 0;
	for (let b = 0; b < cloud.n; b++) {
		const there = logTarget(candidate, b);
		if (!(there > Number.NEGATIVE_INFINITY)) continue;
		const logAlpha = there - logTarget(cloud, b) + logRatio(b); // [longbottom2024] eq. (25), corrected
		if (!(log(random.uniform(b)) < logAlpha)) continue;
		copy(b);
		accepted++;
	}
	return accepted / cloud.n;
}
