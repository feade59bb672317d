import { createHash } from "node:crypto";
import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { LruCache } from "../core/lru-cache.ts";
import type { Trust } from "../sources/trust.ts";
import { type Budget, budgetBytes, type Fitted, fit, type TokenBudget } from "./budget.ts";
import type { Chosen, Composition, Dropped, Included, Material, Verified } from "./composition.ts";
import { entryFinding } from "./findings.ts";
import { reaches, type Selection } from "./select.ts";
import { type Blocks, type BlockPlace, renderBlocks, renderSection, type Section } from "./render.ts";
import { verify } from "./verify.ts";

export interface ComposeOptions {
  /** The composition key: the same on all nodes, and nobody else's. */
  readonly key: Uint8Array;
  /** The configuration's id, or any stable label. */
  readonly configuration: string;
  readonly placement: "user" | "system";
  /** With `placement: system`, what is trusted less stays in the user's block. */
  readonly systemFloor: Trust;
  /** Bytes of both blocks. What is no number above 0 is 24,000. */
  readonly budget: number;
  /** Where the model's context length is known. */
  readonly tokens?: TokenBudget;
  /** The reader can open bundled files, so that references to them stay as they are (CO-5). */
  readonly canReadFiles?: boolean;
  /** What another block of the same request has taken of the budget (CO-6, CO-13). */
  readonly taken?: { readonly bytes: number; readonly tokens: number };
}

/**
 * CO-2 to CO-7: what was selected, as the exact text for a prompt. Pure, and the same bytes for the same set. Throws
 * `budget.exceeded` when a skill that was asked for by name cannot fit; everything else that stays out is reported.
 */
export function compose(
  selection: Selection,
  materials: ReadonlyMap<EntryId, Material>,
  options: ComposeOptions,
): Composition {
  const checked = verifyAll(selection.chosen, materials);
  const together =
    options.tokens === undefined ? rememberTogether(checked.verified, options) : putTogether(checked.verified, options);
  return {
    ...together,
    dropped: [...selection.dropped, ...checked.dropped, ...together.dropped],
    findings: [...selection.findings, ...checked.findings, ...together.findings],
  };
}

/** Pure: the verified skills as one composition. */
function putTogether(verified: readonly Verified[], options: ComposeOptions): Composition {
  const sections = verified.map((skill) =>
    renderSection(skill, placeOf(skill, options), options.canReadFiles === true),
  );
  const { tokens } = options;
  const budget = { bytes: budgetBytes(options.budget), tokens };
  const fitted = fit(sections, budget, (some) => renderBlocks(some, options), leftOf(budget, options.taken));
  return {
    ...textOf(fitted.blocks),
    ...(tokens === undefined ? {} : { tokens: fitted.tokens }),
    included: fitted.sections.map((section) => includedAs(section, fitted)),
    dropped: fitted.dropped,
    findings: [...fitted.findings, ...fitted.sections.flatMap((section) => saidOf(section, options))],
  };
}

/** Never below nothing: into that much, no skill at all still fits. */
function leftOf({ bytes, tokens }: Budget, taken = { bytes: 0, tokens: 0 }): Budget {
  const left = { bytes: Math.max(0, bytes - taken.bytes) };
  if (tokens === undefined) return left;
  return { ...left, tokens: { ...tokens, most: Math.max(0, tokens.most - taken.tokens) } };
}

/**
 * Most requests of a configuration get the same skills. The bytes were verified just now, so the digests say all that
 * there is to say about them, and what was made of the same ones the last time is handed out again.
 */
function rememberTogether(verified: readonly Verified[], options: ComposeOptions): Composition {
  const { key, configuration, placement, systemFloor, budget, canReadFiles = false, taken } = options;
  const skills = verified.map(({ entry, digest, via, trust, grants }) => [entry, digest, via, trust, grants]);
  const room = [budgetBytes(budget), taken?.bytes ?? 0];
  const frame = [sha256(key), configuration, placement, systemFloor, room, canReadFiles];
  const madeFrom = JSON.stringify([frame, skills]);
  return recent.get(madeFrom) ?? recent.set(madeFrom, putTogether(verified, options));
}

/** The weight is in characters. */
const recent = new LruCache<Composition>({
  weight: 8 * 1024 * 1024,
  weightOf: ({ block, systemBlock }) => block.length + systemBlock.length + 8192,
});

function verifyAll(chosen: readonly Chosen[], materials: ReadonlyMap<EntryId, Material>) {
  const verified: Verified[] = [];
  const dropped: Dropped[] = [];
  const findings: Finding[] = [];
  for (const each of chosen) {
    const { entry, digest, via } = each;
    const result = verify(each, materials.get(entry));
    findings.push(...result.findings);
    const isTampered = result.findings.some(({ code }) => code === "compose.tampered");
    if (result.verified !== undefined) verified.push(result.verified);
    else dropped.push({ entry, digest, via, why: isTampered ? "tampered" : "unusable" });
  }
  return { verified, dropped, findings };
}

/** Invariant 2: the system role is only for what reaches its floor. */
function placeOf({ trust }: Verified, { placement, systemFloor }: ComposeOptions): BlockPlace {
  return placement === "system" && reaches(trust, systemFloor) ? "system" : "user";
}

function textOf({ user, system, bytes }: Blocks): Pick<Composition, "block" | "systemBlock" | "bytes" | "digest"> {
  return { block: user, systemBlock: system, bytes, digest: digestOf([user, system]) };
}

/** Each text after its length, so that no two pairs of texts are hashed alike. */
function digestOf(texts: readonly string[]): Digest {
  const hash = createHash("sha256");
  for (const bytes of texts.map((text) => Buffer.from(text))) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest("hex");
}

function includedAs(section: Section, { blocks }: Fitted): Included {
  const { entry, digest, via, trust, grants } = section.skill;
  const { name, place } = section;
  return { entry, digest, name, via, trust, place, bytes: blocks.sizes.get(section) ?? section.bytes, grants };
}

function saidOf({ skill, place, findings }: Section, { placement, systemFloor }: ComposeOptions): readonly Finding[] {
  if (placement === place || placement === "user") return findings;
  const message = `its trust is ${skill.trust}, below the floor ${systemFloor} of the system message; it is in the user's`;
  return [entryFinding("compose.below-floor", skill.entry, message), ...findings];
}
