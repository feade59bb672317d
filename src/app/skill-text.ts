import type { Digest } from "../base/digest.ts";
import { AppError } from "../base/error.ts";
import { exactText } from "../base/exact-text.ts";
import { safeLine } from "../base/text.ts";
import { skillFile } from "../ingest/skill/bundle.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { App } from "./app.ts";
import { shownRevision } from "./entry-view.ts";
import { demandDigest, demandEntry } from "./find.ts";
import { revisionsSeen, seenBy } from "./seen.ts";

/** One file of one revision. */
export interface SkillText {
  readonly digest: Digest;
  readonly path: string;
  /** Exactly what its bytes are in UTF-8, nothing made visible; null: they are not shown as one. */
  readonly text: string | null;
  /** Why there is no text. */
  readonly reason: string | null;
}

export interface TextWanted {
  /** Undefined: the one in use, or else the current one. */
  readonly digest?: string | undefined;
  readonly file?: string | undefined;
}

/** What a page can still render. */
const mostBytes = 2 ** 20;

/** What is rendered, or taken elsewhere. What is to be looked at is `readRaw`, which shows what cannot be seen (RV-4). */
export async function readSkillText(
  { registry, kept, person, review }: App,
  typed: string,
  { digest: wanted, file = skillFile }: TextWanted,
): Promise<SkillText> {
  demand(person, "read", review.policy);
  const look = seenBy(person, await registry.look());
  const entry = demandEntry(look, typed);
  const revisions = revisionsSeen(person, kept.read, entry);
  const digest = wanted === undefined ? shownRevision(look, entry) : await demandDigest(revisions, entry, wanted);
  const { bundle, findings } = await registry.open(digest);
  if (bundle === undefined) throw new AppError("store.failed", findings.map(({ message }) => message).join("; "));
  const found = bundle.files.find(({ path }) => path === file);
  if (found === undefined) {
    const where = `the revision ${digest.slice(0, 12)} of ${safeLine(entry.id, 240)}`;
    throw new AppError("record.missing", `there is no file "${safeLine(file, 240)}" in ${where}`);
  }
  return { digest, path: found.path, ...decoded(found.bytes) };
}

function decoded(bytes: Uint8Array): Pick<SkillText, "text" | "reason"> {
  if (bytes.length > mostBytes)
    return { text: null, reason: `it has ${bytes.length} bytes; at most ${mostBytes} are shown as one text` };
  const text = exactText(bytes);
  return { text, reason: text === null ? "it is not UTF-8" : null };
}
