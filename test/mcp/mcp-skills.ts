import { rmSync } from "node:fs";
import { sha256 } from "../../src/core/digest.ts";
import { addBlock } from "../../src/features/review/blocks.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { McpHome, type SkillFiles } from "../support/mcp-home.ts";
import { ada, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Approved, and fit for every host: by entry, the folder that its URI must name, and its files. */
export const offered: Readonly<Record<string, { readonly root: string; readonly files: SkillFiles }>> = {
  "team:pdf-forms": {
    root: "skill://team/pdf-forms",
    files: {
      "SKILL.md": skillText(
        "pdf-forms",
        "See references/FORMS.md.\n",
        'license: MIT\nallowed-tools: Read Grep\nmetadata:\n  kind: tool\n  version: "2.1"\n',
      ),
      "references/FORMS.md": "# Forms\n",
      "references/deep/er/Ärger & Übung (1).md": "Grüße, 日本\n",
      "references/50% off? #1; a=b@c.txt": "odd\n",
      "scripts/fill.py": "print('fill')\n",
      "assets/logo.png": bytes(0x89, 0x50, 0x4e, 0x47, 0, 255, 254),
      "assets/empty.txt": "",
      "assets/latin1.txt": bytes(0x47, 0x72, 0xfc, 0xdf, 0x65),
      "assets/marked.txt": "\uFEFFstarts with a mark\n",
    },
  },
  "team:deep/er/and/deeper/here": {
    root: "skill://team/deep/er/and/deeper/here",
    files: { "SKILL.md": skillText("here") },
  },
  "team:folder-name": { root: "skill://team/folder-name/other-name", files: { "SKILL.md": skillText("other-name") } },
  "team:Päck chen": { root: "skill://team/P%C3%A4ck%20chen/parcel", files: { "SKILL.md": skillText("parcel") } },
  "team:crlf": {
    root: "skill://team/crlf",
    files: { "SKILL.md": `\uFEFF${skillText("crlf").replaceAll("\n", "\r\n")}` },
  },
  "team:by-hand": {
    root: "skill://team/by-hand",
    files: { "SKILL.md": skillText("by-hand", "Only by hand.\n", "disable-model-invocation: true\n") },
  },
  "other:pdf-forms": {
    root: "skill://other/pdf-forms",
    files: { "SKILL.md": skillText("pdf-forms", "Another one.\n"), "references/FORMS.md": "# Others\n" },
  },
  "single:": { root: "skill://single/single", files: { "SKILL.md": skillText("single"), "more.md": "More.\n" } },
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `many:skill-${index}`,
      { root: `skill://many/skill-${index}`, files: { "SKILL.md": skillText(`skill-${index}`) } },
    ]),
  ),
};

/** Approved, and nothing that a host could verify: for the tools alone. */
export const leftOut: Readonly<Record<string, string>> = {
  "team:shouting": skillText("Shouting Name"),
  "team:two-lines": '---\nname: two-lines\ndescription: "A value that goes on\n  below."\n---\nDo it.\n',
  "team:repaired": "---\nname: repaired\ndescription: Use: with a colon.\n---\nDo it.\n",
};

/** In the store, and not to be read by anybody. */
export const kept = ["fresh", "moved", "retired", "blocked", "gone"] as const;

/** One registry with all of these, for tests that only read. */
export async function skillsHome(): Promise<McpHome> {
  const files: Record<string, string | Uint8Array> = {};
  for (const [entry, { files: own }] of Object.entries(offered))
    for (const [path, content] of Object.entries(own))
      files[`${entry.replace(/:(?=.)/, "/").replace(":", "")}/${path}`] = content;
  for (const [entry, text] of Object.entries(leftOut)) files[`${entry.replace(":", "/")}/SKILL.md`] = text;
  for (const name of kept) {
    files[`team/${name}/SKILL.md`] = skillText(name, `The secret of ${name}.\n`);
    files[`team/${name}/more.md`] = `More of the secret of ${name}.\n`;
  }
  const home = await McpHome.create(files);
  await home.approve(...Object.keys(offered), ...Object.keys(leftOut));
  await home.approve(...kept.filter((name) => name !== "fresh").map((name) => `team:${name}`));
  home.folder.write("team/moved/SKILL.md", skillText("moved", "The secret of moved, and more.\n"));
  rmSync(`${home.folder.root}/team/gone`, { recursive: true });
  await runSync(home.app.sync, allow(ada), "team");
  await say(home.app, ada, "disable", "team:retired");
  await addBlock(home.app, { kind: "entry", value: "team:blocked", reason: "bad" });
  return home;
}

/** What a host must be told of an entry, from the files alone. */
export function expectedOf(entry: string): { uri: string; resources: { uri: string; digest: string; size: number }[] } {
  const { root, files } = offered[entry] ?? { root: "", files: {} };
  const resources = Object.entries(files).map(([path, content]) => {
    const own = Buffer.from(content);
    const uri = [root, ...path.split("/").map(encodeURIComponent)].join("/");
    return { uri, digest: `sha256:${sha256(own)}`, size: own.length };
  });
  return { uri: `${root}/SKILL.md`, resources: resources.toSorted((a, b) => (a.uri < b.uri ? -1 : 1)) };
}
