import type { Fields } from "../../core/json/json.ts";
import { safeName } from "../../core/text.ts";

/** What a marketplace may have at its top. */
const topFields = new Set(
  "$schema name owner plugins description version metadata renames allowCrossMarketplaceDependenciesOn forceRemoveDeletedPlugins".split(
    " ",
  ),
);

/** What an entry may have: what plugin.json may, and four of its own. */
const entryFields = new Set([
  ..."$schema name displayName version description author homepage repository license keywords dependencies".split(" "),
  ..."commands agents skills hooks mcpServers lspServers outputStyles themes monitors workflows channels".split(" "),
  ..."userConfig settings defaultEnabled experimental".split(" "),
  ..."source category tags strict relevance".split(" "),
]);

const shownFields = 8;

/** Fields that nobody knows, counted by their names: one sentence for all of them, however many there are. */
export class UnknownFields {
  readonly #counts = new Map<string, number>();

  inTop(fields: Fields): void {
    this.#count(fields, topFields);
  }

  inEntry(fields: Fields): void {
    this.#count(fields, entryFields);
  }

  #count(fields: Fields, known: ReadonlySet<string>): void {
    for (const name of fields.keys()) if (!known.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Undefined where all are known. */
  get said(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    const shown = [...this.#counts].slice(0, shownFields).map(([name, times]) => {
      return `"${safeName(name)}"${times > 1 ? ` (${times} times)` : ""}`;
    });
    const more = this.#counts.size - shown.length;
    return `fields that are not known, and not read: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
}
