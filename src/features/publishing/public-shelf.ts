import { type Digest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { safeLine } from "../../core/text.ts";
import { atOneGeneration, GenerationChanged } from "../../registry/one-generation.ts";
import type { Look } from "../../registry/registry.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { type Artifact, artifactOf, isArtifact } from "../../workspace/artifact.ts";
import { byRank } from "../../workspace/export.ts";
import { compareBytes } from "../../workspace/lock.ts";
import type { PublishedRow } from "../../workspace/workspace.ts";
import { publishFinding } from "../../workspace/publish-faults.ts";
import { PublishedHistory, readPublished } from "../../workspace/published.ts";
import type { App } from "../../app/app.ts";
import { standingIn } from "../skills/view.ts";

/** A skill that is switched on, and what is served of it; or why nothing is. */
export interface Shelved {
  readonly row: PublishedRow;
  readonly use: UsableEntry | undefined;
  /** What the index says of it; its bytes are read again for whoever wants them. */
  readonly listed: Omit<Artifact, "bytes"> | undefined;
  readonly findings: readonly Finding[];
}

/** All that is switched on, of one generation. */
export interface ShelfAt {
  readonly look: Look;
  readonly skills: readonly Shelved[];
  /** Rows that publish nothing (T18). */
  readonly tampered: readonly PublishedRow[];
}

/** What a reader is given. */
export interface PublicFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Of these bytes. */
  readonly digest: Digest;
}

const schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/** Made archives that are kept, in bytes: what is not among them is made again. */
const mostKept = 64 * 2 ** 20;

/** Milliseconds after which the index is made anew from the store, whatever the generation: as long as readers keep it. */
const longestKept = 60_000;

/** SV-6: what anybody may fetch. Opened once for a running node. */
export class PublicShelf {
  readonly #app: App;
  readonly #history = new PublishedHistory();
  readonly #artifacts = new LruCache<Artifact>({ weight: mostKept, weightOf: ({ bytes }) => bytes.length });
  #made: { readonly at: number; readonly generation: number; readonly shelf: Promise<ShelfAt> } | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  /** formats: `.well-known/agent-skills/index.json`, version 0.2.0. */
  async index(): Promise<PublicFile> {
    const { skills } = await this.look();
    const listed = skills.flatMap((each) => each.listed ?? []).toSorted((a, b) => compareBytes(a.name, b.name));
    const lines = listed.map(({ name, type, description, file, digest }) => ({
      name,
      type,
      description,
      url: `${name}/${file}`,
      digest: `sha256:${digest}`,
    }));
    const bytes = Buffer.from(`${JSON.stringify({ $schema: schema, skills: lines }, null, 2)}\n`);
    return { type: "application/json", bytes, digest: sha256(bytes) };
  }

  /** What the index lists under this name; undefined alike for all else, whatever there is of it. */
  async file(name: string, file: string): Promise<PublicFile | undefined> {
    const { look, skills } = await this.look();
    const shelved = skills.find(({ listed }) => listed?.name === name && listed.file === file);
    if (shelved?.use === undefined || shelved.listed === undefined) return undefined;
    const made = await this.#artifact(look, shelved.use);
    // Made of the same digest, it is the same; nothing else is ever served under what the index says.
    if (!isArtifact(made) || made.digest !== shelved.listed.digest) return undefined;
    const type = made.type === "archive" ? "application/gzip" : "text/markdown; charset=utf-8";
    return { type, bytes: made.bytes, digest: made.digest };
  }

  /** However many ask at once, it is made once. */
  async look(): Promise<ShelfAt> {
    const { kept, world } = this.#app;
    const generation = await kept.read.generation();
    const [now, made] = [world.clock.now(), this.#made];
    if (made?.generation === generation && now - made.at < longestKept) return made.shelf;
    const next = { at: now, generation, shelf: atOneGeneration(() => this.#make()) };
    this.#made = next;
    // What failed is not kept: the next one tries again.
    next.shelf.catch(() => {
      if (this.#made === next) this.#made = undefined;
    });
    return next.shelf;
  }

  /** Invariant 8: rows and registry of one generation; when somebody changed something meanwhile, all is read again. */
  async #make(): Promise<ShelfAt> {
    const { registry, kept, keys } = this.#app;
    const look = await registry.look();
    const { rows, tampered } = await readPublished(kept.read, keys, this.#history);
    if ((await kept.read.generation()) !== look.snapshot.generation) throw new GenerationChanged();
    const skills: Shelved[] = [];
    for (const row of rows) skills.push(await this.#shelve(look, row));
    return { look, skills: withoutTwins(skills), tampered };
  }

  async #shelve(look: Look, row: PublishedRow): Promise<Shelved> {
    const use = look.snapshot.usable.get(row.entry);
    const made = use === undefined ? unusable(look, row) : await this.#artifact(look, use);
    if (!isArtifact(made)) return { row, use, listed: undefined, findings: [made] };
    const { bytes: _, ...listed } = made;
    return { row, use, listed, findings: [] };
  }

  /** Invariant 1: the bytes are read and hashed for every use. Only the archive of the same digest is not made twice. */
  async #artifact({ snapshot }: Look, { id, digest }: UsableEntry): Promise<Artifact | Finding> {
    try {
      const bundle = await this.#app.registry.use(snapshot, id);
      const known = this.#artifacts.get(digest);
      if (known !== undefined) return known;
      const made = artifactOf(id, bundle);
      return isArtifact(made) ? this.#artifacts.set(digest, made) : made;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "entry.unusable") throw error;
      return publishFinding("published.bytes", id, error.message);
    }
  }
}

function unusable(look: Look, { entry }: PublishedRow): Finding {
  const { state, reason } = standingIn(look, entry);
  return publishFinding("published.unusable", entry, `it is ${state}, and not served: ${reason}`);
}

/** A name stands in the index once. The others are left out, and said so. */
function withoutTwins(skills: readonly Shelved[]): readonly Shelved[] {
  const first = new Map<string, UsableEntry>();
  for (const { use, listed } of skills) {
    if (use === undefined || listed === undefined) continue;
    const known = first.get(listed.name);
    if (known === undefined || byRank(ranked(use), ranked(known)) < 0) first.set(listed.name, use);
  }
  return skills.map((each) => {
    const winner = each.listed && first.get(each.listed.name);
    if (winner === undefined || winner.id === each.row.entry) return each;
    const message = `${safeLine(winner.id, 160)} is published under the same name and is more trusted or comes first; only that one is served`;
    const finding = publishFinding("published.twin", each.row.entry, message);
    return { ...each, listed: undefined, findings: [finding] };
  });
}

function ranked({ id: entry, trust }: UsableEntry) {
  return { entry, trust };
}
