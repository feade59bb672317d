import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Answer } from "./answer.ts";
import type { GitHubService } from "./script.ts";

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
