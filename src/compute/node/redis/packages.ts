/** The packages that speak to Redis: optional, loaded when first needed; and a first word with the server. */
import { endianness } from "node:os";
import type { Redis } from "ioredis";
import { InputError } from "../../../errors.ts";
import { encodingHint, type QueueServer, type QueueUrl } from "./queue-url.ts";

export interface Packages {
	readonly bullmq: typeof import("bullmq");
	readonly Redis: typeof Redis;
}

/** Milliseconds that a first word may take, and all that is asked at the beginning. */
const patience = 5000;
const firstAnswers = 20_000;

export async function loadPackages(option: string): Promise<Packages> {
	if (endianness() !== "LE")
		throw new InputError(option, "needs a little-endian processor", "Use another place.");
	try {
		const [bullmq, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
		return { bullmq, Redis };
	} catch (error) {
		throw new InputError(
			option,
			`needs the packages bullmq and ioredis, which do not load here (${firstLine(error)})`,
			"Install them:  npm install bullmq ioredis",
		);
	}
}

/** A connection that mends itself: commands wait while the server is away. */
export function connect({ Redis }: Packages, { options }: QueueUrl): Redis {
	const connection = new Redis(lasting(options));
	// Every loss is told; what it means is judged by those who wait.
	connection.on("error", () => {});
	return connection;
}

export function lasting(options: QueueServer) {
	return {
		...options,
		maxRetriesPerRequest: null,
		retryStrategy: (times: number) => Math.min(1000, 50 * times),
		connectTimeout: patience,
	};
}

/** Throws an InputError that says what is wrong when the server does not answer or does not let us in. */
export async function assertAnswers({ Redis }: Packages, url: QueueUrl, option: string): Promise<void> {
	const first = new Redis({
		...url.options,
		lazyConnect: true,
		retryStrategy: () => null,
		maxRetriesPerRequest: 0,
		connectTimeout: patience,
		// One that loads its data is asked again and again, and answers.
		maxLoadingRetryTime: patience / 5,
	});
	let reason: unknown;
	first.on("error", (error) => {
		reason = error;
	});
	const ask = async (): Promise<void> => {
		await first.connect();
		await first.ping();
		// Asked for by ourselves: the package goes on with database 0 when there is no such one.
		const { db } = url.options;
		if (db !== 0) await first.select(db).catch((error) => Promise.reject(noDatabase(error, url, option)));
	};
	const silence = untilSilent(first);
	try {
		await Promise.race([ask(), silence.comes]);
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw refused(reason ?? error, url, option);
	} finally {
		silence.stop();
		first.disconnect();
	}
}

/** What is asked of a server at the beginning: one that takes it and never answers is not waited for. */
export async function inTime<T>(answer: Promise<T>, url: QueueUrl, option: string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(refused(silentFor(firstAnswers), url, option)), firstAnswers);
	});
	return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Rejects when nothing has come for as long as we are patient: a port that is open need not be one of a server. */
function untilSilent(redis: Redis): { comes: Promise<never>; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	const comes = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(silentFor(patience)), patience);
	});
	const heard = (): void => void timer?.refresh();
	redis.on("connect", () => {
		heard();
		redis.stream.on("data", heard);
	});
	const stop = (): void => {
		clearTimeout(timer);
		timer = undefined;
	};
	return { comes, stop };
}

function silentFor(milliseconds: number): Error {
	return new Error(`nothing came back in ${milliseconds / 1000} s`);
}

function noDatabase(reason: unknown, { shown }: QueueUrl, option: string): InputError {
	return new InputError(
		option,
		`${shown} has no database ${shown.split("/").at(-1)} for us (${firstLine(reason)})`,
		"A server has the databases 0 to 15 if nothing else was set; without a number at the end it is 0.",
	);
}

function refused(reason: unknown, { shown, options }: QueueUrl, option: string): InputError {
	const text = firstLine(reason);
	if (/NOAUTH|WRONGPASS|NOPERM|ERR AUTH/.test(text))
		return new InputError(
			option,
			`${shown} does not let us in (${text})`,
			`Write the password into the address:  redis://:PASSWORD@host:6379  (${encodingHint})`,
		);
	// What the parser of answers says of a first byte that none begins with.
	if (/RESP/.test(text))
		return new InputError(
			option,
			`${shown} is something else than Redis`,
			"Is it the right port? redis-server listens at 6379 unless it is told otherwise.",
		);
	const { code, cert } = (reason ?? {}) as { code?: string; cert?: { subjectaltname?: string } };
	if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
		return new InputError(
			option,
			`${shown} has a certificate for another name (${text})`,
			`Write the name that the certificate is for into the address${cert?.subjectaltname ? `:  ${cert.subjectaltname}` : "."}`,
		);
	if (/certificate/.test(text))
		return new InputError(
			option,
			`${shown} has a certificate that is not trusted here (${text})`,
			"Name the file of its authority in the variable NODE_EXTRA_CA_CERTS.",
		);
	if (options.tls)
		return new InputError(
			option,
			`${shown} does not answer with TLS (${text})`,
			"Is a server with TLS running there? One without it is  redis://  instead of  rediss://",
		);
	// A server that speaks TLS hangs up on one who does not.
	if (/ECONNRESET|closed/.test(text))
		return new InputError(
			option,
			`${shown} does not answer (${text})`,
			"Is redis-server running there? One with TLS is  rediss://  instead of  redis://",
		);
	return new InputError(
		option,
		`${shown} does not answer (${text})`,
		"Is redis-server running there, and the port open? Start one with  redis-server --appendonly yes",
	);
}

function firstLine(error: unknown): string {
	const { message, code } = (error ?? {}) as { message?: string; code?: string };
	return (message || code || String(error)).split("\n")[0];
}
