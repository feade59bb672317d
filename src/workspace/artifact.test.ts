import { describe, expect, test } from "vitest";
import { readTarGz } from "../../test/publishing/read-tar-gz.ts";
import { sha256 } from "../core/digest.ts";
import { createBundle } from "../skill/bundle.ts";
import { artifactOf, isArtifact } from "./artifact.ts";

function made(header: string, files: Readonly<Record<string, string>> = {}) {
  const all = Object.entries({ "SKILL.md": `---\n${header}\n---\nDo it.\n`, ...files });
  return artifactOf(
    "house:pdf",
    createBundle(
      "pdf",
      all.map(([path, text]) => [path, Buffer.from(text)]),
    ),
  );
}

describe("SV-6: what is published of a skill", () => {
  test("a SKILL.md alone is served as it is", () => {
    const artifact = made("name: pdf\ndescription: Reads forms.");
    expect(artifact).toMatchObject({ name: "pdf", description: "Reads forms.", type: "skill-md", file: "SKILL.md" });
    if (!isArtifact(artifact)) throw new Error("nothing was made");
    expect(Buffer.from(artifact.bytes).toString()).toBe("---\nname: pdf\ndescription: Reads forms.\n---\nDo it.\n");
    expect(artifact.digest).toBe(sha256(artifact.bytes));
  });

  test("with more files it is an archive of all of them", () => {
    const artifact = made("name: pdf\ndescription: Reads forms.", { "scripts/run.sh": "true", "a.md": "a" });
    expect(artifact).toMatchObject({ type: "archive", file: "pdf.tar.gz" });
    if (!isArtifact(artifact)) throw new Error("nothing was made");
    expect(artifact.digest).toBe(sha256(artifact.bytes));
    expect(readTarGz(artifact.bytes).map(({ path }) => path)).toEqual(["SKILL.md", "a.md", "scripts/run.sh"]);
  });

  test.each([
    ["published.name", "name: PDF Tools\ndescription: x", {}],
    ["published.name", "name: п\ndescription: x", {}],
    ["published.description", `name: pdf\ndescription: ${"x".repeat(1025)}`, {}],
    ["published.path", "name: pdf\ndescription: x", { ["a".repeat(101)]: "x" }],
  ])("%s: what no reader could have is not made", (code, header, files) => {
    expect(made(header, files)).toMatchObject({ code, at: { file: "entry:house:pdf" } });
  });

  test("what cannot be loaded is nothing", () => {
    expect(made("description: x")).toMatchObject({ code: "published.name" });
  });
});
