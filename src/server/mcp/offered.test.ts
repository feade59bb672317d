import { describe, expect, test } from "vitest";
import { createBundle } from "../../skill/bundle.ts";
import { parse } from "../../skill/skill.ts";
import type { Approved } from "./library.ts";
import { offer } from "./offered.ts";

function approved(files: Readonly<Record<string, string | Uint8Array>>, path = "pdf"): Approved {
  const bundle = createBundle(
    path,
    Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]),
  );
  const { skill } = parse(bundle, "ingest");
  if (skill === undefined) throw new Error("no skill");
  const usable = { description: "", trust: "community", grants: [], approvals: [] } as const;
  const entry = { ...usable, id: `team:${path}`, name: skill.manifest.name, digest: bundle.digest ?? "" };
  return { entry, bundle, skill, material: { files: [], skill: undefined, faults: [] } };
}

const header = (lines: string) => `---\n${lines}\n---\nDo it.\n`;
const plain = header("name: pdf\ndescription: Fills forms.");

async function whyNot(files: Readonly<Record<string, string | Uint8Array>>, path?: string): Promise<string | null> {
  const offered = await offer(approved(files, path));
  return "why" in offered ? offered.why : null;
}

describe("SV-5: what hosts are told of", () => {
  test("SEP-2640: up to 512 files and 16 MiB; one more of either is left out, and why is said", async () => {
    const some = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f/${at}`, ""]));
    expect(await whyNot({ "SKILL.md": plain, ...some(511) })).toBeNull();
    expect(await whyNot({ "SKILL.md": plain, ...some(512) })).toContain("513 files");
    const filling = new Uint8Array(16 * 2 ** 20 - plain.length);
    expect(await whyNot({ "SKILL.md": plain, "x.bin": filling })).toBeNull();
    expect(await whyNot({ "SKILL.md": plain, "x.bin": filling, "y.txt": "y" })).toContain(`${16 * 2 ** 20 + 1} bytes`);
  });

  test("names that are none of the public specification, and headers that the official reader refuses", async () => {
    expect(await whyNot({ "SKILL.md": header("name: PDF Forms\ndescription: x.") })).toContain("its name");
    expect(await whyNot({ "SKILL.md": header("name: bücher\ndescription: x.") })).toContain("its name");
    expect(await whyNot({ "SKILL.md": header(`name: pdf\ndescription: ${"x".repeat(1025)}`) })).toContain("1024");
    expect(await whyNot({ "SKILL.md": header('name: pdf\ndescription: "two\n  lines"') })).toContain("same line");
    expect(await whyNot({ "SKILL.md": header("name: pdf\ndescription: x.\nmetadata:\n  n: 1") })).toContain("metadata");
  });

  test("T28: a header that two readers read in two ways is told to none of them", async () => {
    const unread = Array.from({ length: 120 }, (_, at) => `x${at}: ${at}`).join("\n");
    expect(await whyNot({ "SKILL.md": header(`name: pdf\ndescription: x.\n${unread}`) })).toContain("reads otherwise");
  });

  test("SEP-2640: every field as its author wrote it, also those that nobody knows", async () => {
    const lines = "name: pdf\ndescription: 'Fills: forms.'\nx-mine:\n  - 1\n  - true\n  - null\n  - 'no'\nlicense: MIT";
    const offered = await offer(approved({ "SKILL.md": header(lines) }, "forms"));
    expect(offered).toEqual({
      skill: {
        uri: "skill://team/forms/pdf/SKILL.md",
        frontmatter: { name: "pdf", description: "Fills: forms.", "x-mine": [1, true, null, "no"], license: "MIT" },
        resources: [expect.objectContaining({ uri: "skill://team/forms/pdf/SKILL.md", size: header(lines).length })],
      },
    });
  });
});
