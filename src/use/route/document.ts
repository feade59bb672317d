import type { Digest } from "../../base/digest.ts";
import { skillFile } from "../../ingest/skill/bundle.ts";
import { parse } from "../../ingest/skill/skill.ts";
import type { Document } from "./index/lexical-index.ts";

/**
 * What of a SKILL.md is indexed; null for a skill that is not to be routed: it says so itself, or it has no description
 * to be chosen by. Whoever calls has hashed these bytes.
 */
export function readDocument(digest: Digest, bytes: Uint8Array): Document | null {
  const files = [{ path: skillFile, bytes, digest: "" }];
  const { skill } = parse({ folder: "", files, digest: "", findings: [] }, "ingest");
  if (skill === undefined) return null;
  const { name, description, kind, triggers, aliases, paths, modelInvocable } = skill.manifest;
  if (!modelInvocable || description === null || description === "") return null;
  return { digest, name, description, body: skill.body, declared: { kind, triggers, aliases, paths } };
}
