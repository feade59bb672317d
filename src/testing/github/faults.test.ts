import { request } from "node:http";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startGitHub } from "./github.ts";
import type { FakeGitHub, FaultKind } from "./script.ts";

const content = "0123456789".repeat(20);
let github: FakeGitHub;
let [file, facts, tarball, tree] = ["", "", "", ""];

beforeEach(async () => {
  github = await startGitHub();
  const skills = await github.repository("acme/skills");
  const commit = await skills.push({ "SKILL.md": content });
  file = `${github.raw}/acme/skills/${commit}/SKILL.md`;
  facts = `${github.api}/repos/acme/skills`;
  tree = `${facts}/git/trees/${commit}`;
  tarball = `${github.codeload}/acme/skills/tar.gz/${commit}`;
});
afterEach(() => github.close());

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  readonly end: "whole" | "cut";
}

/** What really comes, until it ends or until `enough` bytes are there. */
function receive(url: string, { enough = Number.POSITIVE_INFINITY, method = "GET" } = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, method }, (answer) => {
      const parts: Buffer[] = [];
      let length = 0;
      const finish = (end: Received["end"]): void =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts), end });
      answer.on("data", (part: Buffer) => {
        parts.push(part);
        length += part.length;
        if (length < enough) return;
        finish("cut");
        answer.destroy();
      });
      answer.once("end", () => finish("whole"));
      answer.once("error", () => finish("cut"));
    });
    asking.once("error", reject).end();
  });
}

/** All that comes over the connection, head and body: clients do not show what they were not promised. */
function receiveAll(url: string): Promise<string> {
  const { port, pathname, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
    );
    socket.on("data", (part) => parts.push(part));
    socket.once("end", () => resolve(Buffer.concat(parts).toString())).once("error", reject);
  });
}

async function faulty(url: string, how: FaultKind, enough?: number): Promise<Received> {
  github.next({ how });
  return receive(url, enough === undefined ? {} : { enough });
}

describe("T8: answers of another status", () => {
  test.each([403, 404, 429, 451, 500, 502, 503])("%d in the words of an error", async (status) => {
    const { body, ...answer } = await faulty(facts, { status, headers: { "Retry-After": "7" } });
    expect(answer).toMatchObject({ status, headers: { "retry-after": "7" } });
    expect(JSON.parse(body.toString())).toMatchObject({ message: expect.any(String), status: String(status) });
    expect(github.requests.at(-1)).toMatchObject({ status });
    expect((await receive(facts)).status).toBe(200);
  });

  test("with any body, and headers instead of the usual ones", async () => {
    const headers = { "x-ratelimit-remaining": "0", "content-type": "text/plain" };
    const answer = await faulty(facts, { status: 200, headers, body: Buffer.from([1, 2, 255]) });
    expect([answer.status, answer.body]).toEqual([200, Buffer.from([1, 2, 255])]);
    expect(answer.headers).toMatchObject(headers);
    expect((await faulty(file, { status: 503, body: "" })).body).toHaveLength(0);
  });

  test("T4: redirects, which nobody follows here", async () => {
    for (const redirect of [301, 302, 303, 307, 308] as const) {
      const answer = await faulty(file, { redirect, to: `${github.web}/elsewhere` });
      expect([answer.status, answer.headers["location"]]).toEqual([redirect, `${github.web}/elsewhere`]);
    }
    expect(github.requests.filter(({ service }) => service === "web")).toEqual([]);
  });

  test("a page for people", async () => {
    const answer = await faulty(facts, "not-json");
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body.toString()).toContain("<!doctype html>");
  });
});

describe("T7, T13: bodies that lie", () => {
  test("one byte is another, also below a compression", async () => {
    const { body } = await faulty(file, "flip");
    expect([...body].filter((byte, at) => byte !== content.charCodeAt(at))).toHaveLength(1);
    expect(body).toHaveLength(content.length);
    const large = await github.repository("acme/large");
    const commit = await large.push({ a: content.repeat(50) });
    github.next({ how: "flip" });
    const answer = await fetch(`${github.raw}/acme/large/${commit}/a`);
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.filter((byte, at) => byte !== content.charCodeAt(at % content.length))).toHaveLength(1);
    expect((await faulty(tarball, "flip")).body).not.toEqual((await receive(tarball)).body);
  });

  test("a length that is too large, and one that is too small", async () => {
    const large = await faulty(file, "swap-length");
    expect([large.end, large.body.toString(), large.headers["content-length"]]).toEqual(["cut", content, "1200"]);
    github.next({ how: "short-length" });
    const wire = await receiveAll(file);
    expect(wire).toContain("content-length: 100\r\n");
    expect(wire.split("\r\n\r\n")[1]).toBe(content);
  });

  test("half of it, then the end of the connection", async () => {
    const { end, body } = await faulty(file, "cut");
    expect([end, body.toString()]).toEqual(["cut", content.slice(0, 100)]);
    expect(github.requests.at(-1)).toMatchObject({ service: "raw", status: 0 });
  });

  test("half of it, then silence until it is let go", async () => {
    github.next({ how: "stall" });
    const stalled = await fetch(file);
    const reader = stalled.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(content.slice(0, 100));
    const rest = reader?.read();
    // Whoever asks meanwhile is not held up.
    expect((await receive(file)).body.toString()).toBe(content);
    github.release();
    expect(Buffer.from((await rest)?.value ?? []).toString()).toBe(content.slice(100));
    expect(await reader?.read()).toMatchObject({ done: true });
  });

  test("byte by byte, and never an end", async () => {
    github.next({ how: "drip" });
    const reader = (await fetch(`${github.raw}/acme/skills/main/none`)).body?.getReader();
    let text = "";
    const read = async (): Promise<void> => void (text += Buffer.from((await reader?.read())?.value ?? []).toString());
    await read();
    for (let at = 0; at < 20; at += 1) {
      const more = read();
      await expect.poll(() => (github.release(), text.length)).toBeGreaterThan(at + 1);
      await more;
    }
    expect(text.trimEnd()).toBe("404: Not Found".slice(0, text.length));
    expect(text.length).toBeGreaterThan("404: Not Found".length);
    await reader?.cancel();
  });

  test("more and more until the client goes", async () => {
    const megabytes = 8 * 2 ** 20;
    for (const url of [file, facts, tarball]) {
      const answer = await faulty(url, "endless", megabytes);
      expect([answer.status, answer.end]).toEqual([200, "cut"]);
    }
    const { body } = await faulty(tarball, "endless", megabytes);
    const start = gunzipSync(body, { finishFlush: 2 });
    expect(start.toString("latin1", 0, 10)).toBe("flood/1.md");
    expect(start.toString("latin1", 257, 262)).toBe("ustar");
  });

  test("little that becomes much", async () => {
    const size = 128 * 2 ** 20;
    for (const url of [file, facts]) {
      const { body, headers } = await faulty(url, "bomb");
      expect(headers["content-encoding"]).toBe("gzip");
      expect(body.length).toBeLessThan(2 ** 20);
      // The last four bytes of a gzip say how long it is when it is unpacked.
      expect(body.readUInt32LE(body.length - 4)).toBe(size);
    }
    const { body, headers } = await faulty(tarball, "bomb");
    expect([headers["content-encoding"], headers["content-type"]]).toEqual([undefined, "application/x-gzip"]);
    const tar = gunzipSync(body);
    expect([tar.toString("latin1", 0, 10), tar.length]).toEqual(["bomb/zeros", 512 + size + 1024]);
  });

  test("word that nothing changed has none either", async () => {
    const etag = (await fetch(facts)).headers.get("etag") ?? "";
    for (const how of ["endless", "bomb", "stall", "drip", "cut", "swap-length"] as const) {
      github.next({ how });
      const answer = await fetch(facts, { headers: { "if-none-match": etag } });
      expect([how, answer.status, await answer.text()]).toEqual([how, 304, ""]);
    }
  });

  test("HEAD has no body that could", async () => {
    github.next({ how: "stall" });
    expect(await receive(file, { method: "HEAD" })).toMatchObject({ status: 200, end: "whole" });
  });
});

describe("which request a fault is for", () => {
  test("the next that fits, once, those said earlier first", async () => {
    github.next({ on: "raw", how: { status: 500 } });
    github.next({ on: /^api .*\/git\/trees\//g, how: { status: 501 } });
    github.next({ on: /^api /, how: { status: 502 } });
    github.next({ on: "raw", how: { status: 503 } });
    const statuses: number[] = [];
    for (const url of [facts, tarball, file, tree, facts, tree, file, file]) statuses.push((await receive(url)).status);
    expect(statuses).toEqual([502, 200, 500, 501, 200, 200, 503, 200]);
    expect(github.requests.map(({ status }) => status)).toEqual(statuses);
  });

  test("other methods use up none", async () => {
    github.next({ how: { status: 500 } });
    expect((await receive(facts, { method: "POST" })).status).toBe(405);
    expect((await receive(facts)).status).toBe(500);
  });

  test("T8: a share of them, by luck that the test brings", async () => {
    const luck = [0.1, 0, 0.6, 0, 0.4, 0.99, 0.5, 0];
    let at = 0;
    const random = (): number => luck[at++ % luck.length] ?? 0;
    const faults = [{ how: { status: 500 } }, { on: "api", how: { status: 429 } }] as const;
    github.misbehave({ rate: 0.5, random, faults });
    const statuses = async (url: string): Promise<number[]> => {
      const all: number[] = [];
      for (let count = 0; count < 4; count += 1) all.push((await receive(url)).status);
      return all;
    };
    expect(await statuses(facts)).toEqual([500, 200, 429, 200]);
    expect(await statuses(file)).toEqual([500, 200, 500, 200]);
    github.next({ how: { status: 404 } });
    github.misbehave({ rate: 1, random, faults: [{ how: { status: 503 } }] });
    expect(await statuses(facts)).toEqual([404, 503, 503, 503]);
    github.misbehave(null);
    expect(await statuses(facts)).toEqual([200, 200, 200, 200]);
  });
});
