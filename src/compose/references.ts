import { referencesIn } from "../skill/support.ts";
import type { Verified } from "./composition.ts";
import { defuse } from "./defuse.ts";

/** A body as it goes into a block, and what was done to it. Lines are of the body, from 1. */
export interface RenderedBody {
  readonly text: string;
  readonly replaced: readonly { readonly path: string; readonly line: number }[];
  readonly defused: readonly number[];
}

/**
 * CO-5 and the defusing of CO-3: the one rendering of approved bytes, for prompts and for review alike. Pure, and
 * linear in the body.
 */
export function renderBody(skill: Pick<Verified, "body" | "paths">, canReadFiles: boolean): RenderedBody {
  const { text, replaced } = canReadFiles ? { text: skill.body, replaced: [] } : replaceReferences(skill);
  const defused = defuse(text);
  return { text: defused.text, replaced, defused: defused.lines };
}

function replaceReferences({ body, paths }: Pick<Verified, "body" | "paths">): Omit<RenderedBody, "defused"> {
  const parts: string[] = [];
  const replaced: { path: string; line: number }[] = [];
  let done = 0;
  for (const { path: written, start, end, line } of referencesIn(body, paths)) {
    // Behind a `./`, which is no part of the path, tildes open nothing.
    const fence = body.startsWith(written, start) ? fenceBefore(written) : 0;
    const path = written.slice(fence);
    parts.push(body.slice(done, start + fence), unavailable(path));
    replaced.push({ path, line });
    done = end;
  }
  parts.push(body.slice(done));
  return { text: parts.join(""), replaced };
}

/** Without anything that has a meaning in Markdown code: in a fence, in backticks and in prose it reads the same. */
function unavailable(path: string): string {
  return `[bundled file ${path}: not available here]`;
}

/** `~~~run/me.sh` opens a fence: the tildes stay, so that every fence that is closed was opened. */
function fenceBefore(written: string): number {
  let tildes = 0;
  while (written.charAt(tildes) === "~") tildes++;
  return tildes >= 3 ? tildes : 0;
}
