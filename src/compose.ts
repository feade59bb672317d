/** `skillward/compose`: skills of a folder to the exact text in a prompt, without a store. */
import { composeSkills, type FolderComposing } from "./features/requests/compose-folder.ts";
import { loadCompositionKey as loadKey } from "./app/config/composition-key.ts";
import { readEnvironment } from "./app/config/config.ts";
import {
  chooseSkills,
  type FolderSkill,
  type FolderSkills,
  loadFolderSkills,
} from "./features/bundles/folder-skills.ts";
import { createWorld } from "./app/world/world.ts";
import { AppError } from "./core/error.ts";
import type { Finding } from "./core/finding.ts";
import { isSourceId } from "./core/ids.ts";
import { safeLine } from "./core/text.ts";
import type { Composition } from "./compose/composition.ts";
import { injectMessages, injectRequest, type Insertion, type RequestShape } from "./compose/inject.ts";

export type { FolderSkill, FolderSkills } from "./features/bundles/folder-skills.ts";
export type { Digest, FileDigest } from "./core/digest.ts";
export { AppError, type ErrorCode } from "./core/error.ts";
export type { Finding, Level, Place } from "./core/finding.ts";
export type { EntryId } from "./core/ids.ts";
export type { Trust } from "./sources/trust.ts";
export type { Catalogue, CatalogueEntry, CatalogueOptions } from "./compose/catalogue.ts";
export { renderCatalogue } from "./compose/catalogue.ts";
export type { Composition, Dropped, DropReason, Included, Material, Via } from "./compose/composition.ts";
export type { Insertion, RequestShape } from "./compose/inject.ts";
export type { MiddlewareOptions, SkillwardMiddleware } from "./models/middleware.ts";
export { skillwardMiddleware } from "./models/middleware.ts";

export interface LoadOptions {
  /** Only these, by name or by their path in the folder, in this order; all of them without it. */
  readonly names?: readonly string[];
  /** What their ids begin with, so that skills of several folders stay apart: `folder` without it. */
  readonly source?: string;
}

/**
 * The skills of a folder. A skill that cannot be used is in the list with its reason: composing leaves it out and says
 * so. Rejects for a folder that cannot be read and for a name that no skill, or more than one, has.
 */
export async function loadSkills(
  folder: string,
  { names, source = "folder" }: LoadOptions = {},
): Promise<FolderSkills> {
  if (!isSourceId(source))
    throw new AppError(
      "usage.invalid",
      `source: "${safeLine(source, 80)}" is not lowercase letters, digits and single hyphens`,
    );
  const loaded = await loadFolderSkills(createWorld(), folder, source);
  return names === undefined ? loaded : { ...loaded, skills: chooseSkills(loaded.skills, names) };
}

/** The key of the person at this machine: in their configuration folder, made at the first use. */
export function loadCompositionKey(): Promise<Uint8Array> {
  return loadKey(createWorld(), readEnvironment());
}

export interface ComposeSkillsOptions extends Omit<FolderComposing, "key"> {
  /** A secret of at least 16 bytes, or `await loadCompositionKey()`. The same key gives the same bytes. */
  readonly key: Uint8Array | string;
}

/**
 * The block for a prompt, with what is in it, what was left out and why (CO-7). Pure: the same skills, options and key
 * are the same bytes. Throws `budget.exceeded` when skills that were asked for as `invoked` cannot fit.
 */
export function compose(skills: readonly FolderSkill[], options: ComposeSkillsOptions): Composition {
  return composeSkills(skills, { ...options, key: demandKey(options.key) });
}

const shortestKey = 16;

/** CO-3: whoever can guess the key can predict the boundary. */
function demandKey(key: Uint8Array | string): Uint8Array {
  const bytes = typeof key === "string" ? new TextEncoder().encode(key) : key;
  if (bytes instanceof Uint8Array && bytes.length >= shortestKey) return bytes;
  throw new AppError(
    "usage.invalid",
    `key: expected at least ${shortestKey} bytes that nobody can guess; \`await loadCompositionKey()\` has them`,
  );
}

/** The block, a blank line, the prompt. A prompt has no roles: what was meant for the system comes first. */
export function inject(prompt: string, composition: Insertion): string;
/** A chat with the block in its first user message and nothing else changed (CO-8, CO-17). */
export function inject<M extends { role: string; content: unknown }>(
  messages: readonly M[],
  composition: Insertion,
): { messages: readonly M[]; findings: readonly Finding[] };
/** A request of one of the protocols. It stays as it is: what is returned is another one. */
export function inject<R extends object>(
  into: { readonly shape: RequestShape; readonly request: R },
  composition: Insertion,
): { request: R; findings: readonly Finding[] };
export function inject(
  into: string | readonly { role: string; content: unknown }[] | { shape: RequestShape; request: object },
  composition: Insertion,
): unknown {
  if (typeof into === "string")
    return injectRequest("openai-completions", { prompt: into }, composition).request.prompt;
  if ("shape" in into) return injectRequest(into.shape, into.request, composition);
  return injectMessages(into, composition);
}
