import { type Resource, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import { exactText } from "../../base/exact-text.ts";
import { safeLine } from "../../base/text.ts";
import { skillFile } from "../../ingest/skill/bundle.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { isUnusable } from "./approved.ts";
import { type Page, pageOf } from "./cursor.ts";
import { childrenOf } from "./directory.ts";
import type { Asked, Asker, Library } from "./library.ts";
import { mediaTypeOf } from "./media-type.ts";
import { type Located, locate, uriIn } from "./skill-uri.ts";
import { inOrder } from "./view.ts";

/** Of skills, and of files. The official client asks for 64 pages at most. */
const [skillsPage, filesPage] = [250, 500];

/** A file as it is handed on: text when its bytes are exactly that text in UTF-8. */
export type FileContent = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

/** The skills that somebody may read, by their URIs. Each call is one request, of one generation. */
export class SkillSource {
  readonly #library: Library;
  readonly #who: Asker;

  constructor(library: Library, who: Asker) {
    this.#library = library;
    this.#who = who;
  }

  list(cursor: string | undefined): Promise<Page<Skill>> {
    return this.#library.ask(this.#who, async (asked) => {
      const { items, ...rest } = pageOf(inOrder(asked.view.entries), ({ id }) => id, skillsPage, cursor);
      const skills: Skill[] = [];
      for (const entry of items) {
        const skill = await this.#listed(asked, entry);
        if (skill !== null) skills.push(skill);
      }
      return { items: skills, ...rest };
    });
  }

  /** One that fails to be proven is no reason to show none of the others; the log has said why. */
  async #listed(asked: Asked, entry: UsableEntry): Promise<Skill | null> {
    return this.#library.offeredAs(asked, entry).catch((error: unknown) => this.#unlessMoved(asked, error));
  }

  async #unlessMoved({ app, view }: Asked, error: unknown): Promise<null> {
    if (!isUnusable(error) || (await app.kept.read.generation()) !== view.snapshot.generation) throw error;
    return null;
  }

  /** Undefined: there is no such skill, or none that is shown. */
  get(uri: string): Promise<Skill | undefined> {
    return this.#library.ask(this.#who, async (asked) => {
      const located = locate(asked.view, uri);
      if (located === null || uri !== uriIn(located.root, skillFile)) return undefined;
      return (await this.#library.offeredAs(asked, located.entry)) ?? undefined;
    });
  }

  read(uri: string): Promise<FileContent> {
    return this.#library.ask(this.#who, async (asked) => {
      const located = await this.#offered(asked, uri);
      if (located === null) throw new ResourceNotFoundError(shown(uri));
      const { bundle, entry } = await this.#library.open(asked, located.entry);
      const file = bundle.files.find(({ path }) => uriIn(located.root, path) === uri);
      if (file === undefined) throw new ResourceNotFoundError(shown(uri));
      if (file.path === skillFile) this.#library.note(asked, "injected", entry);
      const text = exactText(file.bytes);
      const mimeType = mediaTypeOf(file.path, text !== null);
      return text === null ? { uri, mimeType, bytes: file.bytes } : { uri, mimeType, text };
    });
  }

  /** The direct children of a skill's folder, or of one in it. */
  readDirectory(uri: string, cursor: string | undefined): Promise<Page<Resource> | undefined> {
    return this.#library.ask(this.#who, async (asked) => {
      const located = await this.#offered(asked, uri);
      if (located === null) return undefined;
      const { bundle } = await this.#library.open(asked, located.entry);
      const children = childrenOf(located.root, bundle.files, uri);
      return children.length === 0 ? undefined : pageOf(children, (child) => child.uri, filesPage, cursor);
    });
  }

  /** SKILL.md of every skill, for hosts that know resources alone. An author's words about it are not for a list. */
  async listResources(cursor: string | undefined): Promise<Page<Resource>> {
    const { items, ...rest } = await this.list(cursor);
    const resources = items.map(({ uri, frontmatter }) => ({
      uri,
      name: frontmatter.name,
      mimeType: mediaTypeOf(skillFile, true),
    }));
    return { items: resources, ...rest };
  }

  async #offered(asked: Asked, uri: string): Promise<Located | null> {
    const located = locate(asked.view, uri);
    return located !== null && (await this.#library.offeredAs(asked, located.entry)) !== null ? located : null;
  }
}

function shown(uri: string): string {
  return safeLine(uri, 240);
}
