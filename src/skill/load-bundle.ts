import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { SkillLimits } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { Files, FolderEntry, Listing, Stamp } from "../core/world.ts";
import { type Bundle, contractFile, createBundle, scopeFile, skillFile } from "./bundle.ts";
import { tooLarge } from "./document.ts";
import { type FaultCode, finding } from "./faults.ts";

/** A folder that holds a skill. `root`: of a source, where other skills lie below (SK-11). */
export interface SkillFolder {
  readonly path: string;
  readonly role: "leaf" | "root";
}

/** What belongs to the skill at the root of a source; everything else there is the source's. */
export const ofRootSkill = new Set([skillFile, scopeFile, contractFile, "scripts", "references", "assets"]);

/** Git keeps its own store there; it is never part of what git carries. */
const gitFolder = ".git";

/** Reads the files of one skill: every file under its folder, within bounds, following nothing (SK-11, T24). */
export async function loadBundle(files: Files, folder: SkillFolder, bounds: SkillLimits): Promise<Bundle> {
  const reading = new BundleReading(files, folder, bounds, async (path, most) => {
    const bytes = await files.read(path, most);
    return bytes instanceof Uint8Array ? { size: bytes.length, content: bytes } : bytes;
  });
  await reading.folder("");
  return createBundle(bundleName(folder), reading.found, { findings: reading.findings, complete: reading.complete });
}

export function bundleName({ path }: SkillFolder): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What a bundle is made of, and what was seen of each of its files. */
export interface BundleSurvey<Seen> {
  readonly files: readonly (readonly [path: string, seen: Seen])[];
  /** Those inside the skill's folder, and that itself as `""`. */
  readonly folders: readonly string[];
  readonly findings: readonly Finding[];
  readonly complete: boolean;
}

/** Looks at a file, at least at its stamp. `inside` is its path in the skill's folder; above `most` bytes none is to be read. */
type See<Seen> = (path: string, most: number, inside: string) => Promise<Seen>;

/**
 * Sees the files that `loadBundle` would read, by the same rules and within the same bounds. `listed` is what the folder
 * holds, for whoever has just listed it.
 */
export async function surveyBundle<Seen extends { readonly stamp: Stamp }>(
  files: Pick<Files, "list">,
  folder: SkillFolder,
  bounds: SkillLimits,
  see: See<Seen>,
  listed?: Listing,
): Promise<BundleSurvey<Seen>> {
  const list: Files["list"] = async (path, max) =>
    path === folder.path && listed !== undefined && listed.entries.length <= max ? listed : await files.list(path, max);
  const reading = new BundleReading<Seen>({ list }, folder, bounds, async (path, most, inside) => {
    const seen = await see(path, most, inside);
    const { kind, size } = seen.stamp;
    if (kind !== "file") throw new AppError("path.wrong-kind", `not a regular file: ${safeLine(path)}`);
    return { size, content: size > most ? undefined : seen };
  });
  await reading.folder("");
  const { found, folders, findings, complete } = reading;
  return { files: found, folders, findings, complete };
}

/** What is taken of a file, and how large it is; nothing of one that is larger than `most`. */
type Take<Content> = See<{ size: number; content?: Content | undefined }>;

class BundleReading<Content> {
  readonly found: [path: string, content: Content][] = [];
  readonly folders: string[] = [];
  readonly findings: Finding[] = [];
  complete = true;
  readonly #files: Pick<Files, "list">;
  readonly #folder: SkillFolder;
  readonly #bounds: SkillLimits;
  readonly #takeFile: Take<Content>;
  #bytes = 0;

  constructor(files: Pick<Files, "list">, folder: SkillFolder, bounds: SkillLimits, takeFile: Take<Content>) {
    this.#files = files;
    this.#folder = folder;
    this.#bounds = bounds;
    this.#takeFile = takeFile;
  }

  async folder(inside: string): Promise<void> {
    if (this.folders.length === this.#bounds.bundleFiles) return this.#stopAtFiles(inside);
    this.folders.push(inside);
    const listing = await this.#orLeftOut(inside, (path) => this.#files.list(path, this.#bounds.bundleFiles + 1));
    if (listing?.complete === false) return this.#stopAtFiles(inside);
    for (const entry of listing?.entries ?? []) {
      if (!this.complete) return;
      if (this.#belongs(inside, entry)) await this.#take(inside === "" ? entry.name : `${inside}/${entry.name}`, entry);
    }
  }

  #belongs(inside: string, { name, kind }: FolderEntry): boolean {
    if (kind === "folder" && name === gitFolder) return false;
    return inside !== "" || this.#folder.role === "leaf" || ofRootSkill.has(name);
  }

  async #take(path: string, { kind }: FolderEntry): Promise<void> {
    switch (kind) {
      case "folder":
        if (path === skillFile) return this.#say("file.missing", "SKILL.md is a folder, not a file", path);
        return await this.folder(path);
      case "file":
        return await this.#read(path);
      case "link":
        return this.#say("path.link", "a symbolic link; not followed, left out", path);
      case "special":
        return this.#say("path.special", "a device, pipe or socket; left out", path);
      case "unnameable":
        return this.#say("path.unsafe", "a name that is not UTF-8; left out", path);
    }
  }

  async #read(path: string): Promise<void> {
    if (this.found.length === this.#bounds.bundleFiles) return this.#stopAtFiles(path);
    const left = this.#bounds.bundleBytes - this.#bytes;
    const most = path === skillFile ? Math.min(this.#bounds.fileBytes, left) : left;
    const taken = await this.#orLeftOut(path, (full) => this.#takeFile(full, most, path));
    if (taken === undefined) return;
    if (taken.content !== undefined) {
      this.#bytes += taken.size;
      this.found.push([path, taken.content]);
    } else if (path === skillFile) this.findings.push(tooLarge(taken.size, most));
    else this.#stop("bundle.bytes", `more than ${this.#bounds.bundleBytes} bytes`, path);
  }

  #stopAtFiles(path: string): void {
    this.#stop(
      "bundle.files",
      `more than ${this.#bounds.bundleFiles} files or folders`,
      path === "" ? skillFile : path,
    );
  }

  #stop(code: "bundle.files" | "bundle.bytes", message: string, path: string): void {
    this.complete = false;
    this.#say(code, `${message}; the rest was not read`, path);
  }

  async #orLeftOut<Result>(inside: string, read: (path: string) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read(inside === "" ? this.#folder.path : `${this.#folder.path}/${inside}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#say("path.unreadable", `${error.message}; left out`, inside === "" ? skillFile : inside);
      return undefined;
    }
  }

  #say(code: FaultCode, message: string, path: string): void {
    this.findings.push(finding(code, message, safeLine(path)));
  }
}
