/** `odentify serve`: what it gives to its page, and what it refuses to everyone else. */
import { execFileSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Runs } from "../../src/cli/serve/runs.ts";
import { type Serving, serve } from "../../src/cli/serve/server.ts";
import { packJson } from "../../src/study/packed-json.ts";
import { parcel } from "../../workbench/page/parcel.ts";

const token = "a-token-that-only-the-page-has";
let folder: string;
let serving: Serving;
let port: number;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "odentify-serve-"));
	const put = (path: string, content: string): void => {
		mkdirSync(join(folder, path, ".."), { recursive: true });
		writeFileSync(join(folder, path), content);
	};
	put("page/index.html", "<!doctype html><title>Odentify</title>");
	put("page/assets/app.js", "export {};");
	put("page/.stamp", "hidden");
	put("secret.txt", "not for anyone");
	put("runs/one/study.yaml", "model: x.ode\n");
	put("runs/one/summary.json", '{"method":"fit","outcome":"converged","seconds":1.5}');
	const result = packJson({ result: { method: "fit", note: "x".repeat(100) } });
	put("runs/one/result.json", result);
	put("runs/one/report.html", "<p>report</p>");
	for (const name of ["evil.html", "evil.HTML", "Report.HTML", "evil.svg", "evil.SVG", "evil.js", "evil.css"])
		put(`runs/one/${name}`, "<script>alert(1)</script>");
	for (const name of ["evil.xhtml", "evil.xml", "evil", "posterior.nc", 'a "b"\u00e9.bin'])
		put(`runs/one/${name}`, "<script>alert(1)</script>");
	put("runs/no-run/notes.txt", "no study.yaml here");
	const summary = '{"method":"fit","outcome":"converged","seconds":1.5}';
	for (const [name, files] of Object.entries({
		going: {},
		torn: { "summary.json": summary, "result.json": result.slice(0, -20) },
		other: { "summary.json": summary, "result.json": "{}" },
		gone: { "summary.json": summary },
		mute: { "summary.json": "{}", "result.json": result },
		noise: { "summary.json": '{"method":', "result.json": result },
	}))
		for (const [file, content] of Object.entries({ "study.yaml": "model: x.ode\n", ...files }))
			put(`broken/${name}/${file}`, content);
	put("broken/unsaid/study.yaml", "model: x.ode\n");
	put("broken/unsaid/result.json", result);
	put("broken/rest/summary.json", summary);
	put("broken/rest/result.json", result.slice(0, -20));
	put("broken/shred/result.json", result);
	put("broken/no-run/notes.txt", "neither a study nor a result");
	put("page/odentify.html", "<!doctype html><title>Odentify</title>");
	symlinkSync(join(folder, "secret.txt"), join(folder, "runs/one/link.txt"));
	serving = await serve({
		page: join(folder, "page"),
		runs: join(folder, "runs"),
		port: 0,
		token,
		largestBody: 20_000,
	});
	port = Number(new URL(serving.url).port);
});
afterAll(async () => {
	await serving?.close();
	rmSync(folder, { recursive: true, force: true });
});

interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
}

/** A request as it stands: `fetch` would tidy the path, and would not send any Host. */
function ask(
	path: string,
	options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
	const { method = "GET", headers = {}, body } = options;
	return new Promise((resolve, reject) => {
		const sent = request(
			{ host: "127.0.0.1", port, path, method, headers: { Host: `127.0.0.1:${port}`, ...headers } },
			(response) => {
				const parts: Buffer[] = [];
				response.on("data", (part: Buffer) => parts.push(part));
				response.on("end", () =>
					resolve({
						status: response.statusCode!,
						headers: response.headers,
						text: Buffer.concat(parts).toString("utf8"),
					}),
				);
			},
		);
		sent.on("error", reject);
		sent.end(body);
	});
}

const bearer = { Authorization: `Bearer ${token}` };
const json = { "Content-Type": "application/json" };
const run = (name: string, more: { name: string; content: string }[] = []): string =>
	JSON.stringify({
		name,
		files: [
			{ name: "summary.json", content: '{"method":"fit","outcome":"converged","seconds":1}' },
			{ name: "study.yaml", content: "model: x.ode\n" },
			{ name: "result.json", content: "{}" },
			...more,
		],
	});

describe("what it serves", () => {
	it("is the page, under a strict policy and isolated", async () => {
		const { status, headers, text } = await ask("/");
		expect(status).toBe(200);
		expect(text).toContain('name="odentify-serve"');
		expect(headers["content-security-policy"]).toMatch(
			/default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/,
		);
		expect(headers["content-security-policy"]).not.toMatch(/'unsafe-eval'|'unsafe-inline'|\*/);
		expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
		expect(headers["cross-origin-embedder-policy"]).toBe("require-corp");
		expect(headers["x-content-type-options"]).toBe("nosniff");
		expect((await ask("/assets/app.js")).headers["content-type"]).toMatch(/^text\/javascript/);
	});

	it("are the runs of the folder, and only those", async () => {
		const { text } = await ask("/api/runs");
		expect(JSON.parse(text)).toMatchObject([
			{ name: "one", method: "fit", outcome: "converged", seconds: 1.5 },
		]);
		expect((await ask("/api/runs/one/study.yaml")).text).toBe("model: x.ode\n");
	});

	it("says of a run that is broken why it cannot be opened", () => {
		const list = new Runs(join(folder, "broken")).list();
		expect(Object.fromEntries(list.map(({ name, broken }) => [name, broken]))).toEqual({
			going: undefined,
			torn: "result.json is cut short",
			other: "result.json is damaged, or of another version",
			gone: "result.json is missing",
			mute: "summary.json has no method, outcome or time",
			noise: "summary.json cannot be read",
			unsaid: "summary.json is missing",
			rest: "study.yaml is missing; result.json is cut short",
			shred: "study.yaml is missing; summary.json is missing",
		});
		expect(list.filter(({ outcome }) => outcome !== undefined)).toEqual([]);
		expect(list.find(({ name }) => name === "going")).toEqual({ name: "going" });
	});

	it("lists the others beside a run that cannot be read, and is not held up by a pipe", async () => {
		const odd = join(folder, "odd");
		const make = (name: string): string => {
			const run = join(odd, name);
			cpSync(join(folder, "runs/one"), run, {
				recursive: true,
				filter: (path) => !path.endsWith("link.txt"),
			});
			return run;
		};
		make("good");
		for (const file of ["study.yaml", "summary.json", "result.json"]) {
			const [dir, pipe, link] = ["folder", "pipe", "link"].map((kind) => join(make(`${kind} ${file}`), file));
			for (const path of [dir, pipe, link]) rmSync(path);
			mkdirSync(dir);
			execFileSync("mkfifo", [pipe]);
			symlinkSync("/dev/zero", link);
		}
		// A time that no date can have.
		const late = join(make("late"), "summary.json");
		utimesSync(late, 1e15, 1e15);
		const own = await serve({ page: join(folder, "page"), runs: odd, port: 0, token });
		const get = async (path: string): Promise<Response> =>
			fetch(new URL(path, own.url), { signal: AbortSignal.timeout(5000) });
		try {
			const answer = await get("/api/runs");
			expect(answer.status).toBe(200);
			const list = (await answer.json()) as { name: string; method?: string; broken?: string }[];
			const broken = Object.fromEntries(list.map((entry) => [entry.name, entry.broken]));
			expect(broken).toEqual({
				good: undefined,
				late: broken.late,
				...Object.fromEntries(
					["study.yaml", "summary.json", "result.json"].flatMap((file) => [
						[`folder ${file}`, `${file} is a folder`],
						[`pipe ${file}`, `${file} is a pipe, not a file`],
						[`link ${file}`, `${file} is a device, not a file`],
					]),
				),
			});
			expect(list.find(({ name }) => name === "good")).toMatchObject({ method: "fit" });
			expect((await get("/api/runs/pipe%20result.json/result.json")).status).toBe(404);
			expect((await get("/api/runs/good/study.yaml")).status).toBe(200);
		} finally {
			await own.close();
		}
	});

	it("lets a report run as nobody", async () => {
		const { headers } = await ask("/api/runs/one/report.html");
		expect(headers["content-type"]).toBe("text/html; charset=utf-8");
		expect(headers["content-disposition"]).toBeUndefined();
		expect(headers["content-security-policy"]).toMatch(
			/^sandbox allow-scripts allow-downloads; default-src 'none'/,
		);
		expect(headers["content-security-policy"]).not.toMatch(/allow-same-origin|'self'/);
	});

	it("gives every other file of a run no chance to run", async () => {
		const files = readdirSync(join(folder, "runs/one")).filter(
			(name) => !/^(report.html|link.txt)$/.test(name),
		);
		expect(files.length).toBeGreaterThan(12);
		for (const name of files) {
			const { status, headers } = await ask(`/api/runs/one/${encodeURIComponent(name)}`);
			expect([name, status]).toEqual([name, 200]);
			expect(headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
			expect(headers["x-content-type-options"]).toBe("nosniff");
			const type = String(headers["content-type"]);
			expect(type).toMatch(/^(text\/plain; charset=utf-8|application\/(json; charset=utf-8|octet-stream))$/);
			expect(/^attachment; /.test(String(headers["content-disposition"]))).toBe(type.endsWith("stream"));
		}
		const named = await ask(`/api/runs/one/${encodeURIComponent('a "b"\u00e9.bin')}`);
		expect(named.headers["content-disposition"]).toBe("attachment; filename*=UTF-8''a%20%22b%22%C3%A9.bin");
	});

	it("keeps a run under a free name, for whoever has the token", async () => {
		const first = await ask("/api/runs", {
			method: "POST",
			headers: { ...bearer, ...json },
			body: run("mine"),
		});
		expect([first.status, JSON.parse(first.text)]).toEqual([201, { name: "mine" }]);
		const second = await ask("/api/runs", {
			method: "POST",
			headers: { ...bearer, ...json },
			body: run("mine"),
		});
		expect(JSON.parse(second.text)).toEqual({ name: "mine-2" });
		expect(readFileSync(join(folder, "runs/mine/study.yaml"), "utf8")).toBe("model: x.ode\n");
		expect(existsSync(join(folder, "runs/mine-2/log.jsonl"))).toBe(true);
	});
});

describe("the files of a kept run", () => {
	const keep = (files: unknown[]) =>
		ask("/api/runs", { method: "POST", headers: { ...bearer, ...json }, body: run("files", files as never) });

	it("may be models, and bytes", async () => {
		const bytes = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0, 255);
		const { sent, leftOut } = parcel([
			{ name: "selected.ode", content: "x' = -x\n" },
			{ name: "posterior.nc", content: bytes },
		]);
		expect(leftOut).toEqual([]);
		const { status, text } = await keep([...sent]);
		expect([status, text]).toEqual([201, '{"name":"files"}']);
		expect(readFileSync(join(folder, "runs/files/selected.ode"), "utf8")).toBe("x' = -x\n");
		expect(Uint8Array.from(readFileSync(join(folder, "runs/files/posterior.nc")))).toEqual(bytes);
		expect((await keep([{ name: "posterior.nc", base64: "a+b" }])).status).toBe(400);
		expect((await keep([{ name: "run.sh", content: "" }])).status).toBe(400);
	});

	it("are named when they are too large to be sent", () => {
		const { sent, leftOut } = parcel(
			[
				{ name: "a.json", content: "12345" },
				{ name: "big.nc", content: new Uint8Array(9) },
				{ name: "b.csv", content: "1" },
			],
			10,
		);
		expect(sent.map(({ name }) => name)).toEqual(["a.json", "b.csv"]);
		expect(leftOut).toEqual(["big.nc"]);
	});
});

describe("what it refuses", () => {
	it("a body that is JSON but no run", async () => {
		for (const body of ["5", "413", "200", "null", '"text"', "[]"]) {
			const { status } = await ask("/api/runs", { method: "POST", headers: { ...bearer, ...json }, body });
			expect([body, status]).toEqual([body, 400]);
		}
	});

	it("a file in place of its run folder", () => {
		expect(() => new Runs(join(folder, "secret.txt"))).toThrow(/is a file/);
	});

	it("a path that leads out of its folders", async () => {
		for (const path of [
			"/../secret.txt",
			"/assets/../../secret.txt",
			"/%2e%2e/secret.txt",
			"/..%2fsecret.txt",
			"//etc/passwd",
			"/.stamp",
			"/odentify.html",
			"/assets/..%5c..%5csecret.txt",
			"/api/runs/../secret.txt",
			"/api/runs/..%2f..%2fsecret.txt/x",
			"/api/runs/one/..%2f..%2f..%2fsecret.txt",
			"/api/runs/one/link.txt",
			"/api/runs/%2e%2e/secret.txt",
			"/api/runs/no-run/notes.txt",
			"/api/runs/one/%00",
			"/api/runs/one/%E0%A4%A",
		]) {
			const { status, text } = await ask(path);
			expect([path, status]).toEqual([path, 404]);
			expect(text).not.toContain("not for anyone");
		}
	});

	it("a foreign Origin, for reading and for writing", async () => {
		for (const origin of [
			"https://example.com",
			`http://127.0.0.1:${port + 1}`,
			"null",
			`http://evil.test:${port}`,
		]) {
			expect((await ask("/api/runs", { headers: { Origin: origin } })).status).toBe(403);
			expect((await ask("/", { headers: { Origin: origin } })).status).toBe(403);
			const headers = { Origin: origin, ...bearer, ...json };
			expect((await ask("/api/runs", { method: "POST", headers, body: run("stolen") })).status).toBe(403);
		}
		expect((await ask("/api/runs", { headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
		const visit = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
		const dest = (name: string) => ask("/api/runs", { headers: { ...visit, "Sec-Fetch-Dest": name } });
		expect([(await dest("document")).status, (await dest("iframe")).status]).toEqual([200, 403]);
		expect((await ask("/api/runs", { headers: { Origin: `http://127.0.0.1:${port}` } })).status).toBe(200);
	});

	it("a Host that is not its own (DNS rebinding)", async () => {
		for (const host of [
			"evil.test",
			`evil.test:${port}`,
			`127.0.0.1.evil.test:${port}`,
			"127.0.0.1",
			"127.0.0.1:1",
		])
			expect((await ask("/api/runs", { headers: { Host: host } })).status).toBe(403);
		expect((await ask("/", { headers: { Host: `localhost:${port}` } })).status).toBe(200);
	});

	it("a huge upload, told or not told beforehand", async () => {
		const big = run("big", [{ name: "a.csv", content: "1".repeat(30_000) }]);
		const told = await ask("/api/runs", { method: "POST", headers: { ...bearer, ...json }, body: big });
		expect(told.status).toBe(413);
		const headers = { ...bearer, ...json, "Transfer-Encoding": "chunked" };
		expect((await ask("/api/runs", { method: "POST", headers, body: big })).status).toBe(413);
		expect(readdirSync(join(folder, "runs"))).not.toContain("big");
		expect((await ask(`/${"a".repeat(5000)}`)).status).toBe(414);
	});

	it("to write without the token", async () => {
		const attempts: Record<string, string>[] = [
			{},
			{ Authorization: "Bearer wrong" },
			{ Authorization: token },
			{ Authorization: `Bearer ${token} x` },
		];
		for (const headers of attempts)
			expect(
				(await ask("/api/runs", { method: "POST", headers: { ...json, ...headers }, body: run("none") }))
					.status,
			).toBe(401);
		expect(readdirSync(join(folder, "runs"))).not.toContain("none");
	});

	it("other verbs, other forms, other names", async () => {
		for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"])
			expect((await ask("/api/runs", { method, headers: bearer })).status).toBe(405);
		expect((await ask("/", { method: "POST", headers: bearer })).status).toBe(405);
		const post = (body: string, type = "application/json") =>
			ask("/api/runs", { method: "POST", headers: { ...bearer, "Content-Type": type }, body });
		expect((await post(run("plain"), "text/plain")).status).toBe(415);
		expect((await post("{")).status).toBe(400);
		expect((await post('{"name":"x","files":[]}')).status).toBe(400);
		for (const name of ["../../evil.csv", ".hidden.json", "a/b.csv", "run.sh", "x.csv\u0000.json"])
			expect((await post(run("odd", [{ name, content: "x" }]))).status).toBe(400);
		expect(readdirSync(join(folder, "runs")).filter((name) => /odd|plain/.test(name))).toEqual([]);
		const outside = await post(run("../../outside"));
		expect(JSON.parse(outside.text).name).not.toMatch(/[/\\]/);
		expect(existsSync(join(folder, "outside"))).toBe(false);
	});
});

describe("many that say nothing", () => {
	const start = (headTime?: number) =>
		serve({ page: join(folder, "page"), runs: join(folder, "runs"), port: 0, token, headTime });
	const slow = async (url: string, count: number): Promise<Socket[]> => {
		const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), "127.0.0.1"));
		await Promise.all(
			sockets.map((socket) => {
				socket.on("error", () => {});
				return new Promise<void>((resolve) =>
					socket.once("connect", () => socket.write("GET / HT", () => resolve())),
				);
			}),
		);
		return sockets;
	};

	it("do not keep others out", async () => {
		const server = await start(60_000);
		const begun = await slow(server.url, 300);
		try {
			const before = performance.now();
			for (let i = 0; i < 5; i++) expect((await fetch(`${server.url}api/runs`)).status).toBe(200);
			expect(performance.now() - before).toBeLessThan(5000);
			// Those that were quiet longest made room.
			expect(begun.filter(({ closed }) => !closed).length).toBeLessThan(101);
		} finally {
			for (const socket of begun) socket.destroy();
			await server.close();
		}
	});

	it("are sent away when their time is up", async () => {
		const server = await start(200);
		const begun = await slow(server.url, 20);
		try {
			await Promise.all(
				begun.map((socket) => {
					socket.resume();
					return new Promise((resolve) => (socket.closed ? resolve(0) : socket.once("close", resolve)));
				}),
			);
			expect((await fetch(`${server.url}api/runs`)).status).toBe(200);
		} finally {
			await server.close();
		}
	});

	it("do not interrupt who is at work", async () => {
		const server = await start(60_000);
		const { port } = new URL(server.url);
		const sent = request({
			host: "127.0.0.1",
			port,
			path: "/api/runs",
			method: "POST",
			headers: { ...bearer, ...json },
		});
		const answer = new Promise<number>((resolve, reject) => {
			sent.on("response", (response) => resolve(response.resume().statusCode!));
			sent.on("error", reject);
		});
		const body = run("patient");
		sent.write(body.slice(0, 20));
		await fetch(`${server.url}api/runs`);
		const begun = await slow(server.url, 150);
		sent.end(body.slice(20));
		try {
			expect(await answer).toBe(201);
		} finally {
			for (const socket of begun) socket.destroy();
			await server.close();
		}
	});
});

describe("open to other machines", () => {
	it("needs the token for reading, too", async () => {
		const open = await serve({
			page: join(folder, "page"),
			runs: join(folder, "runs"),
			port: 0,
			host: "127.0.0.1",
			token,
		});
		try {
			expect((await fetch(`${open.url}api/runs`)).status).toBe(401);
			expect((await fetch(`${open.url}api/runs`, { headers: bearer })).status).toBe(200);
		} finally {
			await open.close();
		}
	});
});
