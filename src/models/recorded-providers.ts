import { canonicalJson, type Plain } from "../core/canonical.ts";
import { pages } from "../core/kept.ts";
import { type AuditAct, parseDetails } from "../registry/audit/audit.ts";
import type { InquiryReads } from "../registry/inquiry.ts";
import { shownProvider } from "./provider.ts";
import type { AuditRecord } from "../registry/schema.ts";
import type { Provider } from "./schema.ts";

const acts: readonly AuditAct[] = ["provider.added", "provider.changed", "provider.removed"];
const page = 1000;

interface Recorded {
  readonly fields: { readonly [field: string]: unknown };
  readonly hasSecret: boolean;
  /** At least: a row that was changed by hand and said again has one more than its records tell. */
  readonly version: number;
}

/** What the audit chain says providers are. The seal of a row is good for ever: one that was put back is found by this (T43). */
export class RecordedProviders {
  readonly #providers = new Map<string, Recorded>();
  #last = 0;

  /** Reads on from where it was; gives back the last record about any of them. */
  async follow(read: Pick<InquiryReads, "findAudit">): Promise<number> {
    const from = (after: number) => read.findAudit({ acts, after, limit: page });
    for await (const records of pages(from, this.#last, ({ seq }) => seq))
      for (const record of records) this.#add(record);
    return this.#last;
  }

  fits(provider: Provider): boolean {
    const known = this.#providers.get(provider.id);
    if (known === undefined || known.hasSecret !== provider.hasSecret || provider.version < known.version) return false;
    return Object.entries(shownProvider(provider)).every(([field, value]) => isSame(known.fields[field], value));
  }

  #add(record: AuditRecord): void {
    const { seq, act, subject } = record;
    this.#last = seq;
    const { after, secret, version, ...fields } = parseDetails(record);
    const before = this.#providers.get(subject);
    if (act === "provider.added") this.#providers.set(subject, { fields, hasSecret: secret === "set", version: 1 });
    else if (act === "provider.removed") this.#providers.delete(subject);
    else if (before !== undefined) this.#providers.set(subject, changed(before, { after, secret, version }));
  }
}

/** Another origin and another secret are another version, of which an older secret is none (T40). */
function changed(before: Recorded, { after, secret, version }: Readonly<Record<string, unknown>>): Recorded {
  const fields = typeof after === "object" && after !== null ? { ...after } : {};
  const hasMoved = "origin" in fields || secret === "discarded";
  return {
    fields: { ...before.fields, ...fields },
    hasSecret: secret === undefined ? before.hasSecret && !hasMoved : secret !== "discarded",
    version: typeof version === "number" ? version : before.version + (hasMoved ? 1 : 0),
  };
}

function isSame(one: unknown, other: Plain): boolean {
  return JSON.stringify(one) === canonicalJson(other);
}
