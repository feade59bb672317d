import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, createError, createText, isUnchanged, notFound, unchanged, encoded } from "./answer.ts";
import { answerApi } from "./api.ts";
import { type Asked, parseAsked, type Bases } from "./asked.ts";
import { type Codeload, answerRaw } from "./files.ts";
import { deliver } from "./delivery.ts";
import { answerByFault, type Faults, spoiled, type RateLimit, rateExceeded, type Gate } from "./faults.ts";
import type { Hub } from "./hub.ts";
import type { FaultKind, GitHubRequest, GitHubService } from "./script.ts";

/** All that the four services share. */
export interface House {
  readonly hub: Hub;
  readonly codeload: Codeload;
  readonly faults: Faults;
  readonly rate: RateLimit;
  readonly gate: Gate;
  readonly closing: AbortController;
  readonly requests: Seen[];
  bases: Bases;
  mostEntries: number;
}

type Seen = { -readonly [Key in keyof GitHubRequest]: GitHubRequest[Key] };

/** One request, from its record to the last byte of its answer. */
export async function serve(
  house: House,
  service: GitHubService,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const leaving = new AbortController();
  response.once("close", () => leaving.abort());
  response.on("error", () => {});
  incoming.resume();
  const seen = record(house, service, incoming);
  const isHead = seen.method === "HEAD";
  const how = isHead || seen.method === "GET" ? house.faults.take(seen) : undefined;
  const answer = await answerTo(house, seen, how);
  const wire = await encoded(service, spoiled(answer, how), seen.headers["accept-encoding"]);
  const client = AbortSignal.any([leaving.signal, house.closing.signal]);
  if (client.aborted) return;
  const answered = (status: number): void => void (seen.status = status);
  await deliver({ service, response, gate: house.gate, client, isHead, answered }, wire, how);
}

function record({ requests }: House, service: GitHubService, incoming: IncomingMessage): Seen {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]);
  const { method = "", url: path = "" } = incoming;
  const seen: Seen = { service, method, path, headers: Object.fromEntries(headers), status: 0 };
  requests.push(seen);
  return seen;
}

async function answerTo(house: House, seen: Seen, how: FaultKind | undefined): Promise<Answer> {
  const { rate, requests } = house;
  if (seen.method !== "GET" && seen.method !== "HEAD")
    return createError(405, "Method Not Allowed", { allow: "GET, HEAD" });
  if (seen.service !== "api") return answerByFault(how) ?? answerPlainly(house, seen);
  // To ask for the limit does not count, and is allowed when nothing else is.
  const isLeft = isAboutLimit(parseAsked(seen, house.bases.api)) || rate.take();
  const answer = answerByFault(how) ?? (isLeft ? await answerPlainly(house, seen) : rateExceeded());
  if (answer.status === 304 && isLeft) rate.giveBack();
  const number = { "x-github-request-id": `FAKE:${requests.length}`, "x-github-media-type": "github.v3; format=json" };
  return { ...answer, headers: { ...number, ...rate.headers(), ...answer.headers } };
}

function isAboutLimit(asked: Asked | undefined): boolean {
  return asked?.service === "api" && asked.segments.join("/") === "rate_limit";
}

/** As the real one would. */
async function answerPlainly(house: House, seen: Seen): Promise<Answer> {
  const asked = parseAsked(seen, house.bases[seen.service]);
  if (!asked) return seen.service === "api" ? notFound() : createText(404, "404: Not Found");
  const answer = await answerBy(house, asked);
  return isUnchanged(answer, asked.ifNoneMatch) ? unchanged(answer) : answer;
}

async function answerBy(house: House, asked: Asked): Promise<Answer> {
  const { hub, codeload, bases, mostEntries, rate } = house;
  if (asked.service === "web") return createText(200, "<!doctype html><title>For people</title>\n", "text/html");
  if (asked.token !== undefined && !hub.knows(asked.token)) return createError(401, "Bad credentials");
  if (isAboutLimit(asked)) return rate.answer();
  if (asked.service === "api") return answerApi(hub, asked, bases, mostEntries);
  return asked.service === "raw" ? answerRaw(hub, asked) : codeload(asked);
}
