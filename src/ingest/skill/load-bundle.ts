import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import type { SkillLimits } from "../../base/limits.ts";
import { safeLine } from "../../base/text.ts";
import type { Files, FolderEntry } from "../../base/world.ts";
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
  const reading = new BundleReading(files, folder, bounds);
  await reading.folder("");
  const name = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  return createBundle(name, reading.found, { findings: reading.findings, complete: reading.complete });
}

class BundleReading {
  readonly found: [path: string, bytes: Uint8Array][] = [];
  readonly findings: Finding[] = [];
  complete = true;
  readonly #files: Files;
  readonly #folder: SkillFolder;
  readonly #bounds: SkillLimits;
  #bytes = 0;
  #folders = 0;

  constructor(files: Files, folder: SkillFolder, bounds: SkillLimits) {
    this.#files = files;
    this.#folder = folder;
    this.#bounds = bounds;
  }

  async folder(inside: string): Promise<void> {
    if (++this.#folders > this.#bounds.bundleFiles) return this.#stopAtFiles(inside);
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
    const bytes = await this.#orLeftOut(path, (full) => this.#files.read(full, most));
    if (bytes instanceof Uint8Array) {
      this.#bytes += bytes.length;
      this.found.push([path, bytes]);
    } else if (bytes !== undefined && path === skillFile) this.findings.push(tooLarge(bytes.size, most));
    else if (bytes !== undefined) this.#stop("bundle.bytes", `more than ${this.#bounds.bundleBytes} bytes`, path);
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
