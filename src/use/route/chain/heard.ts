import type { Finding } from "../../../base/finding.ts";
import type { EntryId } from "../../../base/ids.ts";
import { safeName } from "../../../base/text.ts";
import { type Answer, readAnswer } from "./answer.ts";
import type { Reply } from "./asking.ts";
import type { Evidence, Link } from "../link.ts";
import { type RouteCode, routeFinding } from "../route-faults.ts";

/** What is taken of a link's reply. Null evidence is no answer: nothing on the board changes. */
export interface Heard {
  readonly outcome: "answered" | "none" | "failed" | "late";
  readonly evidence: readonly Evidence[] | null;
  readonly note: string | null;
  readonly findings: readonly Finding[];
}

export function hear(link: Link, reply: Reply, mayName: (entry: EntryId) => boolean): Heard {
  if (reply.is === "late") return unheard(link, "route.link-late", `took longer than ${link.timeBox} ms`);
  if (reply.is === "failed") {
    const message = reply.code === null ? "failed" : `failed (${reply.code})`;
    return { ...unheard(link, "route.link-failed", message), note: reply.reason };
  }
  const answer = read(reply.answer, mayName);
  if (answer === null) return unheard(link, "route.link-rubbish", "answered with something that is no list");
  const { evidence, dropped } = answer;
  const rubbish = `named ${dropped} that ${dropped === 1 ? "is" : "are"} no evidence`;
  // A judge puts aside by not naming: what is dropped of its answer would be a word that it did not say.
  if (dropped > 0 && (link.role === "judges" || evidence.length === 0))
    return unheard(link, "route.link-rubbish", rubbish);
  const outcome = evidence.length > 0 || link.role === "judges" ? "answered" : "none";
  if (dropped === 0) return { outcome, evidence, note: null, findings: [] };
  return { outcome, evidence, note: rubbish, findings: [linkFinding(link, "route.link-rubbish", rubbish)] };
}

/** RT-4: about a link, never about what was asked. */
export function linkFinding(link: Link, code: RouteCode, message: string): Finding {
  const name = safeName(link.name);
  return routeFinding(code, `link:${name}`, `the ${name} link ${message}`);
}

function read(answer: unknown, mayName: (entry: EntryId) => boolean): Answer | null {
  try {
    return readAnswer(answer, mayName);
  } catch {
    return null;
  }
}

function unheard(link: Link, code: RouteCode, message: string): Heard {
  const outcome = code === "route.link-late" ? "late" : "failed";
  return { outcome, evidence: null, note: message, findings: [linkFinding(link, code, message)] };
}
