import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import type { Finding, Level } from "../../core/finding.ts";
import { nearestPath } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { isNull } from "../../skill/core-value.ts";
import type { YamlEntry, YamlMap, YamlNode } from "../../skill/yaml.ts";
import { homeOf } from "./workspace-refusals.ts";
import { budgetBytes, type ItemKind, patterns, tools } from "./workspace-values.ts";
import { loadText, parseTree } from "../files/yaml-file.ts";

/**
 * All that `skillward.yaml` in a workspace can say. A cloned repository is hostile until shown otherwise, so each of
 * these takes something away and none can give (T44, invariant 10).
 */
export interface Narrowing {
  /** Path patterns, relative to the workspace, in which no skill is looked for. */
  readonly ignore: readonly string[];
  /** Bytes of a composition, when that is less than what holds without it. */
  readonly budget: number | null;
  /** Entries as in a skill's `forbidden_tools`; `*` where something of them could not be read. */
  readonly forbiddenTools: readonly string[];
}

export interface Workspace {
  readonly narrowing: Narrowing;
  readonly findings: readonly Finding[];
}

const none: Narrowing = { ignore: [], budget: null, forbiddenTools: [] };

/** As an entry that forbids: every tool. What could not be read of a restriction must not turn into none. */
const everything = "*";

/** Every word the file may have, by its path. */
export const narrowingKeys = ["ignore", "budget", "scope", "scope.forbidden_tools"] as const;

const workspaceFile = "skillward.yaml";
const mostBytes = 64 * 1024;

/** Looks at `<folder>/skillward.yaml`, never further up and never through a link. Without one nothing is narrowed. */
export async function loadWorkspaceFile(files: Files, folder: string): Promise<Workspace> {
  const path = posix.join(folder, workspaceFile);
  try {
    const { text, why } = await loadText(files, path, mostBytes);
    return text === undefined ? unread(path, why) : parseWorkspaceFile(text, path);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "path.missing") return { narrowing: none, findings: [] };
    return unread(path, `${error.message}; only a regular file is read, and no link is followed`);
  }
}

function unread(file: string, why: string, line = 1): Workspace {
  const reader = new NarrowingReader(file);
  reader.say("workspace.unreadable", `${why}; every tool is forbidden until it can be read`, line);
  return { narrowing: { ...none, forbiddenTools: [everything] }, findings: reader.findings };
}

export function parseWorkspaceFile(text: string, file: string): Workspace {
  const { root, fault } = parseTree(text);
  if (fault !== undefined) return unread(file, fault.message, fault.line);
  const reader = new NarrowingReader(file);
  const narrowing = reader.narrowing(root);
  return { narrowing, findings: reader.findings.toSorted((a, b) => a.at.line - b.at.line) };
}

/** What could not be read weighs more than a word that nobody knows. */
const levelOf = {
  "workspace.refused": "high",
  "workspace.unreadable": "high",
  "workspace.wrong-value": "medium",
  "workspace.unknown-key": "low",
} as const satisfies Record<string, Level>;

class NarrowingReader {
  readonly findings: Finding[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = safeLine(file, 240);
  }

  narrowing(root: YamlMap): Narrowing {
    this.#checkWords(root, "");
    return {
      ignore: this.#list(root.entries.get("ignore"), "ignore", patterns),
      budget: this.#budget(root.entries.get("budget")),
      forbiddenTools: this.#forbidden(root.entries.get("scope")),
    };
  }

  #forbidden(entry: YamlEntry | undefined): string[] {
    const before = this.findings.length;
    const scope = this.#section(entry, "scope");
    const forbidden = this.#list(scope?.entries.get("forbidden_tools"), "scope.forbidden_tools", tools);
    if (scope !== undefined) this.#checkWords(scope, "scope.");
    // A word that would widen is refused, and takes nothing with it; anything else may have been a restriction.
    const isWhole = this.findings.slice(before).every(({ code }) => code === "workspace.refused");
    return isWhole ? forbidden : [...forbidden, everything];
  }

  say(code: keyof typeof levelOf, message: string, line: number): void {
    const place = { file: this.#file, line };
    this.findings.push({ code, level: levelOf[code], message: safeLine(message, 320), at: place });
  }

  #checkWords(map: YamlMap, above: string): void {
    for (const [word, { line }] of map.entries) {
      if (narrowingKeys.some((known) => known === above + word)) continue;
      const shown = safeLine(above + word, 100);
      const home = homeOf(word);
      if (home !== undefined) this.say("workspace.refused", `${shown}: refused and without effect; ${home}`, line);
      else this.say("workspace.unknown-key", `${shown}: not a known key and without effect${hintFor(word)}`, line);
    }
  }

  #section(entry: YamlEntry | undefined, path: string): YamlMap | undefined {
    if (entry?.value.kind === "map") return entry.value;
    if (entry !== undefined && !isNull(entry.value)) this.#sayExpected(path, "keys below it", entry.line);
    return undefined;
  }

  #budget(entry: YamlEntry | undefined): number | null {
    const budget = entry && budgetBytes.parse(entry.value);
    if (entry !== undefined && budget === undefined) this.#sayExpected("budget", budgetBytes.expects, entry.line);
    return budget ?? null;
  }

  /** What is fine in a list holds even when its neighbour is not: of restrictions, more is safer. */
  #list(entry: YamlEntry | undefined, path: string, kind: ItemKind): string[] {
    if (entry === undefined || isNull(entry.value)) return [];
    if (entry.value.kind !== "list") {
      this.#sayExpected(path, `a list, each item ${kind.expects}`, entry.line);
      return [];
    }
    const { items } = entry.value;
    if (items.length > kind.most)
      this.#sayExpected(path, `at most ${kind.most} items; the rest is not read`, entry.line);
    return items.slice(0, kind.most).flatMap((item) => this.#item(item, path, kind));
  }

  #item(item: YamlNode, path: string, kind: ItemKind): string[] {
    if (item.kind === "scalar" && kind.fits(item.text)) return [item.text];
    this.#sayExpected(path, kind.expects, item.line);
    return [];
  }

  #sayExpected(path: string, expected: string, line: number): void {
    this.say("workspace.wrong-value", `${path}: expected ${expected}`, line);
  }
}

function hintFor(word: string): string {
  const near = nearestPath(word, narrowingKeys);
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}
