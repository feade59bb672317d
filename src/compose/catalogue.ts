import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { withDefaults } from "../core/limits.ts";
import { isPublicName, safeLine, safeName } from "../core/text.ts";
import type { Trust } from "../sources/trust.ts";
import { createBoundary, defuse, markersOf } from "./defuse.ts";
import { composeFinding, entryFinding } from "./findings.ts";
import { reaches } from "./select.ts";
import { fewest } from "./budget.ts";
import { renderCataloguePreamble } from "./render.ts";

/** What is shown of a skill before it is loaded. */
export interface CatalogueEntry {
  readonly entry: EntryId;
  readonly name: string;
  readonly description: string;
  readonly trust: Trust;
}

export interface CatalogueOptions {
  /** The composition key. */
  readonly key: Uint8Array;
  /** Part of the boundary when given. Without it the bytes also last over generations that change nothing here. */
  readonly generation?: number;
  /** What is trusted less has its description in the user's block, and in the system message nothing but its name. */
  readonly systemFloor: Trust;
  readonly mostEntries?: number;
  readonly mostCharacters?: number;
}

export interface Catalogue {
  readonly system: string;
  readonly block: string;
  /** What is in the texts of each entry, line by line. One below the floor may be in both: its name, and its whole line. */
  readonly shown: readonly ShownLine[];
  readonly findings: readonly Finding[];
}

interface ShownLine {
  readonly entry: EntryId;
  readonly place: "system" | "user";
  readonly text: string;
}

const bounds = { mostEntries: 150, mostCharacters: 30_000 };

/**
 * CO-11: the usable skills, for a model to choose from. Both texts are empty when there are none, and together never
 * longer than the bound; what did not fit is counted in them. Pure: the same entries are the same bytes.
 */
export function renderCatalogue(entries: readonly CatalogueEntry[], options: CatalogueOptions): Catalogue {
  const { mostEntries, mostCharacters } = boundsOf(options);
  const lines = entries.slice(0, mostEntries).map((entry) => lineOf(entry, options.systemFloor));
  const found = fewest(lines.length, (cut) => {
    const texts = renderTexts(lines.slice(0, lines.length - cut), entries.length, options);
    return texts.system.length + texts.block.length <= mostCharacters ? texts : undefined;
  });
  const shown = lines.slice(0, lines.length - (found?.count ?? lines.length));
  const findings = shown.flatMap(({ defused }) => defused);
  if (shown.length < entries.length) findings.push(cutFinding(shown.length, entries.length));
  return { ...(found?.result ?? nothing), shown: shown.flatMap(shownLines), findings };
}

type Texts = Pick<Catalogue, "system" | "block">;

const nothing: Texts = { system: "", block: "" };

function boundsOf({ mostEntries = 0, mostCharacters = 0 }: CatalogueOptions): typeof bounds {
  return withDefaults(bounds, { mostEntries, mostCharacters });
}

/** An entry made ready: its whole line is in one of the texts, and its name perhaps in the system message beside it. */
interface Line {
  readonly of: CatalogueEntry;
  readonly defused: readonly Finding[];
  readonly inSystem: readonly string[];
  readonly inBlock: readonly string[];
}

const longestDescription = 1024;

function lineOf(of: CatalogueEntry, systemFloor: Trust): Line {
  const { entry, name, trust } = of;
  const description = safeLine(of.description.replace(/\s+/g, " ").trim(), longestDescription);
  const { text, lines } = defuse(escapeTags(`- ${safeName(name)} (${safeLine(entry)}): ${description}`));
  const message = "its name, place or description reads like a marker of a block; defused";
  const defused = lines.length === 0 ? [] : [entryFinding("compose.defused", entry, message)];
  if (reaches(trust, systemFloor)) return { of, defused, inSystem: [text], inBlock: [] };
  // T30: a name of the public form is one word of a list. Any other could be a sentence: it stays with its
  // description.
  return { of, defused, inSystem: isPublicName(name) ? [`- ${name}`] : [], inBlock: [text] };
}

/** What looks like a tag to a model is shown as text. */
function escapeTags(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function renderTexts(shown: readonly Line[], total: number, options: CatalogueOptions): Texts {
  if (shown.length === 0) return nothing;
  const more = shown.length === total ? [] : [`(${total - shown.length} more skills are not listed here)`];
  const names = shown.flatMap(({ inSystem }) => inSystem);
  const others = shown.filter(({ inBlock }) => inBlock.length > 0);
  return {
    system: names.length === 0 ? "" : ["Skills that can be loaded:", ...names, ...more].join("\n"),
    block: others.length === 0 ? "" : renderBlock(others, more, options),
  };
}

function renderBlock(others: readonly Line[], more: readonly string[], { key, generation }: CatalogueOptions): string {
  const lines = [...others.flatMap(({ inBlock }) => inBlock), ...more];
  const content = others.map(({ of: { entry, name, description, trust } }) => [entry, name, description, trust]);
  const markers = markersOf(createBoundary(key, ["catalogue", generation ?? null, content], lines));
  return [renderCataloguePreamble(markers), markers.begin, ...lines, markers.end].join("\n");
}

function shownLines({ of: { entry }, inSystem, inBlock }: Line): readonly ShownLine[] {
  return [
    ...inSystem.map((text) => ({ entry, place: "system" as const, text })),
    ...inBlock.map((text) => ({ entry, place: "user" as const, text })),
  ];
}

function cutFinding(shown: number, total: number): Finding {
  const message = `${shown} of ${total} skills are in the catalogue; the others are more than it may hold`;
  return composeFinding("compose.catalogue-cut", "catalogue", message);
}
