/** A queue behind TLS and a password, with a certificate of one's own: who gets in, and what the others are told. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build, Workplace } from "../cli/odentify.ts";
import { decayFiles } from "../cli/tiny-study.ts";
import { freePort, hasRedis, RedisServer } from "./redis-server.ts";

const workplace = new Workplace(decayFiles);
const file = (name: string): string => join(workplace.path, name);
const authority = file("authority.pem");
const hasCertificates = hasRedis && makeCertificates();
const hasTls = hasCertificates && speaksTls();
if (hasRedis && !hasTls)
	console.warn("no openssl here, or a redis-server without TLS: rediss:// is not tested");

/** An authority, and a certificate of `localhost` that it has signed. */
function makeCertificates(): boolean {
	const openssl = (...args: string[]): void => void spawnSync("openssl", args, { cwd: workplace.path });
	const key = (name: string) => ["-newkey", "rsa:2048", "-nodes", "-keyout", `${name}-key.pem`];
	openssl("req", "-x509", "-days", "2", ...key("authority"), "-out", "authority.pem", "-subj", "/CN=own");
	openssl("req", ...key("server"), "-out", "request.pem", "-subj", "/CN=localhost");
	workplace.put("names.txt", "subjectAltName=DNS:localhost");
	const signed = ["-CA", "authority.pem", "-CAkey", "authority-key.pem", "-CAcreateserial"];
	openssl("x509", "-req", "-in", "request.pem", ...signed, "-extfile", "names.txt", "-out", "server.pem");
	return existsSync(file("server.pem"));
}

function tlsArguments(port: number): string[] {
	return [
		...["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no"],
		...["--tls-cert-file", file("server.pem"), "--tls-key-file", file("server-key.pem")],
		...["--tls-ca-cert-file", authority, "--requirepass", "secret"],
	];
}

/** Neither starts here: one without TLS does not know the first option, one with it refuses the second. */
function speaksTls(): boolean {
	const { stderr } = spawnSync("redis-server", ["--tls-port", "0", "--port", "-1"], { encoding: "utf8" });
	return !/tls-port/.test(stderr);
}

describe.runIf(hasTls)("rediss:// with a password", () => {
	let server: RedisServer;
	const withAuthority = async <T>(run: () => T | Promise<T>): Promise<T> => {
		process.env.NODE_EXTRA_CA_CERTS = authority;
		try {
			return await run();
		} finally {
			delete process.env.NODE_EXTRA_CA_CERTS;
		}
	};

	beforeAll(async () => {
		await build();
		const port = await freePort();
		server = new RedisServer(tlsArguments(port), "rediss://:secret@localhost");
		server.port = port;
		await server.start();
	}, 300_000);
	afterAll(() => server.clean());
	afterAll(() => workplace.clean());

	test(
		"a worker, a run with the bits of inline, and the queue's state",
		() =>
			withAuthority(async () => {
				const worker = await server.worker("--threads", "1");
				const run = (...args: string[]) => workplace.run("run", "study.yaml", "--out", ...args);
				expect(run("one", "--compute", "inline").code).toBe(0);
				expect(run("two", "--compute", server.url)).toMatchObject({ code: 0, err: "" });
				expect(workplace.text("two/trajectory.csv")).toBe(workplace.text("one/trajectory.csv"));
				// The password is nowhere to be read.
				expect(workplace.text("two/log.jsonl")).toContain(`"compute":"rediss://localhost:${server.port}"`);
				const { code, out } = workplace.run("queue", server.url);
				expect(code).toBe(0);
				expect(out).toMatch(/1 worker, 1 thread/);
				expect(out).not.toContain("secret");
				expect(await server.end(worker, "SIGTERM")).toBe(0);
			}),
		120_000,
	);

	test("a certificate that is not trusted, another name, a wrong password, no TLS", async () => {
		const told = (url: string) => workplace.run("queue", url);
		const refused = (problem: RegExp) => ({ code: 2, err: expect.stringMatching(problem) });
		expect(told(server.url)).toMatchObject(
			refused(/certificate[\s\S]*not trusted here[\s\S]*NODE_EXTRA_CA_CERTS/),
		);
		await withAuthority(() => {
			const { port } = server;
			expect(told(`rediss://:wrong@localhost:${port}`)).toMatchObject(refused(/does not let us in/));
			expect(told(`rediss://localhost:${port}`)).toMatchObject(refused(/does not let us in/));
			const otherName = told(`rediss://:secret@127.0.0.1:${port}`);
			expect(otherName).toMatchObject(refused(/certificate for another name[\s\S]*address:\s+DNS:localhost/));
			expect(otherName.err).not.toContain("NODE_EXTRA_CA_CERTS");
			expect(told(`redis://:secret@localhost:${port}`)).toMatchObject(
				refused(/does not answer[\s\S]*rediss:/),
			);
		});
	}, 120_000);
});
