import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { GitHubService } from "./script.ts";

/** An answer as it would be sent if nothing misbehaved. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function createJson(value: unknown, headers: Answer["headers"] = {}, status = 200): Answer {
  const body = Buffer.from(JSON.stringify(value));
  const type = "application/json; charset=utf-8";
  return {
    status,
    headers: { "content-type": type, ...(status === 200 ? { etag: etagOf(body) } : {}), ...headers },
    body,
  };
}

/** Weak, as GitHub's are: the same facts, however they are encoded on the way. */
export function etagOf(body: Uint8Array): string {
  return `W/"${createHash("sha256").update(body).digest("hex")}"`;
}

const documentation = "https://docs.github.com/rest";

/** An error in the words in which GitHub's api says them. */
export function createError(status: number, message: string, headers: Answer["headers"] = {}): Answer {
  const value = { message, documentation_url: documentation, status: String(status) };
  const type = "application/json; charset=utf-8";
  return { status, headers: { "content-type": type, ...headers }, body: Buffer.from(JSON.stringify(value)) };
}

export function notFound(): Answer {
  return createError(404, "Not Found");
}

export function createText(status: number, text: string, type = "text/plain; charset=utf-8"): Answer {
  return { status, headers: { "content-type": type }, body: Buffer.from(text) };
}

/** Whether the client said that it has this answer already. */
export function isUnchanged(answer: Answer, ifNoneMatch: string | undefined): boolean {
  const { etag } = answer.headers;
  if (answer.status !== 200 || etag === undefined || ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => strongly(tag) === strongly(etag));
}

function strongly(etag: string): string {
  return etag.trim().replace(/^W\//, "");
}

export function unchanged({ headers }: Answer): Answer {
  const { "content-type": _, ...kept } = headers;
  return { status: 304, headers: kept, body: Buffer.alloc(0) };
}

/** Smaller ones are not worth it. */
const least = 1024;
const packed = new WeakMap<Buffer, Promise<Buffer>>();

/** The answer as it goes over the wire: JSON and files are compressed where the client takes that. */
export async function encoded(service: GitHubService, answer: Answer, accepted: string | undefined): Promise<Answer> {
  const { body, headers } = answer;
  const isFit = service !== "codeload" && body.length >= least && !("content-encoding" in headers);
  if (!isFit || !/(?:^|[\s,])gzip(?:$|[\s,])/.test(accepted ?? "")) return answer;
  const making = packed.get(body) ?? promisify(gzip)(body);
  packed.set(body, making);
  return {
    ...answer,
    headers: { ...headers, "content-encoding": "gzip", vary: "Accept-Encoding" },
    body: await making,
  };
}
