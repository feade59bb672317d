import { AppError } from "../../core/error.ts";
import { isObjectId, type ObjectId } from "../ref.ts";
import { type CommitFacts, commitId } from "./git.ts";

/** What `GET /repos/{owner}/{repo}/commits/{ref}` says of a commit, as far as the commit's own bytes are made of it. */
export interface CommitAnswer {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: CommitPerson;
  readonly committer: CommitPerson;
  readonly message: string;
  /** Of `commit.verification`; null when one of the two is. */
  readonly signed: { readonly payload: string; readonly signature: string } | null;
}

export interface CommitPerson {
  readonly name: string;
  readonly email: string;
  /** `2024-01-31T12:00:00Z`: always in UTC, whatever zone the commit has. */
  readonly date: string;
}

/**
 * Puts the commit's bytes together again and says whether they have its id, which proves its tree and its parents
 * (IN-8). The answer leaves some of them out, so they are guessed; what no guess hashes to is the service's word.
 */
export function proveCommit(answer: CommitAnswer): CommitFacts["proof"] {
  if (![answer.id, answer.tree, ...answer.parents].every(isObjectId)) return "by API";
  return answer.signed === null ? proveUnsigned(answer) : proveSigned(answer, answer.signed);
}

function proveSigned(answer: CommitAnswer, { payload, signature }: NonNullable<CommitAnswer["signed"]>) {
  for (const text of [payload, `${payload}\n`])
    for (const header of signatureHeaders(signature))
      for (const at of signaturePlaces(text)) {
        if (commitId(Buffer.from(text.slice(0, at) + header + text.slice(at))) !== answer.id) continue;
        if (text.startsWith(`${linksOf(answer)}author `)) return "hashed";
        throw new AppError(
          "digest.mismatch",
          `the commit ${answer.id} was said to have another tree or other parents than it has; try again later`,
        );
      }
  return "by API";
}

/** Signatures end with a line feed or without one, and the answer does not always say. */
function signatureHeaders(signature: string): readonly string[] {
  const bare = signature.replace(/\n$/, "");
  return [bare, `${bare}\n`].map((text) => `gpgsig ${text.replaceAll("\n", "\n ")}\n`);
}

/** Git signs at the end of the headers, some programs straight after the committer. */
function signaturePlaces(payload: string): readonly number[] {
  const end = payload.indexOf("\n\n") + 1;
  const committer = payload.indexOf("\ncommitter ") + 1;
  const afterCommitter = payload.indexOf("\n", committer) + 1;
  return [...new Set([end, afterCommitter])].filter((at) => at > 0 && at <= end);
}

/** T7: a message can be long, and each guess hashes all of it. */
const mostHashed = 8 * 2 ** 20;

function proveUnsigned(answer: CommitAnswer): CommitFacts["proof"] {
  const links = linksOf(answer);
  const author = `author ${personOf(answer.author)} `;
  const committer = `committer ${personOf(answer.committer)} `;
  let hashed = 0;
  for (const [authorZone, committerZone] of zonePairs())
    for (const end of ["\n", ""]) {
      const text = `${links}${author}${authorZone}\n${committer}${committerZone}\n\n${answer.message}${end}`;
      const bytes = Buffer.from(text);
      if (commitId(bytes) === answer.id) return "hashed";
      hashed += bytes.length;
      if (hashed > mostHashed) return "by API";
    }
  return "by API";
}

function linksOf({ tree, parents }: CommitAnswer): string {
  return `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join("")}`;
}

function personOf({ name, email, date }: CommitPerson): string {
  return `${name} <${email}> ${Date.parse(date) / 1000}`;
}

/** Every offset that some place has, in winter or in summer. */
const zonesInUse = `+0000 -0700 -0800 -0400 -0500 +0200 +0100 +0800 +0900 +0530 -0600 -0300 +0300 +1000 +1100 +0700
  +0545 +0500 +0600 +0400 +1200 +1300 +0330 +0430 +0630 +0930 +1030 +0845 +1245 +1345 +1400 -0100 -0200 -0230 -0330
  -0900 -0930 -1000 -1100 -1200 -0000`.split(/\s+/);

/** Most commits have one zone twice. Two different ones are those of two places, so only zones in use are paired. */
function* zonePairs(): Generator<readonly [author: string, committer: string]> {
  for (const zone of new Set([...zonesInUse, ...quarterHours()])) yield [zone, zone];
  for (const author of zonesInUse)
    for (const committer of zonesInUse) if (author !== committer) yield [author, committer];
}

function quarterHours(): readonly string[] {
  const [west, east] = [-12 * 4, 14 * 4];
  return Array.from({ length: east - west + 1 }, (_, quarter) => zoneOf((west + quarter) * 15));
}

function zoneOf(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours * 100 + rest).padStart(4, "0")}`;
}
