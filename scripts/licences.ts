import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
}

// Greedy on purpose: of nested node_modules the innermost one holds the package.
const PACKAGE_FOLDER = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
// Apache-2.0 4(d) asks for the NOTICE too. A module of that name is not a licence.
const LICENCE_FILE = /^(licen[cs]es?|copying|notice)\b(?!.*\.([cm]?[jt]s|json)$)/i;

/** Emits the name, version, SPDX id and licence text of every npm package that has a module in the output. */
export function licences(fileName: string): Plugin {
  return {
    name: "licences",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
      this.emitFile({ type: "asset", fileName, source: render(packageFolders(modules)) });
    },
  };
}

function packageFolders(modules: readonly string[]): string[] {
  return [...new Set(modules.flatMap((id) => PACKAGE_FOLDER.exec(id)?.[1] ?? []))];
}

function render(folders: readonly string[]): string {
  // The same version nested twice is one entry; plain sort, so that the result does not depend on the locale.
  const entries = new Map(folders.map(entryOf));
  const keys = [...entries.keys()].toSorted();
  return keys.map((key) => entries.get(key)).join(`\n${"-".repeat(80)}\n\n`);
}

function entryOf(folder: string): [key: string, text: string] {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  const spdx = typeof license === "object" ? license.type : (license ?? "no licence stated");
  return [`${name} ${version}`, [`${name} ${version} (${spdx})\n`, ...licenceTexts(folder)].join("\n")];
}

function licenceTexts(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile());
  const names = files.map((file) => file.name).filter((name) => LICENCE_FILE.test(name));
  return names
    .toSorted()
    .map((name) => `${readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim()}\n`);
}
